import type { Kind, KindTable, OwnerReference } from '../../../model/index.ts';
import type { Place } from '../../../text/input-error.ts';

/** What was observed of a real system: one format for recordings, audit logs and watch streams. */

/** The metadata of an object in an answer or a watch event: the fields that matter for deletion. */
export interface SeenObject {
  readonly uid: string;
  /** Null if the input does not have it. */
  readonly resourceVersion: string | null;
  readonly generation: number | null;
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
  /** As written in the input; null if unset. */
  readonly deletionTimestamp: string | null;
  readonly deletionGracePeriodSeconds: number | null;
  /** `spec.finalizers` of a Namespace, if shown. */
  readonly specFinalizers: readonly string[] | null;
  /** `status.phase`, if shown. */
  readonly phase: string | null;
}

/** Kind and namespace of an object in a request or event. */
export interface SeenPlace {
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
}

/**
 * - `notLogged`: the log does not show the body.
 * - `none`: the request had no body, or one that the API server could not log.
 */
export type SeenBody =
  | { readonly is: 'notLogged' }
  | { readonly is: 'none' }
  | { readonly is: 'value'; readonly value: unknown };

export type SeenVerb = 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'get';

export interface SeenRequest extends SeenPlace {
  readonly place: Place;
  /** The user who sent the request, for messages. */
  readonly client: string;
  readonly collector: boolean;
  readonly verb: SeenVerb;
  readonly subresource: string;
  /** Null for collections, and for a create with a name chosen by the API server. */
  readonly name: string | null;
  /** API version of the request; null if the input does not show it. */
  readonly apiVersion: string | null;
  readonly body: SeenBody;
  /** Options in the query of the URI. They apply if there is no body. */
  readonly query: Readonly<Record<string, string>>;
  /** Of a DELETE of a collection: a selector may leave objects out. */
  readonly selects: boolean;
  readonly code: number;
  /** The object in the answer; null if the answer has none, or was not logged. */
  readonly answer: SeenObject | null;
  readonly answerLogged: boolean;
  /** The answer is a `Status` of success, not an object. A log shows that at every level. */
  readonly bareSuccess: boolean;
  readonly message: string;
  /**
   * Microseconds on the clock of the API server. `completed` is infinite if the end is not logged.
   */
  readonly received: number;
  readonly completed: number;
}

/** A change in the store. Changes are in the order of resourceVersions. */
export interface SeenChange extends SeenPlace {
  readonly place: Place;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly name: string;
  /** For a removal: the last stored object, with the resourceVersion of the removal. */
  readonly object: SeenObject;
  /** The fields of a pod that decide its grace period, if shown. */
  readonly pod: SeenPod | null;
}

export interface SeenPod {
  readonly scheduled: boolean;
  readonly terminationGracePeriodSeconds: number | null;
}

/** A warning event of the collector about a dependent. */
export interface SeenWarning {
  readonly reason: string;
  /** Kind of the dependent, by its name in the table of kinds. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object in the store, before or after the run. */
export interface SeenFinal extends SeenPlace {
  readonly name: string;
  readonly object: SeenObject;
}

/** One run of a real system. */
export interface Trace {
  /** The file, and the run in it; for messages. */
  readonly name: string;
  readonly kinds: KindTable;
  readonly requests: readonly SeenRequest[];
  /** False if the input has no requests, as a watch stream. */
  readonly requestsLogged: boolean;
  /** It begins in the life of a cluster: requests that were under way then are missing. */
  readonly isSlice?: true;
  /** Null if the input has no watch events: then the changes are derived from the answers. */
  readonly changes: readonly SeenChange[] | null;
  /** The objects that existed before the first change, as far as the input shows them. */
  readonly initial: readonly SeenFinal[];
  /** The remaining objects; null if the input does not show them. */
  readonly final: readonly SeenFinal[] | null;
  readonly warnings: readonly SeenWarning[];
  /** How often the collector may have been restarted. */
  readonly restarts: number;
  /** How often a watch of the collector may have broken: then it lists again. */
  readonly relists: number;
}
