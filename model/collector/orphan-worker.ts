import { castDraft } from 'immer';
import { apiOf } from '../apiserver/port.ts';
import type { UpdateCall } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import { ORPHAN, type Uid } from '../state/objects.ts';
import type { OrphanWorker } from '../state/workers.ts';
import type { World } from '../state/world.ts';
import { advancePatch, ownerPatch } from './delete-requests.ts';
import { removeFinalizerStep } from './finalizer.ts';
import { lookUpItem } from './lookup.ts';
import { countFailure, currentNode, dependentNodes, forgetFailures } from './queue.ts';
import { isObserved } from './synchronous-worker.ts';

/**
 * The orphan workers: `attemptToOrphanWorker` and `orphanDependents` of `garbagecollector.go`
 * (1.20). The patches of the dependents run in parallel: each is a step of its own.
 */

/**
 * A worker takes an item and records the dependents that the graph shows at this moment. If it
 * waits for the controller of the owner, it records them afterwards.
 */
export function takeForOrphan(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  id: NodeId,
): void {
  const queued = cluster.attemptToOrphan[id];
  if (queued === undefined || cluster.orphaning[id] !== undefined) return;
  if (cluster.orphanWorkers[workerName] !== undefined) return;
  delete cluster.attemptToOrphan[id];
  cluster.orphaning[id] = queued;
  const noted = queued === 'current' ? currentNode(cluster, id)?.notedGeneration : undefined;
  cluster.orphanWorkers[workerName] =
    noted === undefined
      ? castDraft(readDependents(cluster, world, workerName, id))
      : { node: id, at: 'awaitGeneration', generation: noted };
}

/** Reads the graph: the worker will release the dependents that it shows at this moment. */
function readDependents(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  id: NodeId,
): OrphanWorker {
  const { uid } = identityOfNode(id);
  const queued = cluster.orphaning[id];
  const dependents =
    queued !== undefined && queued !== 'current'
      ? queued.dependents
      : currentNode(cluster, id) === null
        ? []
        : dependentNodes(cluster, uid);
  const calls: Record<Uid, UpdateCall> = {};
  let failed = false;
  for (const dependent of dependents) {
    const identity = identityOfNode(dependent);
    // A dependent of a kind without a mapping cannot be patched: an error like any other.
    if (lookUpItem(world, identity, cluster).kind !== 'key') failed = true;
    else calls[identity.uid] = ownerPatch(world, workerName, identity, [uid]);
  }
  return afterPatch({ node: id, at: 'patchDependents', calls, failed });
}

/**
 * Checks once whether the controller of the owner has acknowledged the recorded generation
 * (proposal of garbage collection, "Life of a Deployment"). After that the controller creates no
 * more children. Otherwise the item is queued again.
 */
function awaitGeneration(
  cluster: ClusterDraft,
  world: World,
  { node, generation }: Extract<OrphanWorker, { at: 'awaitGeneration' }>,
): OrphanWorker | 'finished' | 'failed' {
  const owner = identityOfNode(node);
  const lookup = lookUpItem(world, owner, cluster);
  if (lookup.kind !== 'key') return 'failed';
  const answer = apiOf(world).get(cluster, world, lookup.key);
  if (answer.code === 404) return 'finished';
  if (answer.code !== 200) return 'failed';
  if (answer.object.uid !== owner.uid) return 'finished';
  return isObserved(world, answer.object, generation) ? { node, at: 'readDependents' } : 'failed';
}

type Patching = Extract<OrphanWorker, { at: 'patchDependents' }>;

/** All patches are answered and none has failed: the finalizer is next. */
function afterPatch(worker: Patching): OrphanWorker {
  if (Object.keys(worker.calls).length > 0 || worker.failed) return worker;
  return { node: worker.node, at: 'getForFinalizer', attempt: 1 };
}

/** The next atomic step of the patch of one dependent. A 404 counts as success. */
export function patchDependent(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  dependent: Uid,
): void {
  const worker = cluster.orphanWorkers[workerName] as OrphanWorker | undefined;
  if (worker === undefined || worker.at !== 'patchDependents') return;
  const call = worker.calls[dependent];
  if (call === undefined) return;
  const progress = advancePatch(cluster, world, call, () => []);
  const calls = Object.fromEntries(
    Object.entries(worker.calls).filter(([uid]) => uid !== dependent),
  );
  if (progress.next !== undefined) {
    const next: OrphanWorker = { ...worker, calls: { ...calls, [dependent]: progress.next } };
    cluster.orphanWorkers[workerName] = castDraft(next);
    return;
  }
  const code = progress.done ? progress.answer.code : 500;
  const bad = code >= 400 && code !== 404;
  const next = afterPatch({ ...worker, calls, failed: worker.failed || bad });
  cluster.orphanWorkers[workerName] = castDraft(next);
}

/** The steps of an orphan worker other than the patches of dependents. */
export function stepOrphanWorker(cluster: ClusterDraft, world: World, workerName: string): void {
  runOrphanStep(cluster, world, workerName);
}

/** Like `stepOrphanWorker`. @returns `busy`, or how the worker has finished its item. */
export function runOrphanStep(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
): 'busy' | 'finished' | 'failed' | null {
  const worker = cluster.orphanWorkers[workerName] as OrphanWorker | undefined;
  if (worker === undefined) return null;
  switch (worker.at) {
    case 'patchDependents':
      if (Object.keys(worker.calls).length > 0) return 'busy';
      release(cluster, world, workerName, worker, true);
      return 'failed';
    case 'awaitGeneration': {
      const outcome = awaitGeneration(cluster, world, worker);
      if (typeof outcome === 'string') {
        release(cluster, world, workerName, worker, outcome === 'failed');
        return outcome;
      }
      cluster.orphanWorkers[workerName] = castDraft(outcome);
      return 'busy';
    }
    case 'readDependents':
      cluster.orphanWorkers[workerName] = castDraft(
        readDependents(cluster, world, workerName, worker.node),
      );
      return 'busy';
    case 'getForFinalizer':
    case 'patchFinalizer': {
      const owner = identityOfNode(worker.node);
      const outcome = removeFinalizerStep(cluster, world, workerName, owner, ORPHAN, worker);
      if (typeof outcome === 'string') {
        release(cluster, world, workerName, worker, outcome === 'failed');
        return outcome;
      }
      cluster.orphanWorkers[workerName] = castDraft({ node: worker.node, ...outcome });
      return 'busy';
    }
    default:
      throw new Error(`unknown worker state ${JSON.stringify(worker satisfies never)}`);
  }
}

/** An error puts the whole item back (`AddRateLimited`). */
function release(
  cluster: ClusterDraft,
  world: World,
  workerName: string,
  worker: OrphanWorker,
  failed: boolean,
): void {
  const held = cluster.orphaning[worker.node];
  delete cluster.orphanWorkers[workerName];
  delete cluster.orphaning[worker.node];
  if (!failed || held === undefined) {
    forgetFailures(cluster, world, 'orphanFailures', worker.node);
    return;
  }
  countFailure(cluster, world, 'orphanFailures', worker.node);
  if (cluster.attemptToOrphan[worker.node] !== undefined) return;
  cluster.attemptToOrphan[worker.node] = held;
}
