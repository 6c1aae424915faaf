import { castDraft } from 'immer';
import { stepDeleteWorker } from '../../collector/delete-worker.ts';
import { beginUnblocking } from '../../collector/item-deletion.ts';
import { isLeaving } from '../../collector/leaving.ts';
import { DEPENDENTS, hasOtherDependents, othersKey } from '../../collector/other-dependents.ts';
import { enqueueForDelete } from '../../collector/queue.ts';
import { workerNames } from '../../state/client-names.ts';
import type { ClusterDraft } from '../../state/cluster.ts';
import { identityIn } from '../../state/instances.ts';
import { identityOfNode } from '../../state/nodes.ts';
import { coordinatesOf, type Identity, type Uid } from '../../state/objects.ts';
import type { DependentsEnd, Setup } from '../../state/setup.ts';
import type { DeleteWorker } from '../../state/workers.ts';
import type { World } from '../../state/world.ts';
import { type ActionDefinition, type Actor, action, orNone } from '../actor.ts';

interface OfOwner {
  readonly [name: string]: string;
  readonly owner: Uid;
}

interface Dependents extends OfOwner {
  readonly which: (typeof DEPENDENTS)[number];
}

/**
 * Dependents that are not objects of the model: `setup.otherDependents`. What they do to the graph
 * of the collector can happen at any time, once they can leave. Mirrors
 * `GraphBuilder.processGraphChanges` (1.20).
 */
export const OTHER_DEPENDENTS: Actor = {
  actions: {
    forgetOtherDependent: action<OfOwner>({
      fairness: 'none',
      about:
        'The graph builder sees that a dependent is gone or has lost its owner. The dependent is not an object of the model.',
      parameters: (setup) => orNone(ownersOf(setup)),
      reducer:
        (setup) =>
        (cluster, { owner }) => {
          if (!hasOtherDependents(cluster, owner) || areAttached(cluster, setup, owner)) return;
          const node = cluster.graph[owner];
          if (node?.beingDeleted === true || node?.virtual === true) {
            enqueueForDelete(cluster, owner);
          }
        },
      describe: ({ names }, { owner }) =>
        `graph builder: another dependent of ${names.uid(owner)} leaves`,
    }),
    recallOwner: action<OfOwner>({
      fairness: 'none',
      about:
        'The graph builder handles an old event of a dependent whose owner has left the graph. The dependent is not an object of the model.',
      parameters: (setup) => orNone(ownersOf(setup)),
      reducer:
        (setup) =>
        (cluster, { owner }) =>
          recall(cluster, setup, owner),
      describe: ({ names }, { owner }) =>
        `graph builder: sees an old event of another dependent of ${names.uid(owner)}`,
    }),
    passOverDependents: action<{ worker: string }>({
      fairness: 'none',
      about:
        'A gc worker finds none of the dependents that are not objects of the model: they have left, and an old event can bring them back.',
      parameters: (setup) =>
        ownersOf(setup).length === 0
          ? null
          : workerNames('delete', setup.deleteWorkers).map((worker) => ({ worker })),
      reducer:
        (setup, world) =>
        (cluster, { worker }) =>
          passOver(cluster, setup, world, worker),
      describe: ({ names }, { worker }) => `${names.client(worker)}: finds no other dependents`,
    }),
    unblockForDependent: action<{ worker: string }>({
      fairness: 'none',
      about:
        'A gc worker finds that a dependent waits for its own dependents, and unblocks the owners. The dependent is not an object of the model.',
      parameters: ({ otherDependents = {}, deleteWorkers }) =>
        Object.values(otherDependents).some(({ waiting }) => waiting)
          ? workerNames('delete', deleteWorkers).map((worker) => ({ worker }))
          : null,
      reducer:
        (setup, world) =>
        (cluster, { worker }) =>
          unblock(cluster, setup, world, worker),
      describe: ({ names }, { worker }) =>
        `${names.client(worker)}: finds that another dependent waits`,
    }),
    forgetLastDependent: lastOne('leave', 'weak'),
    mayForgetLastDependent: lastOne('mayStay', 'none'),
  },
  isIdle: () => true,
  budget: (setup) =>
    Object.fromEntries(
      dependentsOf(setup).map(({ owner, which }) => [othersKey(owner, which), 1] as const),
    ),
};

function ownersOf({ otherDependents = {} }: Setup): readonly OfOwner[] {
  return Object.keys(otherDependents).map((owner) => ({ owner }));
}

