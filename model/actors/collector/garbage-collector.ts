import { receivesEvents, streamOf } from '../../apiserver/store.ts';
import { knowsAbsent } from '../../collector/absent-owners.ts';
import { stepDeleteWorker, takeForDelete } from '../../collector/delete-worker.ts';
import { lookUpOwner, refreshedNode, servedKind } from '../../collector/lookup.ts';
import { areWorkersPaused, hasMonitors } from '../../collector/monitors.ts';
import { patchDependent, stepOrphanWorker, takeForOrphan } from '../../collector/orphan-worker.ts';
import { deliver, deliverVirtualDelete, nextEvent } from '../../collector/watch.ts';
import { workerNames } from '../../state/client-names.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { instancesOf } from '../../state/instances.ts';
import { isWatched } from '../../state/kinds.ts';
import { identityOfNode, type NodeId } from '../../state/nodes.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  objectKey,
  type Uid,
} from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import type { Reading } from '../../words/context.ts';
import { describeEvent } from '../../words/events.ts';
import { type ActionDefinition, type Actor, action } from '../actor.ts';
import {
  deleteWorkerBeliefs,
  dependentsBeliefs,
  observedBeliefs,
  orphanWorkerBeliefs,
} from './beliefs.ts';
import {
  describeDeleteStep,
  describeOrphanStep,
  describeOrphanTake,
  describeTake,
} from './worker-words.ts';

/**
 * The garbage collector (`pkg/controller/garbagecollector`): its graph builder and the workers of
 * its two queues. Some versions have more actions: `SYNCHRONOUS_COLLECTION`, `DISCOVERY`.
 */
