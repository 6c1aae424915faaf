import type {
  ApiObject,
  NamespaceCondition,
  NamespacePhase,
  ObjectKey,
  OwnerReference,
  PodGrace,
  Uid,
  VolumeBinding,
} from './objects.ts';

/**
 * `metav1.DeleteOptions`. A `resourceVersion` precondition demands the object as the client read
 * it.
 */
export interface DeleteOptions {
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  /** What the user has sent, where that policy leads to the same. Traces show it. */
  readonly sentPolicy?: 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  readonly dryRun?: boolean;
}

export interface Preconditions {
  readonly uid?: Uid;
  /**
   * True: the version that `unchangedSince` records for this client. `outdated`: a version that no
   * stored object has any more. Only the DELETE handler sets it.
   */
  readonly resourceVersion?: true | 'outdated';
}

/** How an update or patch changes the object that it finds when the transaction runs. */
export type Change =
  | { readonly do: 'nothing' }
  /**
   * Changes something that the model does not keep (labels, data, status), so only the
   * resourceVersion moves.
   */
  | { readonly do: 'touch' }
  /**
   * The metadata after a PUT or a patch; an absent list does not change. `other`: what else
   * changes: labels, data or status (`data`), or the spec, which counts as a new generation. The
   * fields of the deletion that a body may carry are immutable; absent ones stay as they are.
   */
  | {
      readonly do: 'setMetadata';
      readonly finalizers?: readonly string[];
      readonly ownerReferences?: readonly OwnerReference[];
      readonly other: 'same' | 'data' | 'spec';
      readonly deletionTimestamp?: number;
      readonly deletionGracePeriodSeconds?: number;
      /** What deletion reads of spec and status, as it is afterwards. Absent: as it is stored. */
      readonly pod?: PodGrace;
      readonly volume?: VolumeBinding;
      readonly observedGeneration?: number;
    }
  | { readonly do: 'setFinalizers'; readonly finalizers: readonly string[] }
  | { readonly do: 'removeFinalizer'; readonly finalizer: string }
  | { readonly do: 'addFinalizer'; readonly finalizer: string }
  | { readonly do: 'setOwnerReferences'; readonly ownerReferences: readonly OwnerReference[] }
  | { readonly do: 'removeOwners'; readonly uids: readonly Uid[] }
  /**
   * Strategic merge of these references by uid: an existing reference takes over their fields, a
   * missing one is added at the end.
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
  /** The `finalize` subresource of a Namespace: removes `kubernetes`, or sets the whole list. */
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
 * DELETE. `terminate` is the transaction of the storages that are not generic (Namespace,
 * CustomResourceDefinition). `removeMarked` removes the object that the `update` of the same
 * request has marked with grace period 0. In that case it is no error if the object is already
 * gone.
 */
export interface DeleteCall {
  readonly verb: 'delete';
  readonly client: string;
  readonly key: ObjectKey;
  readonly options: DeleteOptions;
  /** Version of the API that the request uses. Absent: the preferred version. */
  readonly apiVersion?: string;
  /** The request comes from inside the API server and bypasses the handler of custom resources. */
  readonly internal?: true;
  readonly at: 'get' | 'terminate' | 'update' | 'remove' | 'removeMarked';
  /** The handler has begun again after it had marked the object for removal. */
  readonly marked?: true;
  /** The object on which the removal was decided, if the handler removes only that one. */
  readonly decidedOn?: ApiObject;
}

/** DELETE of a collection: a list, then one DELETE after the other. */
export interface DeleteCollectionCall {
  readonly verb: 'deleteCollection';
  readonly client: string;
  /** Name in the table of kinds. */
  readonly kind: string;
  readonly namespace: string;
  /** The options for the next item. */
  readonly options: DeleteOptions;
  /** Version of the API that the request uses. Absent: the preferred version. */
  readonly apiVersion?: string;
  /** The request comes from inside the API server and bypasses the handler of custom resources. */
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
  /** Uid in the body. It is checked, and for a PUT it is also a condition of `remove`. */
  readonly uid: Uid | null;
  readonly put: boolean;
  /** Whether the request demands the object as this client read it. */
  readonly resourceVersion: boolean;
  /** The name under which that version was read, if the client holds several. */
  readonly reader?: string;
  /**
   * A PATCH of the type `application/strategic-merge-patch+json`, which not every kind supports.
   */
  readonly strategicMerge?: true;
  readonly dryRun?: boolean;
  readonly at: 'update' | 'remove';
  /** The object on which the removal was decided, if the handler removes only that one. */
  readonly decidedOn?: ApiObject;
}

/**
 * A PATCH of the object at this key. @param uid in the body; the PATCH fails for an object with
 * another uid.
 */
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
 * A request that the API server works on, with its next step. The handlers are not atomic: `get`,
 * `update` and `remove` are separate steps, and anything can happen between them.
 */
export type Call = CreateCall | DeleteCall | DeleteCollectionCall | UpdateCall;

/** A request for one object. */
export type ItemCall = Exclude<Call, DeleteCollectionCall>;

/**
 * The request for one object: the request itself or, for a collection, the one that it is working
 * on.
 */
export function itemCall(call: Call | null): ItemCall | null {
  return call?.verb === 'deleteCollection' ? call.current : call;
}

/** An answer that is not an error. */
export interface Success {
  readonly code: 200 | 201 | 202;
  /** Whether the request has removed the object: the second result of `Store.Delete`. */
  readonly deleted: boolean;
  /** The object in the answer. Null for collections, and if the answer contains no object. */
  readonly object: ApiObject | null;
  /** Collections only: how many objects the list has shown. */
  readonly items?: number;
}

/** `metav1.Status` of an error: code, reason in Kubernetes' terms, and message. */
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
    /** This model never gives this answer. Answers from outside can have it. */
    | 'TooManyRequests'
    | 'InternalError'
    | 'ServiceUnavailable'
    | 'Timeout';
  readonly message: string;
}

export type Answer = Success | Failure;

/** Outcome of one step of a handler: the request continues, or it is answered. */
export type Progress =
  | { readonly done: false; readonly call: Call }
  | {
      readonly done: true;
      readonly answer: Answer;
      /** DELETE only: the options as the handler leaves them, with the resulting grace period. */
      readonly options?: DeleteOptions;
    };
