import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  collectorActions,
  isBeingDeleted,
  type Setup,
  storedOwnerClass,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { deletedInStep, nameOf, storedOwner } from '../relations.ts';
import { standing } from '../values.ts';

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

export const NO_LIVE_OWNER = defineProperty({
  id: 'live-owner-protects-dependent',
  group: 'ownership and cascade',
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
  build: (setup) => ({
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
});

export const ONLY_OWNED = defineProperty({
  id: 'unowned-never-collected',
  group: 'ownership and cascade',
  name: 'nothing without owner references is collected',
  kind: 'step',
  about:
    'At the instant at which a DELETE of the collector removes an object, or begins its deletion, ' +
    'the stored object has an owner reference.',
  trigger: 'a DELETE of the collector takes effect',
  source:
    'Garbage Collection (proposal): "The Garbage Processor of the GC dequeues R1 from the Dirty Queue and skips it, ' +
    'because its OwnerReferences is empty"',
  build: (setup) => ({
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
});

/** Stored owners of what the collector deletes with this step that third parties still hold. */
function heldOwners(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): readonly ApiObject[] {
  const object = deletedInStep(setup, before, action, after);
  if (object === null) return [];
  return object.ownerReferences.flatMap((reference) => {
    const owner = storedOwner(setup, before, object, reference);
    return owner !== null && thirdPartyFinalizers(owner).length > 0 ? [owner] : [];
  });
}

export const FINALIZERS_BEFORE_DEPENDENTS = defineProperty({
  id: 'owner-finalizers-before-dependents',
  group: 'ownership and cascade',
  name: 'dependents go after the finalizers of their owner',
  kind: 'step',
  about:
    'When a DELETE of the collector removes an object, or begins its deletion, none of its stored ' +
    'owners has a third-party finalizer. Kubernetes does not promise this: in foreground deletion ' +
    'dependents go while the owners of other finalizers are still at work.',
  trigger: 'a DELETE of the collector takes effect',
  source: 'https://github.com/kubernetes/kubernetes/issues/111725',
  build: (setup) => ({
    actions: collectorActions(setup),
    trigger: (before, action, after) => deletedInStep(setup, before, action, after) !== null,
    holds: (before, action, after) => heldOwners(setup, before, action, after).length === 0,
    explain: (before, action, after) => {
      const object = deletedInStep(setup, before, action, after);
      return heldOwners(setup, before, action, after).map(
        (owner) =>
          `the collector deletes ${object === null ? '' : nameOf(object)} while ` +
          `${thirdPartyFinalizers(owner).join(', ')} holds its owner ${nameOf(owner)}`,
      );
    },
  }),
});

/** Stored owners that are not being deleted, to whom this step of the collector takes the references off. */
function abandoned(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): readonly ApiObject[] | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'update') return null;
  const old = before.store[call.key];
  const now = after.store[call.key];
  if (old === undefined || now === undefined || old.uid !== now.uid) return null;
  const left = now.ownerReferences.map(({ uid }) => uid);
  const gone = old.ownerReferences.filter(({ uid }) => !left.includes(uid));
  if (gone.length === 0) return null;
  return gone.flatMap((reference) => {
    const owner = storedOwner(setup, before, old, reference);
    return owner === null || isBeingDeleted(owner) ? [] : [owner];
  });
}

export const LIVE_OWNERS_KEPT = defineProperty({
  id: 'live-owner-references-kept',
  group: 'ownership and cascade',
  name: 'the collector takes off no reference to a live owner',
  kind: 'step',
  about:
    'When the collector takes owner references off an object, each of their owners is gone or being ' +
    'deleted.',
  trigger: 'the collector takes an owner reference off',
  source:
    'Synchronous Garbage Collection (proposal): references to owners that are absent or wait for ' +
    'their dependents go from an object that has other owners',
  build: (setup) => ({
    actions: collectorActions(setup),
    trigger: (before, action, after) => abandoned(setup, before, action, after) !== null,
    holds: (before, action, after) => (abandoned(setup, before, action, after) ?? []).length === 0,
    explain: (before, action, after) =>
      (abandoned(setup, before, action, after) ?? []).map(
        (owner) =>
          `the collector takes off a reference to ${nameOf(owner)}, which is there (${standing(owner)})`,
      ),
  }),
});