export const GARBAGE_COLLECTOR: Actor = {
  actions: {
    deliver: action<{ kind: string }>({
      fairness: 'weak',
      about: 'A watch event of one kind reaches the graph builder.',
      parameters: (setup, world) => {
        const watched = instancesOf(setup).kinds.filter((kind) => isWatched(setup, kind));
        const streams = new Set(watched.map((kind) => streamOf(world, kind)));
        return [...streams].map((kind) => ({ kind }));
      },
      candidates: (_setup, _world, { watch }) =>
        Object.keys(watch).flatMap((kind) => (watch[kind]?.length === 0 ? [] : [{ kind }])),
      reducer:
        (_setup, world) =>
        (cluster, { kind }) =>
          deliver(cluster, world, kind),
      describe: ({ names }, { kind }, before) =>
        `graph builder: sees ${describeEvent(names, nextEvent(before.watch[kind] ?? [])?.event ?? undefined)}`,
      beliefs: observedBeliefs,
    }),
    deliverVirtualDelete: action<{ node: NodeId }>({
      fairness: 'weak',
      about:
        'The graph builder handles a delete event that the collector has made itself, for any node.',
      parameters: (setup) => instancesOf(setup).nodes.map((node) => ({ node })),
      candidates: (_setup, _world, { graphChanges }) =>
        Object.keys(graphChanges).map((node) => ({ node })),
      reducer:
        (_setup, world) =>
        (cluster, { node }) =>
          deliverVirtualDelete(cluster, world, node),
      describe: ({ names }, { node }) =>
        `graph builder: handles the collector's own DELETED ${names.node(node)}`,
    }),
    takeForDelete: take('delete', {
      about: 'An idle delete worker takes an item from attemptToDelete.',
      reducer: (_setup, world) => {
        const isPaused = pauseIn(world);
        return (cluster, { worker, node }) => {
          if (cluster.attemptToDelete[node] === undefined || isPaused(cluster)) return;
          if (isFirstIdle(cluster.deleteWorkers, worker)) {
            takeForDelete(cluster, world, worker, node);
          }
        };
      },
      describe: ({ names }, { worker, node }, before, after) =>
        `${names.client(worker)}: ${describeTake(names, before, after, worker, node)}`,
    }),
    attemptToDelete: action<{ worker: string }>({
      fairness: 'weak',
      about: 'A delete worker does its next step: one API call or one read of the graph.',
      parameters: ({ deleteWorkers }) =>
        workerNames('delete', deleteWorkers).map((worker) => ({ worker })),
      candidates: (_setup, _world, { deleteWorkers }) => busyWorkers(deleteWorkers),
      reducer:
        (_setup, world) =>
        (cluster, { worker }) =>
          stepDeleteWorker(cluster, world, worker),
      request: (_setup, before, { worker }) => callOfDeleteWorker(before, worker),
      continued: (after, { worker }) => callOfDeleteWorker(after, worker),
      describe: ({ names, world }, { worker }, before, after) =>
        `${names.client(worker)}: ${describeDeleteStep(names, world, before, after, worker)}`,
      beliefs: (context, { worker }, before) =>
        deleteWorkerBeliefs(context, before, before.deleteWorkers[worker]),
    }),
    takeForOrphan: take('orphan', {
      about: 'An idle orphan worker takes an item from attemptToOrphan.',
      reducer: (_setup, world) => {
        const isPaused = pauseIn(world);
        return (cluster, { worker, node }) => {
          if (cluster.attemptToOrphan[node] === undefined || isPaused(cluster)) return;
          if (isFirstIdle(cluster.orphanWorkers, worker)) {
            takeForOrphan(cluster, world, worker, node);
          }
        };
      },
      describe: ({ names }, { worker, node }, _before, after) =>
        `${names.client(worker)}: ${describeOrphanTake(names, after, worker, node)}`,
      beliefs: (context, { worker, node }, before, after) =>
        after.orphanWorkers[worker]?.at === 'awaitGeneration'
          ? []
          : dependentsBeliefs(context, before, node),
    }),
    orphanDependent: action<{ worker: string; dependent: Uid }>({
      fairness: 'weak',
      about: 'An orphan worker removes the reference to its owner from one dependent with a PATCH.',
      parameters: (setup) =>
        workerNames('orphan', setup.orphanWorkers).flatMap((worker) =>
          instancesOf(setup).uids.map((dependent) => ({ worker, dependent })),
        ),
      candidates: (_setup, _world, { orphanWorkers }) =>
        Object.entries(orphanWorkers).flatMap(([worker, state]) =>
          state.at === 'patchDependents'
            ? Object.keys(state.calls).map((dependent) => ({ worker, dependent }))
            : [],
        ),
      reducer:
        (_setup, world) =>
        (cluster, { worker, dependent }) =>
          patchDependent(cluster, world, worker, dependent),
      request: (_setup, before, parameters) => patchOfDependent(before, parameters),
      continued: patchOfDependent,
      describe: ({ names }, { worker, dependent }) =>
        `${names.client(worker)}: works on ${names.uid(dependent)}`,
    }),
    attemptToOrphan: action<{ worker: string }>({
      fairness: 'weak',
      about: 'An orphan worker does its next step.',
      parameters: ({ orphanWorkers }) =>
        workerNames('orphan', orphanWorkers).map((worker) => ({ worker })),
      candidates: (_setup, _world, { orphanWorkers }) => busyWorkers(orphanWorkers),
      reducer:
        (_setup, world) =>
        (cluster, { worker }) =>
          stepOrphanWorker(cluster, world, worker),
      request: (_setup, before, { worker }) => callOfOrphanWorker(before, worker),
      continued: (after, { worker }) => callOfOrphanWorker(after, worker),
      describe: ({ names }, { worker }, before, after) =>
        `${names.client(worker)}: ${describeOrphanStep(names, before, after, worker)}`,
      beliefs: (context, { worker }, before) =>
        orphanWorkerBeliefs(context, before, before.orphanWorkers[worker]),
    }),
  },
  isIdle: (setup, cluster) =>
    Object.keys(cluster.deleteWorkers).length === 0 &&
    Object.keys(cluster.orphanWorkers).length === 0 &&
    Object.keys(cluster.attemptToOrphan).length === 0 &&
    (cluster.stopped.controllers !== undefined ||
      Object.values(cluster.watch).every((queue) => queue.length === 0)) &&
    Object.keys(cluster.graphChanges).length === 0 &&
    Object.keys(cluster.attemptToDelete).every((id) => failsAgain(setup, cluster, id)),
};

interface Taking {
  readonly [name: string]: string;
  readonly worker: string;
  readonly node: NodeId;
}

/**
 * An idle worker takes an item. The work queue is first in, first out, so no item waits forever.
 */
