import type { Parameters } from '../checker/index.ts';
import {
  type ApiObject,
  type Cluster,
  dependentKeys,
  FOREGROUND,
  isBeingDeleted,
  isQuiet,
  keyOf,
  ORPHAN,
  type OwnerReference,
  resolveKind,
  type Setup,
} from '../model/index.ts';
import { ACTORS_ARE_FAIR, type CatalogueEntry } from './catalogue.ts';
import {
  canLookUp,
  deleting,
  isOwnerGone,
  nameOf,
  type Relations,
  relationsOf,
  stored,
  whichObjects,
} from './relations.ts';

/**
 * Progress. Leads-to is asked anew in every state, so a hold that discharges a goal counts for as
 * long as it lasts: once it ends, the object has to go after all.
 */

/** Why an object that is being deleted is still stored, a line for each reason. */
function whyStillThere(
  relations: Relations,
  cluster: Cluster,
  object: ApiObject | null,
): readonly string[] {
  if (object === null) return [];
  const name = nameOf(object);
  const grace = object.deletionGracePeriodSeconds ?? 0;
  const blockers = object.finalizers.includes(FOREGROUND)
    ? relations.blockers(cluster, object)
    : [];
  return [
    ...object.finalizers.map((finalizer) => `${name} is blocked by: finalizer ${finalizer}`),
    ...blockers.map((dependent) =>
      dependent.uid === object.uid
        ? `${name} is blocked by: itself, as its own dependent`
        : `${name} is blocked by: dependent ${nameOf(dependent)}`,
    ),
    ...(grace > 0 ? [`${name} is in its grace period`] : []),
  ];
}

export const EVENTUAL_DELETION: CatalogueEntry = {
  name: 'every deletion finishes',
  kind: 'eventually',
  about:
    'An object whose deletion has begun leaves the store, or is held by somebody who is not bound ' +
    'to let go: a finalizer whose owner is stuck, a grace period that only a kubelet ends, the ' +
    'contents of a namespace, or, in foreground deletion, a blocking dependent that is held so.',
  trigger: 'an object is being deleted',
  source:
    'Kubernetes documentation, Garbage Collection: "Once the garbage collector has deleted all ' +
    '"blocking" dependents (objects with `ownerReference.blockOwnerDeletion=true`), it deletes the ' +
    'owner object"; https://github.com/kubernetes/kubernetes/issues/77081',
  fairness: ACTORS_ARE_FAIR,
  build: (setup) => {
    const relations = relationsOf(setup);
    return {
      kind: 'eventually',
      name: EVENTUAL_DELETION.name,
      parameters: whichObjects(setup),
      trigger: (cluster, which) => deleting(cluster, which) !== null,
      goal: (cluster, which) =>
        deleting(cluster, which) === null || relations.isHeldForGood(cluster, String(which.key)),
      explain: (cluster, which) => whyStillThere(relations, cluster, deleting(cluster, which)),
    };
  },
};

export const NO_STUCK_FINALIZER: CatalogueEntry = {
  name: 'no collector finalizer is stuck',
  kind: 'eventually',
  about:
    '`foregroundDeletion` on an object that is being deleted goes, unless a blocking dependent is ' +
    'held by somebody who is not bound to let go; `orphan` goes in any case.',
  trigger: 'an object that is being deleted has a finalizer of the collector',
  source:
    'Synchronous Garbage Collection (proposal): "The garbage collector will remove the finalizer ' +
    'from the object when all depdendents are deleted"; ' +
    'https://github.com/kubernetes/kubernetes/issues/77081',
  fairness: ACTORS_ARE_FAIR,
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
      kind: 'eventually',
      name: NO_STUCK_FINALIZER.name,
      parameters: whichObjects(setup),
      trigger: (cluster, which) => stuck(cluster, deleting(cluster, which)),
      goal: (cluster, which) => !stuck(cluster, deleting(cluster, which)),
      explain: (cluster, which) => whyStillThere(relations, cluster, deleting(cluster, which)),
    };
  },
};

/** Not being deleted, with owner references, and each of the owners is gone. */
function abandoned(setup: Setup, cluster: Cluster, object: ApiObject | null): boolean {
  if (object === null || isBeingDeleted(object) || object.ownerReferences.length === 0) {
    return false;
  }
  return object.ownerReferences.every((reference) =>
    isOwnerGone(setup, cluster, object, reference),
  );
}

export const CASCADE_COMPLETE: CatalogueEntry = {
  name: 'no object stays whose owners are all gone',
  kind: 'eventually',
  about:
    'An object that has owner references, and whose owners are all gone, is deleted, gets an ' +
    'owner that exists, or loses its references.',
  trigger: 'an object has owner references and none of its owners is stored',
  source:
    'Kubernetes documentation, Garbage Collection: "the dependent is subject to deletion once all ' +
    'owners are verified absent"',
  fairness: ACTORS_ARE_FAIR,
  build: (setup) => ({
    kind: 'eventually',
    name: CASCADE_COMPLETE.name,
    parameters: whichObjects(setup),
    trigger: (cluster, which) => abandoned(setup, cluster, stored(cluster, which)),
    goal: (cluster, which) => !abandoned(setup, cluster, stored(cluster, which)),
    explain: (cluster, which) => {
      const object = stored(cluster, which);
      if (object === null) return [];
      return object.ownerReferences.map((reference) => {
        const { kind, name, uid } = reference;
        const why = whyNotLookedUp(setup, object, reference);
        return `${nameOf(object)} stays: its owner ${kind}/${name} (uid ${uid}) is gone${why}`;
      });
    },
  }),
};

