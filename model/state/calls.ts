import type {
  ApiObject,
  NamespaceCondition,
  NamespacePhase,
  ObjectKey,
  OwnerReference,
  Uid,
} from './objects.ts';

/** `metav1.DeleteOptions`. A `resourceVersion` precondition demands the object as the client read it. */
export interface DeleteOptions {
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  readonly dryRun?: boolean;
}

export interface Preconditions {
  readonly uid?: Uid;
  /**
   * True: the version that `unchangedSince` has for this client. `outdated`: one that no
   * stored object has any more; only the DELETE handler itself puts it there.
   */
  readonly resourceVersion?: true | 'outdated';
}

/** What an update or patch does to the object as it is when the transaction runs. */
export type Change =
  | { readonly do: 'nothing' }
  /** Something that the model does not keep (labels, data, status): only the resourceVersion moves. */
  | { readonly do: 'touch' }
  /**
   * What a PUT or a patch makes of the metadata; a list that is absent stays. `other`: what else it
   * changes: labels, data or status (`data`), or the spec, which counts as a new generation.
   */
  | {
      readonly do: 'setMetadata';
      readonly finalizers?: readonly string[];
      readonly ownerReferences?: readonly OwnerReference[];
      readonly other: 'same' | 'data' | 'spec';
    }
  | { readonly do: 'setFinalizers'; readonly finalizers: readonly string[] }
  | { readonly do: 'removeFinalizer'; readonly finalizer: string }
  | { readonly do: 'addFinalizer'; readonly finalizer: string }
  | { readonly do: 'setOwnerReferences'; readonly ownerReferences: readonly OwnerReference[] }
  | { readonly do: 'removeOwners'; readonly uids: readonly Uid[] }
  /**
   * Strategic merge of these references by uid: a reference that is there takes over their fields,
   * one that is not there is added at the end.
   */
  | { readonly do: 'unblockOwners'; readonly ownerReferences: readonly OwnerReference[] }
  /** A controller adds this reference to itself, or renews it. */
  | { readonly do: 'adopt'; readonly reference: OwnerReference }
  /** The labels change: selectors match the object again, or no longer. */
  | { readonly do: 'relabel'; readonly matches: boolean }
  /** `spec.replicas`, a new generation. */
  | { readonly do: 'scale'; readonly replicas: number }
  /** The `status` subresource: the controller of the kind has acted on this generation. */
  | { readonly do: 'observeGeneration'; readonly generation: number }
  /** The `status` subresource of a Pod: its containers have ended. */
  | { readonly do: 'finishPod' }
  /** The `status` subresource of a PersistentVolume: its claim has gone. */
  | { readonly do: 'releaseVolume' }
  /** The first pending initializer is done with the object, or rejects it. */
  | { readonly do: 'initialize'; readonly initializer: string; readonly failed: boolean }
  /** The `finalize` subresource of a Namespace: takes `kubernetes` off, or sets the whole list. */
  | { readonly do: 'finalizeNamespace'; readonly specFinalizers?: readonly string[] }
  /** The `status` subresource of a Namespace. */
  | {
      readonly do: 'setNamespaceStatus';
      readonly phase: NamespacePhase;
      readonly conditions: readonly NamespaceCondition[];
    };

/** POST. `at` is absent until admission has let the object through. */
export interface CreateCall {
  readonly verb: 'create';
  readonly client: string;
  readonly object: ApiObject;
  readonly dryRun?: boolean;
  readonly at?: 'write';
}

/**
 * DELETE. `terminate` is the transaction of the storages that are not the generic one (Namespace,
 * CustomResourceDefinition). `removeMarked` removes what the `update` of this very request has
 * marked with grace period 0; that it is gone already is no error then.
 */
export interface DeleteCall {
  readonly verb: 'delete';
  readonly client: string;
  readonly key: ObjectKey;
  readonly options: DeleteOptions;
  /** Version of the API that the request goes through; absent means the preferred one. */
  readonly apiVersion?: string;
  /** It comes from inside the API server, past the handler of custom resources. */
  readonly internal?: true;
  readonly at: 'get' | 'terminate' | 'update' | 'remove' | 'removeMarked';
}

