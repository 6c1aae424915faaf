import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  equalJson,
  FOREGROUND,
  identityOfNode,
  isBeingDeleted,
  isQuiet,
  keyOf,
  ORPHAN,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import {
  changed,
  deleting,
  nameOf,
  relationsOf,
  whichKeys,
  whichObjects,
  whyStillThere,
} from '../relations.ts';
import { deletionText } from '../values.ts';

export const DELETION_IS_ONE_WAY = defineProperty({
  id: 'deletion-is-one-way',
  group: 'objects and finalizers',
  name: 'deletion is one-way',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'deletionTimestamp is never removed. Only a later object of the same name can be live again.',
  trigger: 'a request changes or removes an object that is being deleted',
  source: 'garbagecollector.go: ""being deleted" is an one-way trip to the final deletion"',
  build: (setup) => ({
    parameters: whichKeys(setup),
    trigger: (before, _action, after, { key }) => {
      const old = before.store[String(key)];
      if (old === undefined || !isBeingDeleted(old)) return false;
      return !equalJson(old, after.store[String(key)]);
    },
    holds: (before, _action, after, { key }) => {
      const pair = changed(before, after, String(key));
      return pair === null || !isBeingDeleted(pair.old) || isBeingDeleted(pair.now);
    },
    explain: (_before, _action, after, { key }) => {
      const now = after.store[String(key)];
      return now === undefined ? [] : [`${nameOf(now)} loses its deletionTimestamp`];
    },
  }),
});

/**
 * Says that a request removes an object that it was not meant for. The collector means one uid. An
 * update that has emptied the finalizers means an object that is being deleted. A DELETE of any
 * other client means whatever object has the name.
 */
function removedByMistake(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  removed: ApiObject,
): string | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb === 'update' && !isBeingDeleted(removed)) {
    return `a PATCH or PUT removes ${nameOf(removed)}, whose deletion nobody has asked for (${deletionText(removed)})`;
  }
  if (call?.verb !== 'delete' || action.name !== 'attemptToDelete') return null;
  const worker = before.deleteWorkers[String(action.parameters.worker)];
  const meant = worker === undefined ? removed.uid : identityOfNode(worker.node).uid;
  if (meant === removed.uid) return null;
  return `the collector deletes ${nameOf(removed)}, and means an earlier object of that name (uid=${removed.uid} is stored, uid=${meant} was looked at)`;
}

/** The object at the key that this step removes or marks as being deleted. */
function removedOrMarked(before: Cluster, after: Cluster, key: string): ApiObject | null {
  const old = before.store[key];
  if (old === undefined) return null;
  const now = after.store[key];
  if (now === undefined) return old;
  return !isBeingDeleted(old) && isBeingDeleted(now) ? old : null;
}

export const RIGHT_OBJECT_DELETED = defineProperty({
  id: 'right-object-deleted',
  group: 'objects and finalizers',
  name: 'no other object of the same name is deleted',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'A DELETE of the collector takes effect on the object that the collector looked at, and ' +
    'not on a later object of the same name. An update that empties the finalizers removes an ' +
    'object only if it is being deleted.',
  trigger: 'an object is removed, or its deletion begins',
  source: 'https://github.com/kubernetes/kubernetes/issues/25169',
  build: (setup) => ({
    parameters: whichKeys(setup),
    trigger: (before, _action, after, { key }) =>
      removedOrMarked(before, after, String(key)) !== null,
    holds: (before, action, after, { key }) => {
      const object = removedOrMarked(before, after, String(key));
      return object === null || removedByMistake(setup, before, action, object) === null;
    },
    explain: (before, action, after, { key }) => {
      const object = removedOrMarked(before, after, String(key));
      const mistake = object === null ? null : removedByMistake(setup, before, action, object);
      return mistake === null ? [] : [mistake];
    },
  }),
});

