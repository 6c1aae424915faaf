import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  collectorActions,
  FOREGROUND,
  identityOfNode,
  isBeingDeleted,
  type NodeId,
  objectKey,
  resolveKind,
  type Setup,
  SYNCHRONOUS_WORKER,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import {
  deleting,
  nameOf,
  type Relations,
  relationsOf,
  stored,
  whichKeys,
  whichObjects,
  whyStillThere,
} from '../relations.ts';
import { ownersText } from '../values.ts';

/** The stored object of a node, or null. */
function storedNode(setup: Setup, cluster: Cluster, node: NodeId): ApiObject | null {
  const { apiVersion, kind, namespace, name, uid } = identityOfNode(node);
  const table = resolveKind(setup.kinds, apiVersion, kind);
  if (table === null) return null;
  return stored(cluster, { key: objectKey(table.name, namespace, name), uid });
}

/**
 * The owner for which a delete worker has just found that nothing blocks it. After a conflict, a
 * worker comes back to the same point without a new decision.
 */
function foundUnblocked(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): ApiObject | null {
  if (action.name === 'synchronousDeletion') {
    const routine = after.synchronousWorkers[SYNCHRONOUS_WORKER];
    const decides =
      before.synchronousWorkers[SYNCHRONOUS_WORKER]?.at === 'readDependents' &&
      routine?.at === 'putFinalizers';
    return decides ? storedNode(setup, before, routine.node) : null;
  }
  const worker = String(action.parameters.worker);
  const now = after.deleteWorkers[worker];
  if (now?.at !== 'getForFinalizer') return null;
  const old = before.deleteWorkers[worker];
  // An owner that waits for itself is released for another reason.
  if (old?.at === 'searchCycle') return null;
  if (old?.at === 'getForFinalizer' || old?.at === 'patchFinalizer') return null;
  return storedNode(setup, before, now.node);
}

export const FOREGROUND_WAITS_FOR_OBSERVED_BLOCKERS = defineProperty({
  id: 'foreground-waits-for-observed-blockers',
  group: 'ownership and cascade',
  name: 'no observed blocking dependent outlives a foreground owner',
  kind: 'step',
  about:
    'When the collector decides that nothing blocks an owner in foreground deletion any more, ' +
    'no stored dependent blocks the owner by a reference that the collector has observed. ' +
    'Judged at the decision: a reference that the collector observes later does not count.',
  trigger: 'the collector decides to take foregroundDeletion off a stored owner',
  source:
    'Kubernetes documentation, Garbage Collection: "Once the garbage collector has deleted all "blocking" dependents (objects with ' +
    '`ownerReference.blockOwnerDeletion=true`), it deletes the owner object"',
  build: (setup) => {
    const relations = relationsOf(setup);
    const observedBlockers = (before: Cluster, owner: ApiObject): readonly ApiObject[] =>
      relations
        .blockers(before, owner)
        .filter((dependent) =>
          before.graph[dependent.uid]?.owners.some(
            (reference) =>
              reference.uid === owner.uid &&
              (setup.rules.foregroundDeletion === 'synchronousQueue' ||
                reference.blockOwnerDeletion === true),
          ),
        );
    return {
      actions: [
        'attemptToDelete',
        ...(setup.rules.foregroundDeletion === 'synchronousQueue' ? ['synchronousDeletion'] : []),
      ],
      trigger: (before, action, after) => foundUnblocked(setup, before, action, after) !== null,
      holds: (before, action, after) => {
        const owner = foundUnblocked(setup, before, action, after);
        return owner === null || observedBlockers(before, owner).length === 0;
      },
      explain: (before, action, after) => {
        const owner = foundUnblocked(setup, before, action, after);
        if (owner === null) return [];
        return observedBlockers(before, owner).map(
          (dependent) =>
            `${nameOf(owner)} is let go, ${nameOf(dependent)} still blocks it (${ownersText(dependent.ownerReferences)})`,
        );
      },
    };
  },
});

/**
 * The owner in foreground deletion that leaves the store, or loses the finalizer, with this step;
 * as stored before the step.
 */
function letGo(before: Cluster, after: Cluster, key: string): ApiObject | null {
  const old = before.store[key];
  if (old === undefined || !isBeingDeleted(old) || !old.finalizers.includes(FOREGROUND)) {
    return null;
  }
  const now = after.store[key];
  return now === undefined || !now.finalizers.includes(FOREGROUND) ? old : null;
}