/** Why the collector cannot tell that the owner is gone; empty where it can. */
function whyNotLookedUp(setup: Setup, object: ApiObject, reference: OwnerReference): string {
  if (canLookUp(setup, object, reference)) return '';
  return resolveKind(setup.kinds, reference.apiVersion, reference.kind) === null
    ? ', but no such kind is served'
    : ', but has a namespace and cannot be looked up without one';
}

export const CYCLES_BROKEN: CatalogueEntry = {
  name: 'cycles in foreground deletion are broken',
  kind: 'eventually',
  about:
    'Objects that block one another in a cycle and are all being deleted in foreground do not wait ' +
    'for one another for ever, unless one of them is held by somebody who is not bound to let go.',
  trigger: 'a cycle of blocking references has only objects in foreground deletion',
  source:
    'Synchronous Garbage Collection (proposal): "SynchronousGC will enter a deadlock in the ' +
    'presence of circular dependencies. The garbage collector can break the circle by lazily ' +
    'detecting circular dependencies"; https://github.com/kubernetes/kubernetes/issues/32628',
  fairness: ACTORS_ARE_FAIR,
  build: (setup) => {
    const relations = relationsOf(setup);
    return {
      kind: 'eventually',
      name: CYCLES_BROKEN.name,
      parameters: whichObjects(setup),
      trigger: (cluster, which) => waitsInCycle(relations, cluster, stored(cluster, which)),
      goal: (cluster, which) =>
        !waitsInCycle(relations, cluster, stored(cluster, which)) ||
        relations.isHeldForGood(cluster, String(which.key)),
      explain: (cluster, which) => whyStillThere(relations, cluster, deleting(cluster, which)),
    };
  },
};

function waits(object: ApiObject): boolean {
  return isBeingDeleted(object) && object.finalizers.includes(FOREGROUND);
}

/** Whether blocking dependents that all wait lead from the object back to it. */
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

export const ORPHANING_COMPLETES: CatalogueEntry = {
  name: 'orphaning completes',
  kind: 'eventually',
  about:
    'An object that is being deleted with the finalizer `orphan` loses that finalizer, and by then ' +
    'no dependent that was promised to be orphaned names it as its owner.',
  trigger: 'an object with the finalizer `orphan` is being deleted',
  source:
    'Garbage Collection (proposal): "Then it updates R1 to remove D1 from its OwnerReferences"; ' +
    'https://github.com/kubernetes/kubernetes/issues/56348',
  fairness: ACTORS_ARE_FAIR,
  build: (setup) => {
    const relations = relationsOf(setup);
    const keys = dependentKeys(setup);
    const orphaning = (cluster: Cluster, which: Parameters): boolean =>
      deleting(cluster, which)?.finalizers.includes(ORPHAN) ?? false;
    const left = (cluster: Cluster, { uid }: Parameters): readonly ApiObject[] =>
      (keys.get(String(uid)) ?? []).flatMap((key) => {
        const dependent = cluster.store[key];
        if (dependent === undefined || cluster.promisedOrphans[dependent.uid] !== uid) return [];
        return dependent.ownerReferences.some((reference) => reference.uid === uid)
          ? [dependent]
          : [];
      });
    return {
      kind: 'eventually',
      name: ORPHANING_COMPLETES.name,
      parameters: whichObjects(setup),
      trigger: orphaning,
      goal: (cluster, which) => !orphaning(cluster, which) && left(cluster, which).length === 0,
      explain: (cluster, which) => [
        ...whyStillThere(relations, cluster, deleting(cluster, which)),
        ...left(cluster, which).map((dependent) => `${nameOf(dependent)} still names its owner`),
      ],
    };
  },
};

export const NOTHING_STUCK: CatalogueEntry = {
  name: 'nothing is stuck',
  kind: 'settled',
  about:
    'When nothing more can happen, nothing is left to do, and every object that is still being ' +
    'deleted is held by somebody else than the collector: a third-party finalizer, a grace period, ' +
    'the contents of a namespace, or a blocking dependent that is held so.',
  trigger: 'nothing more can happen',
  source:
    'Garbage Collection (proposal): "when finalizing logic is completed, remove itself from the ' +
    'objectMeta.Finalizers"; https://github.com/kubernetes/kubernetes/issues/77134',
  fairness: 'none',
  build: (setup) => {
    const relations = relationsOf(setup);
    const which = whichObjects(setup);
    const stuck = (cluster: Cluster): readonly ApiObject[] =>
      which.flatMap((one) => {
        const object = deleting(cluster, one);
        return object === null || relations.isHeld(cluster, one.key) ? [] : [object];
      });
    return {
      kind: 'settled',
      name: NOTHING_STUCK.name,
      settled: (cluster) => stuck(cluster).length === 0 && isQuiet(setup, cluster),
      explain: (cluster) => [
        ...stuck(cluster).flatMap((object) => whyStillThere(relations, cluster, object)),
        ...(isQuiet(setup, cluster) ? [] : ['work is left that nobody does']),
      ],
    };
  },
};
