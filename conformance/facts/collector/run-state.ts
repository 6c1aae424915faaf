import {
  type ApiObject,
  type Cluster,
  type CollectorRequest,
  type CollectorWarning,
  EMPTY_CLUSTER,
  type Failure,
  type NodeId,
  type ObjectKey,
} from '../../../model/index.ts';

/** A request that a worker has sent, with the code of its answer. */
export interface AnsweredRequest {
  readonly request: CollectorRequest;
  readonly code: number;
}

/** An answer that is given once to the next request of that verb to that object. */
export interface InjectedAnswer {
  readonly verb: 'get' | 'delete' | 'patch';
  readonly key: ObjectKey;
  readonly answer: Failure | { readonly code: 200 };
  /** The status as it was given; the model may know the answer under another one. */
  readonly status: number;
}

/** How far the single-stepped collector has come. */
export interface RunState {
  readonly cluster: Cluster;
  /**
   * The event queue. Kubernetes has one; the model keeps a stream for each kind and a set of the
   * delete events that the collector makes itself. These are kept here instead, in the order in which
   * they were made and as often: the set of the model has each while it is handled.
   */
  readonly eventQueue: readonly QueuedEvent[];
  readonly injected: readonly InjectedAnswer[];
  /** Since the last comparison, in order. */
  readonly requests: readonly AnsweredRequest[];
  readonly warnings: readonly CollectorWarning[];
  /** How the last attempt of a delete or orphan worker ended. */
  readonly lastError: string | null;
}

/** The stream of the model that holds the event, or the node object that is said to be gone. */
export type QueuedEvent = { readonly stream: string } | { readonly virtual: NodeId };

export function startRun(objects: readonly ApiObject[] = [], cluster = EMPTY_CLUSTER): RunState {
  const store = Object.fromEntries(
    objects.map((object) => [`${object.kind}/${object.namespace}/${object.name}`, object]),
  );
  return {
    cluster: { ...cluster, store: { ...cluster.store, ...store } },
    eventQueue: [],
    injected: [],
    requests: [],
    warnings: [],
    lastError: null,
  };
}