/** DELETE of a collection: a list, then one DELETE after the other. */
export interface DeleteCollectionCall {
  readonly verb: 'deleteCollection';
  readonly client: string;
  /** Name in the table of kinds. */
  readonly kind: string;
  readonly namespace: string;
  /** What the next item starts with. */
  readonly options: DeleteOptions;
  /** Version of the API that the request goes through; absent means the preferred one. */
  readonly apiVersion?: string;
  /** It comes from inside the API server, past the handler of custom resources. */
  readonly internal?: true;
  readonly at: 'list' | 'items';
  /** Empty before the list. */
  readonly remaining: readonly ObjectKey[];
  readonly current: DeleteCall | null;
  /** How many objects the list has shown. */
  readonly listed: number;
}

/** PUT or PATCH. */
export interface UpdateCall {
  readonly verb: 'update';
  readonly client: string;
  readonly key: ObjectKey;
  readonly change: Change;
  /** Uid in the body. Checked; of a PUT also a condition of `remove`. */
  readonly uid: Uid | null;
  readonly put: boolean;
  /** Demand the object as this client read it. */
  readonly resourceVersion: boolean;
  /** Under which name that version was read, where the client holds several. */
  readonly reader?: string;
  /** A PATCH of the type `application/strategic-merge-patch+json`, which not every kind takes. */
  readonly strategicMerge?: true;
  readonly dryRun?: boolean;
  readonly at: 'update' | 'remove';
}

/** A PATCH of the object at this key. @param uid in the body, so that it has to be that object. */
export function patchCall(
  client: string,
  key: ObjectKey,
  change: Change,
  uid: Uid | null = null,
): UpdateCall {
  return {
    verb: 'update',
    client,
    key,
    change,
    uid,
    put: false,
    resourceVersion: false,
    at: 'update',
  };
}

/**
 * A request that the API server works on, with the step that comes next. The handlers are not
 * atomic: `get`, `update` and `remove` are separate steps, anything may happen between them.
 */
export type Call = CreateCall | DeleteCall | DeleteCollectionCall | UpdateCall;

/** A request for one object. */
export type ItemCall = Exclude<Call, DeleteCollectionCall>;

/** The request for one object that this is, or, of a collection, that it is working on. */
export function itemCall(call: Call | null): ItemCall | null {
  return call?.verb === 'deleteCollection' ? call.current : call;
}

/** An answer other than an error. */
export interface Success {
  readonly code: 200 | 201 | 202;
  /** Whether the request has removed the object, the second result of `Store.Delete`. */
  readonly deleted: boolean;
  /** The object as answered; null for collections and where the answer holds none. */
  readonly object: ApiObject | null;
  /** Of a collection: how many objects the list has shown. */
  readonly items?: number;
}

/** `metav1.Status` of an error: code, the reason in Kubernetes' word, and what is wrong. */
export interface Failure {
  readonly code: 403 | 404 | 405 | 409 | 415 | 422 | 429 | 500 | 503 | 504;
  readonly reason:
    | 'Forbidden'
    | 'NotFound'
    | 'MethodNotAllowed'
    | 'Conflict'
    | 'AlreadyExists'
    | 'UnsupportedMediaType'
    | 'Invalid'
    /** Never given by this model; an answer from the outside may be one of these. */
    | 'TooManyRequests'
    | 'InternalError'
    | 'ServiceUnavailable'
    | 'Timeout';
  readonly message: string;
}

export type Answer = Success | Failure;

/** Outcome of one step of a handler: it continues, or it answers. */
export type Progress =
  | { readonly done: false; readonly call: Call }
  | {
      readonly done: true;
      readonly answer: Answer;
      /** Of a DELETE: the options as the handler leaves them, with the grace period worked out. */
      readonly options?: DeleteOptions;
    };
