import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  collectorActions,
  equalJson,
  isBeingDeleted,
  type OwnerReference,
  type Setup,
  storedOwnerClass,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { changed, deletedInStep, nameOf, storedOwner } from '../relations.ts';
import { deletionText, ownersText } from '../values.ts';

/**
 * Owners that the collector must respect: they are stored, and do not wait for their own
 * dependents. Under some rules, an owner that is being deleted in any other way does not count
 * either.
 */
function solidOwners(setup: Setup, cluster: Cluster, dependent: ApiObject): readonly ApiObject[] {
  return dependent.ownerReferences.flatMap((reference) => {
    const owner = storedOwner(setup, cluster, dependent, reference);
    return owner === null || storedOwnerClass(setup, owner) !== 'solid' ? [] : [owner];
  });
}

export const LIVE_OWNER_PROTECTS_DEPENDENT = defineProperty({
  id: 'live-owner-protects-dependent',
  group: 'ownership and cascade',
  name: 'nothing with a live owner is collected',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When a DELETE of the collector removes an object or begins its deletion, none of the ' +
    'owner references stored on the object names a live owner. A stored owner is not live if ' +
    'it waits for its own dependents or, where the protocol accepts that, if it is being ' +
    'deleted without orphaning them.',
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
          `the collector deletes ${nameOf(object)}, whose owner ${nameOf(owner)} is there (${deletionText(owner)})`,
      );
    },
  }),
});

export const UNOWNED_NEVER_COLLECTED = defineProperty({
  id: 'unowned-never-collected',
  group: 'ownership and cascade',
  name: 'nothing without owner references is collected',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When a DELETE of the collector removes an object or begins its deletion, the stored ' +
    'object has an owner reference.',
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

/**
 * Stored owners, still held by a third party, of the object that the collector deletes with this
 * step.
 */
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

export const OWNER_FINALIZERS_BEFORE_DEPENDENTS = defineProperty({
  id: 'owner-finalizers-before-dependents',
  group: 'ownership and cascade',
  name: 'dependents go after the finalizers of their owner',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When a DELETE of the collector removes an object or begins its deletion, none of its ' +
    'stored owners has a third-party finalizer. Kubernetes does not promise this: in ' +
    'foreground deletion, dependents are deleted while the owners of other finalizers are ' +
    'still at work.',
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

/**
 * Live owners to which this step of the collector removes the references. Null if it removes none.
 */
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

export const LIVE_OWNER_REFERENCES_KEPT = defineProperty({
  id: 'live-owner-references-kept',
  group: 'ownership and cascade',
  name: 'the collector takes off no reference to a live owner',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When the collector takes owner references off an object, each of these owners is gone or ' +
    'being deleted.',
  trigger: 'the collector takes off an owner reference',
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
          `the collector takes off a reference to ${nameOf(owner)}, which is there (${deletionText(owner)})`,
      ),
  }),
});

/**
 * References that this step of the collector gives to an object that has none like them. Null if
 * the step writes no owner references.
 */
function added(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): { readonly object: ApiObject; readonly references: readonly OwnerReference[] } | null {
  const call = actingItemCall(setup, before, action);
  const pair = call?.verb === 'update' ? changed(before, after, call.key) : null;
  if (pair === null || equalJson(pair.old.ownerReferences, pair.now.ownerReferences)) return null;
  const { ownerReferences } = pair.old;
  const references = pair.now.ownerReferences.filter(
    ({ uid, kind, name }) =>
      !ownerReferences.some(
        (reference) => reference.uid === uid && reference.kind === kind && reference.name === name,
      ),
  );
  return { object: pair.old, references };
}

export const COLLECTOR_ADDS_NO_REFERENCE = defineProperty({
  id: 'collector-adds-no-reference',
  group: 'ownership and cascade',
  name: 'the collector adds no owner reference',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When the collector writes the owner references of an object, it takes references off or ' +
    'changes their flags. It adds no reference that the stored object does not have, for ' +
    'example one that a user has just taken off.',
  trigger: 'the collector changes the owner references of an object',
  source:
    'Synchronous Garbage Collection (proposal), processItem(): the garbage collector removes ' +
    'references, or sets their blockOwnerDeletion to false',
  build: (setup) => ({
    actions: collectorActions(setup),
    trigger: (before, action, after) => added(setup, before, action, after) !== null,
    holds: (before, action, after) =>
      (added(setup, before, action, after)?.references ?? []).length === 0,
    explain: (before, action, after) => {
      const found = added(setup, before, action, after);
      if (found === null || found.references.length === 0) return [];
      return [
        `the collector gives ${nameOf(found.object)} a reference that it does not have: ${ownersText(found.references)}`,
      ];
    },
  }),
});
