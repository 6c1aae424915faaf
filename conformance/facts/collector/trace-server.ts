import type { Draft } from 'immer';
import {
  type Answer,
  type ApiServer,
  advanceCall,
  type Call,
  type Cluster,
  type Failure,
  modelApiServer,
  notFound,
  type World,
} from '../../../model/index.ts';
import type { InjectedAnswer } from './run-state.ts';

/**
 * What requests change on the server of a trace.
 *
 * - `deletesAtOnce`: a DELETE removes the object, finalizers or not; a PATCH is applied by the
 *   model.
 * - `unchanged`: nothing. Writes are answered with 200.
 */
export type ServerBehaviour = 'deletesAtOnce' | 'unchanged';

/** An API server for the single-stepped collector. It records the code of each answer. */
export interface TraceServer extends ApiServer {
  readonly codes: number[];
  /** Injected answers that have not been given yet. */
  left(): readonly InjectedAnswer[];
}

export function traceServer(
  behaviour: ServerBehaviour,
  injected: readonly InjectedAnswer[],
): TraceServer {
  const codes: number[] = [];
  let left = injected;
  const take = (verb: InjectedAnswer['verb'], key: string): InjectedAnswer | null => {
    const next = left.find((answer) => answer.verb === verb && answer.key === key);
    if (next === undefined) return null;
    left = left.filter((answer) => answer !== next);
    return next;
  };
  return {
    codes,
    left: () => left,
    get(cluster, world, key) {
      const given = take('get', key);
      const answer =
        given === null || given.answer.code === 200
          ? modelApiServer.get(cluster, world, key)
          : given.answer;
      codes.push(given?.status ?? answer.code);
      return answer;
    },
    advance(cluster, world, call) {
      if (call.verb !== 'delete' && call.verb !== 'update') {
        throw new Error(`the collector does not ${call.verb}`);
      }
      const given = take(call.verb === 'delete' ? 'delete' : 'patch', call.key);
      const answer =
        given === null ? write(behaviour, cluster, world, call, call.key) : asAnswer(given.answer);
      codes.push(given?.status ?? answer.code);
      return { done: true, answer };
    },
  };
}

function asAnswer(given: Failure | { readonly code: 200 }): Answer {
  return given.code === 200 ? { code: 200, deleted: false, object: null } : given;
}

function write(
  behaviour: ServerBehaviour,
  cluster: Draft<Cluster>,
  world: World,
  call: Call,
  key: string,
): Answer {
  if (behaviour === 'unchanged') return { code: 200, deleted: false, object: null };
  if (call.verb === 'delete') {
    if (cluster.store[key] === undefined) return notFound(key);
    delete cluster.store[key];
    return { code: 200, deleted: true, object: null };
  }
  let current: Call = call;
  for (;;) {
    const progress = advanceCall(cluster, world, current);
    if (progress.done) return progress.answer;
    current = progress.call;
  }
}
