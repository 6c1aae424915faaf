import { castDraft } from 'immer';
import { stepDeleteWorker } from '../../collector/delete-worker.ts';
import { hasOtherDependents, othersKey } from '../../collector/other-dependents.ts';
import { enqueueForDelete } from '../../collector/queue.ts';
import { workerNames } from '../../state/client-names.ts';
import type { ClusterDraft } from '../../state/cluster.ts';
import { identityIn } from '../../state/instances.ts';
import { identityOfNode } from '../../state/nodes.ts';
import type { Uid } from '../../state/objects.ts';
import type { OtherDependents, Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { type ActionDefinition, type Actor, action, orNone } from '../actor.ts';

interface OfOwner {
  readonly [name: string]: string;
  readonly owner: Uid;
}

/**
 * Dependents that are not objects of the model: `setup.otherDependents`. What they do to the graph
 * of the collector can happen at any time. Mirrors `GraphBuilder.processGraphChanges` (1.20).
 */
export const OTHER_DEPENDENTS: Actor = {
  actions: {
    forgetOtherDependent: action<OfOwner>({
      fairness: 'none',
      about:
        'The graph builder sees that a dependent is gone or has lost its owner. The dependent is not an object of the model.',
      parameters: (setup) => orNone(ownersOf(setup)),
      reducer:
        () =>
        (cluster, { owner }) => {
          if (!hasOtherDependents(cluster, owner)) return;
          if (cluster.graph[owner]?.beingDeleted === true) enqueueForDelete(cluster, owner);
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
        (_setup, world) =>
        (cluster, { worker }) =>
          passOver(cluster, world, worker),
      describe: ({ names }, { worker }) => `${names.client(worker)}: finds no other dependents`,
    }),
    forgetLastDependent: lastOne('leave', 'weak'),
    mayForgetLastDependent: lastOne('mayStay', 'none'),
  },
  isIdle: () => true,
  budget: (setup) => Object.fromEntries(ownersOf(setup).map(({ owner }) => [othersKey(owner), 1])),
};

function ownersOf({ otherDependents = {} }: Setup): readonly OfOwner[] {
  return Object.keys(otherDependents).map((owner) => ({ owner }));
}

/** `addDependentToOwners`: an owner that the graph lacks gets a virtual node. */
function recall(cluster: ClusterDraft, setup: Setup, owner: Uid): void {
  if (!hasOtherDependents(cluster, owner) || cluster.graph[owner] !== undefined) return;
  const object = setup.objects.find(({ uid }) => uid === owner);
  if (object === undefined) return;
  cluster.graph[owner] = castDraft({
    identity: identityIn(setup, object),
    ...{ virtual: true, beingDeleted: false, deletingDependents: false, owners: [] },
  });
  enqueueForDelete(cluster, owner);
}

function passOver(cluster: ClusterDraft, world: World, workerName: string): void {
  const worker = cluster.deleteWorkers[workerName];
  if (worker?.at !== 'readBlockingDependents') return;
  const key = othersKey(identityOfNode(worker.node).uid);
  const left = cluster.budget[key];
  if (left === undefined) return;
  delete cluster.budget[key];
  stepDeleteWorker(cluster, world, workerName);
  cluster.budget[key] = left;
}

/** All of them are gone for good, and none of their events is left. */
function lastOne(
  end: OtherDependents['end'],
  fairness: ActionDefinition['fairness'],
): ActionDefinition {
  return action<OfOwner>({
    fairness,
    about:
      end === 'leave'
        ? 'The last of the dependents that are not objects of the model leaves the graph for good.'
        : 'The same, if it ever happens (dependents that may stay).',
    parameters: ({ otherDependents = {} }) =>
      orNone(
        Object.entries(otherDependents).flatMap(([owner, others]) =>
          others.end === end ? [{ owner }] : [],
        ),
      ),
    reducer:
      () =>
      (cluster, { owner }) => {
        if (!hasOtherDependents(cluster, owner)) return;
        delete cluster.budget[othersKey(owner)];
        if (cluster.graph[owner]?.deletingDependents === true) enqueueForDelete(cluster, owner);
      },
    describe: ({ names }, { owner }) =>
      `graph builder: the last other dependent of ${names.uid(owner)} leaves`,
  });
}