/** `addDependentToOwners`: an owner that the graph lacks gets a virtual node. */
function recall(cluster: ClusterDraft, setup: Setup, owner: Uid): void {
  if (!hasOtherDependents(cluster, owner) || cluster.graph[owner] !== undefined) return;
  const identity = identityOf(setup, owner);
  if (identity === null) return;
  cluster.graph[owner] = castDraft({
    identity,
    ...{ virtual: true, beingDeleted: false, deletingDependents: false, owners: [] },
  });
  enqueueForDelete(cluster, owner);
}

/** An owner that is not there is known from the references to it. */
function identityOf(setup: Setup, owner: Uid): Identity | null {
  const stored = setup.objects.find(({ uid }) => uid === owner);
  if (stored !== undefined) return identityIn(setup, stored);
  for (const { ownerReferences, namespace } of setup.objects) {
    const reference = ownerReferences.find(({ uid }) => uid === owner);
    if (reference !== undefined) return coordinatesOf(reference, namespace);
  }
  return null;
}

/** Steps of a worker that look for dependents, and those that they look for. */
const LOOKING: Readonly<Partial<Record<DeleteWorker['at'], readonly Dependents['which'][]>>> = {
  readBlockingDependents: ['blocking'],
  readDependents: DEPENDENTS,
};

function passOver(cluster: ClusterDraft, setup: Setup, world: World, workerName: string): void {
  const worker = cluster.deleteWorkers[workerName];
  const sought = worker === undefined ? undefined : LOOKING[worker.at];
  if (worker === undefined || sought === undefined) return;
  const { uid } = identityOfNode(worker.node);
  const { otherDependents = {} } = setup;
  if (areAttached(cluster, setup, uid)) return;
  const hidden = sought.filter((which) => cluster.budget[othersKey(uid, which)] !== undefined);
  // One that never leaves is always found.
  if (hidden.length === 0 || hidden.some((which) => otherDependents[uid]?.[which] === 'stay'))
    return;
  for (const which of hidden) delete cluster.budget[othersKey(uid, which)];
  stepDeleteWorker(cluster, world, workerName);
  for (const which of hidden) cluster.budget[othersKey(uid, which)] = 1;
}

function unblock(cluster: ClusterDraft, setup: Setup, world: World, workerName: string): void {
  const worker = cluster.deleteWorkers[workerName];
  if (worker?.at !== 'readDependents' || world.rules.cycleBreaking !== 'unblockOwners') return;
  const { uid } = identityOfNode(worker.node);
  if (setup.otherDependents?.[uid]?.waiting !== true || areAttached(cluster, setup, uid)) return;
  if (!hasOtherDependents(cluster, uid)) return;
  const { queuedAs } = worker;
  cluster.deleteWorkers[workerName] = castDraft({
    ...beginUnblocking(cluster, world, workerName, worker),
    ...(queuedAs === undefined ? {} : { queuedAs }),
  });
}

/**
 * All of them are gone for good, and none of their events is left. An owner that waits is queued
 * when a blocking dependent leaves. One that does not block can lose the owner without that.
 */
function lastOne(end: DependentsEnd, fairness: ActionDefinition['fairness']): ActionDefinition {
  return action<Dependents>({
    fairness,
    about:
      end === 'leave'
        ? 'The last of the dependents that are not objects of the model leaves the graph for good.'
        : 'The same, if it ever happens (dependents that may stay).',
    parameters: (setup) =>
      orNone(dependentsOf(setup).filter(({ owner, which }) => endOf(setup, owner, which) === end)),
    reducer:
      (setup) =>
      (cluster, { owner, which }) => {
        const key = othersKey(owner, which);
        if (cluster.budget[key] === undefined || areAttached(cluster, setup, owner)) return;
        delete cluster.budget[key];
        if (which === 'free') return;
        if (cluster.graph[owner]?.deletingDependents === true) enqueueForDelete(cluster, owner);
      },
    describe: ({ names }, { owner }) =>
      `graph builder: the last other dependent of ${names.uid(owner)} leaves`,
  });
}

/** Whether nothing has happened yet that makes these dependents leave. */
function areAttached(cluster: ClusterDraft, setup: Setup, owner: Uid): boolean {
  return setup.otherDependents?.[owner]?.attached === true && !isLeaving(cluster, setup, owner);
}

function dependentsOf({ otherDependents = {} }: Setup): readonly Dependents[] {
  return Object.entries(otherDependents).flatMap(([owner, others]) =>
    DEPENDENTS.flatMap((which) => (others[which] === undefined ? [] : [{ owner, which }])),
  );
}

function endOf({ otherDependents = {} }: Setup, owner: Uid, which: Dependents['which']) {
  return otherDependents[owner]?.[which];
}
