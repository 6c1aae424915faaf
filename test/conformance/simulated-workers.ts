import { produce } from 'immer';
import { stepDeleteWorker, takeForDelete } from '../../model/collector/delete-worker.ts';
import {
  patchDependent,
  stepOrphanWorker,
  takeForOrphan,
} from '../../model/collector/orphan-worker.ts';
import { type CollectorRequest, requestOf } from '../../model/collector/requests.ts';
import type { Answer, Call } from '../../model/state/calls.ts';
import { workerNames } from '../../model/state/client-names.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiServer, World } from '../../model/state/world.ts';
import type { SimulatedAnswer } from './simulated-requests.ts';

/** The collector's workers in simulated runs: what they send, and how they handle answers. */

/** A place from which the collector sends one request at a time. */
export interface Post {
  readonly name: string;
  readonly role: 'delete' | 'orphan';
  readonly worker: string;
  readonly dependent: string | null;
}

export function postsOf({ deleteWorkers, orphanWorkers }: Cluster): readonly Post[] {
  const found: Post[] = Object.keys(deleteWorkers).map((worker) => ({
    name: worker,
    role: 'delete',
    worker,
    dependent: null,
  }));
  for (const [worker, state] of Object.entries(orphanWorkers)) {
    const calls = state.at === 'patchDependents' ? Object.keys(state.calls) : [];
    for (const dependent of calls.length === 0 ? [null] : calls) {
      const name = `${worker} ${dependent ?? ''}`;
      found.push({ name, role: 'orphan', worker, dependent });
    }
  }
  return found;
}

/** Ways in which an idle worker takes an item. */
export function takings(
  cluster: Cluster,
  world: World,
  workers: { readonly delete: number; readonly orphan: number },
): readonly { readonly what: string; readonly after: () => Cluster }[] {
  const idle = (role: 'delete' | 'orphan', busy: object): string | undefined =>
    workerNames(role, workers[role]).find((name) => !(name in busy));
  const deleter = idle('delete', cluster.deleteWorkers);
  const orphaner = idle('orphan', cluster.orphanWorkers);
  const found: { readonly what: string; readonly after: () => Cluster }[] = [];
  for (const node of Object.keys(cluster.attemptToDelete)) {
    if (deleter === undefined || cluster.processing[node] !== undefined) continue;
    found.push({
      what: `${deleter} takes ${node}`,
      after: () => produce(cluster, (draft) => takeForDelete(draft, world, deleter, node)),
    });
  }
  for (const node of Object.keys(cluster.attemptToOrphan)) {
    if (orphaner === undefined || cluster.orphaning[node] !== undefined) continue;
    found.push({
      what: `${orphaner} takes ${node}`,
      after: () => produce(cluster, (draft) => takeForOrphan(draft, world, orphaner, node)),
    });
  }
  return found;
}

/** The request that a worker is about to send, or null if it reads the collector's memory next. */
export interface Standing {
  readonly at: string;
  readonly request: CollectorRequest | null;
  readonly call: Call | null;
}

/**
 * @param bound the worker has looked up the owner in the memory and not found it there.
 */
export function standingOf(
  world: World,
  cluster: Cluster,
  { role, worker, dependent }: Post,
  bound: boolean,
): Standing | null {
  const state = (role === 'delete' ? cluster.deleteWorkers : cluster.orphanWorkers)[worker];
  if (state === undefined) return null;
  const memory = bound ? { ...cluster, absentOwners: {} } : cluster;
  const request = requestOf(world, memory, state, dependent ?? undefined);
  if (state.at === 'patchDependents') {
    return { at: state.at, request, call: state.calls[dependent ?? ''] ?? null };
  }
  return { at: state.at, request, call: 'call' in state ? state.call : null };
}

/** The worker handles an answer, or reads the collector's memory. */
export function stepped(
  cluster: Cluster,
  plain: World,
  { role, worker, dependent }: Post,
  answer: SimulatedAnswer | null,
): Cluster {
  const world = answer === null ? plain : { ...plain, api: apiThatAnswers(answer) };
  return produce(cluster, (draft) => {
    const { absentOwners } = draft;
    // A worker that sent a GET has read the memory before.
    if (answer !== null) draft.absentOwners = {};
    if (role === 'delete') stepDeleteWorker(draft, world, worker);
    else if (dependent !== null) patchDependent(draft, world, worker, dependent);
    else stepOrphanWorker(draft, world, worker);
    if (answer !== null) draft.absentOwners = { ...absentOwners, ...draft.absentOwners };
    draft.unchangedSince = {};
  });
}

function apiThatAnswers({ code, object }: SimulatedAnswer): ApiServer {
  const reasons = {
    404: 'NotFound',
    409: 'Conflict',
    415: 'UnsupportedMediaType',
    422: 'Invalid',
  } as const;
  const reason = reasons[code as 404] ?? 'InternalError';
  const failed = { code: code as 404, reason, message: '' } as const;
  const answer: Answer =
    code >= 400 ? failed : { code: code as 200, deleted: object === null, object };
  return {
    get: () => (object === null ? failed : { code: 200, object }),
    advance: () => ({ done: true, answer }),
  };
}
