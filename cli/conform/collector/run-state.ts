import type { Failure } from '../../../model/apiserver/call.ts';
import type { CollectorRequest } from '../../../model/collector/requests.ts';
import type { ApiObject, ObjectKey } from '../../../model/objects.ts';
import { type Cluster, EMPTY_CLUSTER } from '../../../model/state.ts';
import type { CollectorWarning } from '../../../model/world.ts';

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
   * Names of the streams of the model that hold the waiting items of the event queue, in the order
   * of that queue. Kubernetes has one queue; the model keeps one stream for each kind and one for
   * the delete events that the collector makes itself.
   */
  readonly eventQueue: readonly string[];
  readonly injected: readonly InjectedAnswer[];
  /** Since the last comparison, in order. */
  readonly requests: readonly AnsweredRequest[];
  readonly warnings: readonly CollectorWarning[];
  /** How the last attempt of a delete or orphan worker ended. */
  readonly lastError: string | null;
}

export const VIRTUAL_STREAM = 'virtual';

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