// A leads-to property is judged in every state. A hold satisfies the goal only while it lasts: when
// it ends, the object has to go.
export const EVERY_DELETION_FINISHES = defineProperty({
  id: 'every-deletion-finishes',
  group: 'objects and finalizers',
  name: 'every deletion finishes',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'An object whose deletion has begun leaves the store, unless something holds it that need ' +
    'not let go: a finalizer whose owner is stuck, a grace period that only a kubelet ends, ' +
    'the contents of a namespace, or, in foreground deletion, a blocking dependent that is ' +
    'held in one of these ways.',
  trigger: 'an object is being deleted',
  source:
    'Kubernetes documentation, Garbage Collection: "Once the garbage collector has deleted all ' +
    '"blocking" dependents (objects with `ownerReference.blockOwnerDeletion=true`), it deletes the ' +
    'owner object"; https://github.com/kubernetes/kubernetes/issues/77081',
  build: (setup) => {
    const relations = relationsOf(setup);
    return {
      parameters: whichObjects(setup),
      trigger: (cluster, which) => deleting(cluster, which) !== null,
      goal: (cluster, which) =>
        deleting(cluster, which) === null || relations.isHeldForGood(cluster, String(which.key)),
      explain: (cluster, which) => whyStillThere(relations, cluster, deleting(cluster, which)),
    };
  },
});

export const NO_STUCK_FINALIZER = defineProperty({
  id: 'no-stuck-finalizer',
  group: 'objects and finalizers',
  name: 'no collector finalizer is stuck',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    '`foregroundDeletion` is removed from an object that is being deleted, unless a blocking ' +
    'dependent is held by something that need not let go. `orphan` is always removed.',
  trigger: 'an object that is being deleted has a finalizer of the collector',
  source:
    'Synchronous Garbage Collection (proposal): "The garbage collector will remove the finalizer ' +
    'from the object when all depdendents are deleted"; ' +
    'https://github.com/kubernetes/kubernetes/issues/77081',
  build: (setup) => {
    const relations = relationsOf(setup);
    const stuck = (cluster: Cluster, object: ApiObject | null): boolean => {
      if (object === null) return false;
      if (object.finalizers.includes(ORPHAN)) return true;
      if (!object.finalizers.includes(FOREGROUND)) return false;
      return !relations
        .blockers(cluster, object)
        .some((dependent) => relations.isHeldForGood(cluster, keyOf(dependent)));
    };
    return {
      parameters: whichObjects(setup),
      trigger: (cluster, which) => stuck(cluster, deleting(cluster, which)),
      goal: (cluster, which) => !stuck(cluster, deleting(cluster, which)),
      explain: (cluster, which) => whyStillThere(relations, cluster, deleting(cluster, which)),
    };
  },
});

export const NOTHING_STUCK = defineProperty({
  id: 'nothing-stuck',
  group: 'objects and finalizers',
  name: 'nothing is stuck',
  kind: 'settled',
  about:
    'When nothing more can happen, no work is left, and every object that is still being ' +
    'deleted is held by something other than the collector: a third-party finalizer, a grace ' +
    'period, the contents of a namespace, or a blocking dependent that is held in one of ' +
    'these ways.',
  trigger: 'nothing more can happen',
  source:
    'Garbage Collection (proposal): "when finalizing logic is completed, remove itself from the ' +
    'objectMeta.Finalizers"; https://github.com/kubernetes/kubernetes/issues/77134',
  build: (setup) => {
    const relations = relationsOf(setup);
    const which = whichObjects(setup);
    const stuck = (cluster: Cluster): readonly ApiObject[] =>
      which.flatMap((one) => {
        const object = deleting(cluster, one);
        return object === null || relations.isHeld(cluster, one.key) ? [] : [object];
      });
    return {
      settled: (cluster) => stuck(cluster).length === 0 && isQuiet(setup, cluster),
      explain: (cluster) => [
        ...stuck(cluster).flatMap((object) => whyStillThere(relations, cluster, object)),
        ...(isQuiet(setup, cluster) ? [] : ['work is left that nobody does']),
      ],
    };
  },
});
