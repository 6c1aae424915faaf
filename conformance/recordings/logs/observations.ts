import type { Kind, KindTable, OwnerReference } from '../../../model/index.ts';
import type { Place } from '../../../text/input-error.ts';

/** What was seen of a real system, in one form for recordings, audit logs and watch streams. */

/** The metadata of an object as an answer or a watch event shows it, as far as deletion reads it. */
export interface SeenObject {
  readonly uid: string;
  /** Null where the input leaves it out. */
  readonly resourceVersion: string | null;
  readonly generation: number | null;
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
  /** As written; null when unset. */
  readonly deletionTimestamp: string | null;
  readonly deletionGracePeriodSeconds: number | null;
  /** `spec.finalizers` of a Namespace, where shown. */
  readonly specFinalizers: readonly string[] | null;
  /** `status.phase`, where shown. */
  readonly phase: string | null;
}

/** The place of an object in the store, as far as a request or event names it. */
export interface SeenPlace {
  readonly kind: Kind;
  /** Empty for kinds without one. */
  readonly namespace: string;
}

/**
 * - `notLogged`: the log leaves the body out.
 * - `none`: the request had none, or one that the API server could not log.
 */
export type SeenBody =
  | { readonly is: 'notLogged' }
  | { readonly is: 'none' }
  | { readonly is: 'value'; readonly value: unknown };

export type SeenVerb = 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'get';

export interface SeenRequest extends SeenPlace {
  readonly place: Place;
  /** Who sent it, for messages: a user name. */
  readonly client: string;
  readonly collector: boolean;
  readonly verb: SeenVerb;
  readonly subresource: string;
  /** Null for collections, and for a create that lets the API server choose. */
  readonly name: string | null;
  /** Version of the API that it went through; null where the input does not say. */
  readonly apiVersion: string | null;
  readonly body: SeenBody;
  /** Options in the query of the URI, which count where there is no body. */
  readonly query: Readonly<Record<string, string>>;
  readonly code: number;
  /** The object in the answer; null when the answer has none, or was not logged. */
  readonly answer: SeenObject | null;
  readonly answerLogged: boolean;
  readonly message: string;
  /** Microseconds on the clock of the API server. `completed` is infinite if the end is missing. */
  readonly received: number;
  readonly completed: number;
}

/** A change in the store, in the order of resourceVersions. */
export interface SeenChange extends SeenPlace {
  readonly place: Place;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly name: string;
  /** Of a removal: the last stored object, under the resourceVersion of the removal. */
  readonly object: SeenObject;
  /** Facts of a pod that decide on its grace period, where shown. */
  readonly pod: SeenPod | null;
}

export interface SeenPod {
  readonly scheduled: boolean;
  readonly terminationGracePeriodSeconds: number | null;
}

/** A warning event of the collector on a dependent. */
export interface SeenWarning {
  readonly reason: string;
  /** Kind of the object that it is about, in the table of kinds. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What was in the store, before or after. */
export interface SeenFinal extends SeenPlace {
  readonly name: string;
  readonly object: SeenObject;
}

/** One run of a real system. */
export interface Trace {
  /** For messages: the file, and the run within it. */
  readonly name: string;
  readonly kinds: KindTable;
  readonly requests: readonly SeenRequest[];
  /** False where the input has no requests at all, as a watch stream. */
  readonly requestsLogged: boolean;
  /** Null where the input has no watch events: then changes are told from answers alone. */
  readonly changes: readonly SeenChange[] | null;
  /** What was there before the first change, as far as the input says so. */
  readonly initial: readonly SeenFinal[];
  /** Null where the input does not say what was left. */
  readonly final: readonly SeenFinal[] | null;
  readonly warnings: readonly SeenWarning[];
  /** How often the collector may have been restarted. */
  readonly restarts: number;
}
