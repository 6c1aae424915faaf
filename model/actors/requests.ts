import { castDraft } from 'immer';
import { advanceCall } from '../apiserver/handle.ts';
import type { Answer, Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import type { World } from '../state/world.ts';

/**
 * What most controllers do: look, decide, send a request or a few and wait for the answers. An
 * errand is what has been decided on; anything may happen before it is sent.
 */
export interface Errand {
  readonly role: 'errand';
  readonly call: Call;
  /** What is sent after it, unless it fails; absent: nothing. */
  readonly then?: readonly Call[];
}

/** The request that this client sends next, or has in flight. */
export function errandOf(cluster: Cluster | ClusterDraft, client: string): Call | null {
  const controller = cluster.controllers[client];
  return controller?.role === 'errand' ? (controller.call as Call) : null;
}

/** The client has decided on these requests. */
export function decide(cluster: ClusterDraft, client: string, ...calls: readonly Call[]): void {
  const [call, ...then] = calls;
  if (call === undefined) return;
  const errand: Errand = { role: 'errand', call, ...(then.length === 0 ? {} : { then }) };
  cluster.controllers[client] = castDraft(errand);
}

/**
 * The API server does the next step of the request that was decided on. With the last answer, or
 * an error, the client is idle again, and what it had read counts no more.
 */
export function goOnErrand(cluster: ClusterDraft, world: World, client: string): Answer | null {
  const errand = cluster.controllers[client];
  if (errand?.role !== 'errand') return null;
  const { call, then = [] } = errand as Errand;
  const progress = advanceCall(cluster, world, call);
  if (!progress.done) {
    decide(cluster, client, progress.call, ...then);
    return null;
  }
  delete cluster.controllers[client];
  delete cluster.unchangedSince[client];
  if (progress.answer.code < 400) decide(cluster, client, ...then);
  return progress.answer;
}