function take(
  role: 'delete' | 'orphan',
  definition: Pick<ActionDefinition<Taking>, 'about' | 'reducer' | 'describe' | 'beliefs'>,
): ActionDefinition {
  const workers = role === 'delete' ? 'deleteWorkers' : 'orphanWorkers';
  return action<Taking>({
    ...definition,
    fairness: 'strong',
    parameters: (setup) =>
      workerNames(role, setup[workers]).flatMap((worker) =>
        instancesOf(setup).nodes.map((node) => ({ worker, node })),
      ),
    candidates: (setup, _world, cluster, { queued }) => {
      const queue = role === 'delete' ? 'attemptToDelete' : 'attemptToOrphan';
      const worker = workerNames(role, setup[workers]).find(
        (name) => cluster[workers][name] === undefined,
      );
      return worker === undefined ? [] : takings(worker, queued(queue));
    },
    obstacle: (_context, { worker }, _cluster, reading, words) =>
      isOfOtherWorker(worker, reading) && reading.value === undefined
        ? `${words} and takes what there is first`
        : words,
  });
}

function* takings(worker: string, queue: Iterable<NodeId>): Iterable<Taking> {
  for (const node of queue) yield { worker, node };
}

function busyWorkers(busy: Readonly<Record<string, unknown>>): readonly { worker: string }[] {
  return Object.keys(busy).map((worker) => ({ worker }));
}

function isOfOtherWorker(worker: string, { path: [part, other] }: Reading): boolean {
  return (part === 'deleteWorkers' || part === 'orphanWorkers') && other !== worker;
}

/**
 * Workers are interchangeable, so only the first idle one takes an item. A run with another choice
 * is the same run with the workers renamed.
 */
function isFirstIdle(busy: Readonly<Record<string, unknown>>, worker: string): boolean {
  const [role, number] = worker.split('-');
  for (let index = 1; index < Number(number); index++) {
    // What the others do does not matter, so only whether they do something is read.
    if (!Object.hasOwn(busy, `${role}-${index}`)) return false;
  }
  return true;
}

function pauseIn(world: World): (cluster: ClusterDraft) => boolean {
  return (cluster) => hasMonitors(world) && areWorkersPaused(cluster, world);
}

function callOfDeleteWorker(cluster: Cluster, worker: string) {
  const state = cluster.deleteWorkers[worker];
  return state !== undefined && 'call' in state ? state.call : null;
}

function callOfOrphanWorker(cluster: Cluster, worker: string) {
  const state = cluster.orphanWorkers[worker];
  return state?.at === 'patchFinalizer' ? state.call : null;
}

function patchOfDependent(
  cluster: Cluster,
  { worker, dependent }: { readonly worker: string; readonly dependent: Uid },
) {
  const state = cluster.orphanWorkers[worker];
  return state?.at === 'patchDependents' ? (state.calls[dependent] ?? null) : null;
}

/**
 * Whether an item is queued again without a change until something else changes. Either discovery
 * does not know a kind: that of the item, or that of an owner while all owners before it are stored
 * or known to be absent. Or the collector does not watch the kind of the item, so no event ever
 * confirms its virtual node.
 */
function failsAgain(setup: Setup, cluster: Cluster, id: NodeId): boolean {
  const { apiVersion, kind, namespace, name, uid } = identityOfNode(
    refreshedNode(cluster, setup, id),
  );
  const world = { ...setup, absentOwnerCapacity: Number.POSITIVE_INFINITY };
  const served = servedKind(world, cluster, apiVersion, kind);
  if (served === null) return true;
  const object = cluster.store[objectKey(served.name, served.namespaced ? namespace : '', name)];
  const node = cluster.graph[uid];
  if (object?.uid !== uid || node === undefined || node.beingDeleted) return false;
  let dangling = false;
  for (const reference of object.ownerReferences) {
    if (knowsAbsent(cluster, world, reference, namespace)) {
      dangling = true;
      continue;
    }
    const owner = lookUpOwner(world, reference, namespace, cluster);
    if (owner.kind === 'unmapped') return true;
    if (owner.kind !== 'key' || cluster.store[owner.key]?.uid !== reference.uid) return false;
    if (waitsForDependents(cluster.store[owner.key])) return false;
  }
  if (dangling || !node.virtual) return false;
  return !(isWatched(setup, served.name) && receivesEvents(cluster, served.name));
}

function waitsForDependents(owner: ApiObject | undefined): boolean {
  return owner !== undefined && isBeingDeleted(owner) && owner.finalizers.includes(FOREGROUND);
}
