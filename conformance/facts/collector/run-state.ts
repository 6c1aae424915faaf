import {
  type ApiObject,
  type Cluster,
  type CollectorRequest,
  type CollectorWarning,
  EMPTY_CLUSTER,
  type Failure,
  keyOf,
  type NodeId,
  type ObjectKey,
} from '../../../model/index.ts';

/** A request that a worker sent, with the code of its answer. */
export interface AnsweredRequest {
  readonly request: CollectorRequest;
  readonly code: number;
}

/** An answer to the next request with this verb for this object. It is given once. */
export interface InjectedAnswer {
  readonly verb: 'get' | 'delete' | 'patch';
  readonly key: ObjectKey;
  readonly answer: Failure | { readonly code: 200 };
  /** The status as the case states it; the model may have another code for the answer. */
  readonly status: number;
}

/** The state of the single-stepped collector. */
export interface RunState {
  readonly cluster: Cluster;
  /**
   * The event queue. Kubernetes has one queue; the model has a stream for each kind and a set of
   * the delete events that the collector makes itself. Here all events are in one queue, in the
   * order in which they were made, duplicates included. The model's set holds an event only while
   * it is handled.
   */
  readonly eventQueue: readonly QueuedEvent[];
  readonly injected: readonly InjectedAnswer[];
  /** Since the last comparison, in order. */
  readonly requests: readonly AnsweredRequest[];
  /** Before the last comparison, in order. */
  readonly earlierRequests: readonly AnsweredRequest[];
  readonly warnings: readonly CollectorWarning[];
  /** How the last attempt of a delete or orphan worker ended. */
  readonly lastError: string | null;
}

/**
 * The stream of the model that holds the event, or the node that a virtual delete event is about.
 */
export type QueuedEvent = { readonly stream: string } | { readonly virtual: NodeId };

export function startRun(objects: readonly ApiObject[] = [], cluster = EMPTY_CLUSTER): RunState {
  const store = Object.fromEntries(objects.map((object) => [keyOf(object), object]));
  return {
    cluster: { ...cluster, store: { ...cluster.store, ...store } },
    eventQueue: [],
    injected: [],
    requests: [],
    earlierRequests: [],
    warnings: [],
    lastError: null,
  };
}

export function withStored(state: RunState, objects: readonly ApiObject[]): RunState {
  const { cluster } = state;
  return { ...state, cluster: startRun(objects, cluster).cluster };
}

export function withoutStored(state: RunState, key: ObjectKey): RunState {
  const { [key]: _, ...store } = state.cluster.store;
  return { ...state, cluster: { ...state.cluster, store } };
}
