import type { ActionInstance } from '../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  collectorActions,
  identityOfNode,
  isBeingDeleted,
  type Setup,
  storedOwnerClass,
} from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { deletedInStep, nameOf, storedOwner, whichKeys, whichObjects } from './relations.ts';
import { owned, standing } from './values.ts';

/**
 * Owners that the collector must respect: stored, and not waiting for their own dependents (nor on
 * their way out otherwise, where that counts as gone).
 */
function solidOwners(setup: Setup, cluster: Cluster, dependent: ApiObject): readonly ApiObject[] {
  return dependent.ownerReferences.flatMap((reference) => {
    const owner = storedOwner(setup, cluster, dependent, reference);
    return owner === null || storedOwnerClass(setup, owner) !== 'solid' ? [] : [owner];
  });
}

export const NO_LIVE_OWNER: CatalogueEntry = {
  name: 'nothing with a live owner is collected',
  kind: 'step',
  about:
    'At the instant at which a DELETE of the collector removes an object, or begins its deletion, ' +
    'none of its stored owner references names a stored owner that is not itself waiting for its ' +
    'dependents, or going without orphaning them where the protocol lets that suffice.',
  trigger: 'a DELETE of the collector takes effect',
  source:
    'Kubernetes documentation, Garbage Collection: "The role of the Kubernetes garbage collector is to delete certain objects that ' +
    'once had an owner, but no longer have an owner"; ' +
    'https://github.com/kubernetes/kubernetes/issues/114603',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: NO_LIVE_OWNER.name,
    actions: collectorActions(setup),
    trigger: (before, action, after) => deletedInStep(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const object = deletedInStep(setup, before, action, after);
      return object === null || solidOwners(setup, before, object).length === 0;
    },
    explain: (before, action, after) => {
      const object = deletedInStep(setup, before, action, after);
      if (object === null) return [];
      return solidOwners(setup, before, object).map(
        (owner) =>
          `the collector deletes ${nameOf(object)}, whose owner ${nameOf(owner)} is there (${standing(owner)})`,
      );
    },
  }),
};

export const ONLY_OWNED: CatalogueEntry = {
  name: 'nothing without owner references is collected',
  kind: 'step',
  about:
    'At the instant at which a DELETE of the collector removes an object, or begins its deletion, ' +
    'the stored object has an owner reference.',
  trigger: 'a DELETE of the collector takes effect',
  source:
    'Garbage Collection (proposal): "The Garbage Processor of the GC dequeues R1 from the Dirty Queue and skips it, ' +
    'because its OwnerReferences is empty"',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: ONLY_OWNED.name,
    actions: collectorActions(setup),
    trigger: (before, action, after) => deletedInStep(setup, before, action, after) !== null,
    holds: (before, action, after) =>
      deletedInStep(setup, before, action, after)?.ownerReferences.length !== 0,
    explain: (before, action, after) => {
      const object = deletedInStep(setup, before, action, after);
      if (object === null) return [];
      return [`the collector deletes ${nameOf(object)}, which has no owner reference (any more)`];
    },
  }),
};

/**
 * What a request removes that it cannot have meant: the collector means one uid, and an update that
 * has emptied the finalizers means an object that is being deleted. A DELETE of anybody else means
 * whatever has that name.
 */
function removedByMistake(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  removed: ApiObject,
): string | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb === 'update' && !isBeingDeleted(removed)) {
    return `a PATCH or PUT removes ${nameOf(removed)}, whose deletion nobody has asked for (${standing(removed)})`;
  }
  if (call?.verb !== 'delete' || action.name !== 'attemptToDelete') return null;
  const worker = before.deleteWorkers[String(action.parameters.worker)];
  const meant = worker === undefined ? removed.uid : identityOfNode(worker.node).uid;
  if (meant === removed.uid) return null;
  return `the collector deletes ${nameOf(removed)}, and means an earlier object of that name (uid=${removed.uid} is stored, uid=${meant} was looked at)`;
}

/** The object that this step removes or marks as being deleted under the key. */
function struck(before: Cluster, after: Cluster, key: string): ApiObject | null {
  const old = before.store[key];
  if (old === undefined) return null;
  const now = after.store[key];
  if (now === undefined) return old;
  return !isBeingDeleted(old) && isBeingDeleted(now) ? old : null;
}

export const RIGHT_OBJECT: CatalogueEntry = {
  name: 'no other object of the same name is deleted',
  kind: 'step',
  about:
    'A DELETE of the collector takes effect on the object that was looked at and not on a later ' +
    'one of its name; an update that empties finalizers removes only an object that is being ' +
    'deleted.',
  trigger: 'an object is removed, or its deletion begins',
  source: 'https://github.com/kubernetes/kubernetes/issues/25169',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: RIGHT_OBJECT.name,
    parameters: whichKeys(setup),
    trigger: (before, _action, after, { key }) => struck(before, after, String(key)) !== null,
    holds: (before, action, after, { key }) => {
      const object = struck(before, after, String(key));
      return object === null || removedByMistake(setup, before, action, object) === null;
    },
    explain: (before, action, after, { key }) => {
      const object = struck(before, after, String(key));
      const mistake = object === null ? null : removedByMistake(setup, before, action, object);
      return mistake === null ? [] : [mistake];
    },
  }),
};

export const ORPHANS_SURVIVE: CatalogueEntry = {
  name: 'orphaned objects are not collected',
  kind: 'step',
  about:
    'After a DELETE has been answered with an object on which it had left the finalizer `orphan`, ' +
    'the collector does not delete a dependent that was stored then and that had, and has, no ' +
    'other owner.',
  trigger: 'a dependent was promised to be orphaned, and the collector sends a DELETE or a PATCH',
  source:
    'Kubernetes documentation, Garbage Collection: "If you delete an object without deleting its dependents automatically, the ' +
    'dependents are said to be orphaned"; https://github.com/kubernetes/kubernetes/issues/26120',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: ORPHANS_SURVIVE.name,
    actions: collectorActions(setup),
    parameters: whichObjects(setup),
    trigger: (before, action, _after, { uid }) =>
      before.promisedOrphans[String(uid)] !== undefined &&
      actingItemCall(setup, before, action) !== null,
    holds: (before, action, after, { uid }) => {
      const owner = before.promisedOrphans[String(uid)];
      if (owner === undefined) return true;
      const object = deletedInStep(setup, before, action, after);
      if (object === null || object.uid !== uid) return true;
      return !object.ownerReferences.every((reference) => reference.uid === owner);
    },
    explain: (before, action, after, { uid }) => {
      const object = deletedInStep(setup, before, action, after);
      if (object === null || object.uid !== uid) return [];
      const promise = `promised by the DELETE of its owner uid=${before.promisedOrphans[object.uid]}`;
      return [
        `the collector deletes ${nameOf(object)}, which was to be orphaned (${promise}; ${owned(object.ownerReferences)})`,
      ];
    },
  }),
};
