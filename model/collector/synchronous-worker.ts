import { castDraft } from 'immer';
import { apiOf } from '../apiserver/port.ts';
import { rememberRead } from '../apiserver/store.ts';
import type { UpdateCall } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { kindNamed } from '../state/kinds.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import { type ApiObject, FOREGROUND, type Identity } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { lookUpItem } from './lookup.ts';
import { currentNode, enqueueForDelete, enqueueForSynchronousDeletion } from './queue.ts';

/**
 * The routine `GCFinalizer` of the proposal of synchronous garbage collection, one API call or one
 * read of the graph in each step. It lets an owner go once all of its dependents are gone. There is
 * one such routine.
 */
export type SynchronousWorker =
  | { readonly node: NodeId; readonly at: 'getItem' }
  | { readonly node: NodeId; readonly at: 'readDependents'; readonly finalizers: readonly string[] }
  | { readonly node: NodeId; readonly at: 'putFinalizers'; readonly call: UpdateCall };

export const SYNCHRONOUS_WORKER = 'synchronous-1';

/**
 * The routine takes an item. It ignores the item unless the graph has it and shows that its
 * deletion is in progress.
 */
export function takeForSynchronousDeletion(cluster: ClusterDraft, id: NodeId): void {
  if (cluster.synchronousDeletion[id] === undefined) return;
  if (cluster.synchronousWorkers[SYNCHRONOUS_WORKER] !== undefined) return;
  delete cluster.synchronousDeletion[id];
  if (currentNode(cluster, id)?.deletingDependents !== true) return;
  cluster.synchronousWorkers[SYNCHRONOUS_WORKER] = { node: id, at: 'getItem' };
}

/** The next atomic step of the routine. Null ends the work on an item; `again` puts it back. */
export function stepSynchronousWorker(cluster: ClusterDraft, world: World): void {
  const worker = cluster.synchronousWorkers[SYNCHRONOUS_WORKER] as SynchronousWorker | undefined;
  if (worker === undefined) return;
  const outcome = step(cluster, world, worker, identityOfNode(worker.node));
  if (typeof outcome === 'object' && outcome !== null) {
    cluster.synchronousWorkers[SYNCHRONOUS_WORKER] = castDraft(outcome);
    return;
  }
  delete cluster.synchronousWorkers[SYNCHRONOUS_WORKER];
  delete cluster.unchangedSince[SYNCHRONOUS_WORKER];
  if (outcome === 'again') enqueueForSynchronousDeletion(cluster, identityOfNode(worker.node).uid);
}

type Outcome = SynchronousWorker | 'again' | null;

function step(
  cluster: ClusterDraft,
  world: World,
  worker: SynchronousWorker,
  item: Identity,
): Outcome {
  switch (worker.at) {
    case 'getItem':
      return getItem(cluster, world, worker.node, item);
    case 'readDependents':
      return readDependents(cluster, world, worker, item);
    case 'putFinalizers': {
      const progress = apiOf(world).advance(cluster, world, worker.call);
      if (progress.done) {
        const { code } = progress.answer;
        return code < 400 || code === 404 ? null : 'again';
      }
      if (progress.call.verb !== 'update') throw new Error('a PUT continued as another request');
      return { ...worker, call: progress.call };
    }
    default:
      throw new Error(`unknown step ${JSON.stringify(worker satisfies never)}`);
  }
}

/** GET of the item. The item is queued again until its controller has observed its deletion. */
function getItem(cluster: ClusterDraft, world: World, node: NodeId, item: Identity): Outcome {
  const lookup = lookUpItem(world, item, cluster);
  if (lookup.kind !== 'key') return 'again';
  const answer = apiOf(world).get(cluster, world, lookup.key);
  if (answer.code === 404) return null;
  if (answer.code !== 200) return 'again';
  const { object } = answer;
  if (object.uid !== item.uid || !object.finalizers.includes(FOREGROUND)) return null;
  if (!isObserved(world, object)) return 'again';
  rememberRead(cluster, SYNCHRONOUS_WORKER, lookup.key);
  return { node, at: 'readDependents', finalizers: object.finalizers };
}

/** `observedGeneration >= generation`. The routine does not wait for kinds without these fields. */
export function isObserved(
  world: World,
  object: ApiObject,
  generation = object.generation,
): boolean {
  if (world.rules.observedGeneration === 'ignored') return true;
  if (kindNamed(world.kinds, object.kind).observesGeneration !== true) return true;
  return (object.observedGeneration ?? 0) >= generation;
}

/**
 * Without dependents the finalizer is removed. Otherwise dependents that are not queued yet are
 * queued.
 */
function readDependents(
  cluster: ClusterDraft,
  world: World,
  { node: id, finalizers }: Extract<SynchronousWorker, { at: 'readDependents' }>,
  item: Identity,
): Outcome {
  const node = cluster.graph[item.uid];
  const dependents = cluster.dependents[item.uid] ?? [];
  if (node === undefined) return null;
  if (dependents.length === 0) {
    const lookup = lookUpItem(world, item, cluster);
    if (lookup.kind !== 'key') return 'again';
    const call: UpdateCall = {
      verb: 'update',
      client: SYNCHRONOUS_WORKER,
      key: lookup.key,
      change: {
        do: 'setFinalizers',
        finalizers: finalizers.filter((name) => name !== FOREGROUND),
      },
      uid: item.uid,
      put: true,
      resourceVersion: true,
      at: 'update',
    };
    return { node: id, at: 'putFinalizers', call };
  }
  const queued = node.queuedDependents ?? [];
  for (const dependent of dependents) {
    if (!queued.includes(dependent)) enqueueForDelete(cluster, dependent);
  }
  node.queuedDependents = [...dependents];
  return null;
}