export const FOREGROUND_WAITS_FOR_BLOCKERS = defineProperty({
  id: 'foreground-waits-for-blockers',
  group: 'ownership and cascade',
  name: 'no blocking dependent outlives a foreground owner',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'When a request of the collector, or a DELETE of any client, takes foregroundDeletion off ' +
    'an owner or removes the owner, no other stored dependent blocks it. Kubernetes promises ' +
    'this only for dependents that the collector has observed, and only as long as no later ' +
    'DELETE has another policy. An update by which a user takes the finalizer off is not ' +
    'judged.',
  trigger:
    'a request of the collector or a DELETE takes foregroundDeletion off an owner, or removes ' +
    'the owner',
  source:
    'Synchronous Garbage Collection (proposal): "the object keeps existing in the key-value store until all its dependents are ' +
    'deleted from the key-value store by the garbage collector"; ' +
    'https://github.com/kubernetes/kubernetes/issues/57939',
  build: (setup) => {
    const relations = relationsOf(setup);
    const byCollector = collectorActions(setup);
    const letGoBy = (
      before: Cluster,
      action: ActionInstance,
      after: Cluster,
      key: string,
    ): ApiObject | null => {
      const owner = letGo(before, after, key);
      if (owner === null || byCollector.includes(action.name)) return owner;
      return actingItemCall(setup, before, action)?.verb === 'delete' ? owner : null;
    };
    const others = (before: Cluster, owner: ApiObject): readonly ApiObject[] =>
      relations.blockers(before, owner).filter((dependent) => dependent.uid !== owner.uid);
    return {
      parameters: whichKeys(setup),
      trigger: (before, action, after, { key }) =>
        letGoBy(before, action, after, String(key)) !== null,
      holds: (before, action, after, { key }) => {
        const owner = letGoBy(before, action, after, String(key));
        return owner === null || others(before, owner).length === 0;
      },
      explain: (before, action, after, { key }) => {
        const owner = letGoBy(before, action, after, String(key));
        if (owner === null) return [];
        return others(before, owner).map(
          (dependent) =>
            `${nameOf(owner)} is let go, ${nameOf(dependent)} still blocks it (${ownersText(dependent.ownerReferences)})`,
        );
      },
    };
  },
});

export const FOREGROUND_CYCLES_BROKEN = defineProperty({
  id: 'foreground-cycles-broken',
  group: 'ownership and cascade',
  name: 'cycles in foreground deletion are broken',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'Objects that block one another in a cycle and are all in foreground deletion do not wait ' +
    'for one another for ever, unless something holds one of them that need not let go.',
  trigger: 'every object of a cycle of blocking references is in foreground deletion',
  source:
    'Synchronous Garbage Collection (proposal): "SynchronousGC will enter a deadlock in the ' +
    'presence of circular dependencies. The garbage collector can break the circle by lazily ' +
    'detecting circular dependencies"; https://github.com/kubernetes/kubernetes/issues/32628',
  build: (setup) => {
    const relations = relationsOf(setup);
    return {
      parameters: whichObjects(setup),
      trigger: (cluster, which) => waitsInCycle(relations, cluster, stored(cluster, which)),
      goal: (cluster, which) =>
        !waitsInCycle(relations, cluster, stored(cluster, which)) ||
        relations.isHeldForGood(cluster, String(which.key)),
      explain: (cluster, which) => whyStillThere(relations, cluster, deleting(cluster, which)),
    };
  },
});

function waits(object: ApiObject): boolean {
  return isBeingDeleted(object) && object.finalizers.includes(FOREGROUND);
}

/** Whether a chain of blocking dependents that all wait leads from the object back to itself. */
function waitsInCycle(relations: Relations, cluster: Cluster, start: ApiObject | null): boolean {
  if (start === null || !waits(start)) return false;
  const reached = new Map<string, ApiObject>();
  const open = [start];
  for (let owner = open.pop(); owner !== undefined; owner = open.pop()) {
    for (const dependent of relations.blockers(cluster, owner)) {
      if (reached.has(dependent.uid) || !waits(dependent)) continue;
      reached.set(dependent.uid, dependent);
      open.push(dependent);
    }
  }
  return reached.has(start.uid);
}
