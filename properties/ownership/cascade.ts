import type { Parameters } from '../../checker/index.ts';
import {
  type ApiObject,
  type Cluster,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type OwnerReference,
  referencesByObject,
  resolveKind,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import {
  canLookUp,
  hasRunQuiet,
  isOwnerGone,
  nameOf,
  namesakeOf,
  relationsOf,
  stored,
  storedOwner,
  type Which,
  whichObjects,
} from '../relations.ts';

/** Whether the object is not being deleted, has owner references, and all its owners are gone. */
function abandoned(setup: Setup, cluster: Cluster, object: ApiObject | null): boolean {
  if (object === null || isBeingDeleted(object) || object.ownerReferences.length === 0) {
    return false;
  }
  return object.ownerReferences.every((reference) =>
    isOwnerGone(setup, cluster, object, reference),
  );
}

export const CASCADE_COMPLETES = defineProperty({
  id: 'cascade-completes',
  group: 'ownership and cascade',
  name: 'no object stays whose owners are all gone',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'An object that has owner references, and whose owners are all gone, is deleted, gets an ' +
    'owner that exists, or loses its references.',
  trigger: 'an object has owner references and none of its owners is stored',
  source:
    'Kubernetes documentation, Garbage Collection: "the dependent is subject to deletion once all ' +
    'owners are verified absent"',
  build: (setup) => ({
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
});

/** Why the collector cannot find out that the owner is gone. Empty if it can. */
function whyNotLookedUp(setup: Setup, object: ApiObject, reference: OwnerReference): string {
  if (canLookUp(setup, object, reference)) return '';
  return resolveKind(setup.kinds, reference.apiVersion, reference.kind) === null
    ? ', but no such kind is served'
    : ', but has a namespace and cannot be looked up without one';
}

/** The stored owners of an object, the owners of those, and so on. */
interface Ancestry {
  /**
   * Whether a chain of owners ends at an object without owners, or at one that cannot be looked up.
   */
  readonly hasRoot: boolean;
  readonly keys: ReadonlySet<ObjectKey>;
}

function ancestryOf(setup: Setup, cluster: Cluster, object: ApiObject): Ancestry {
  const keys = new Set<ObjectKey>();
  const open = [object];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const reference of one.ownerReferences) {
      const owner = storedOwner(setup, cluster, one, reference);
      if (owner === null) {
        if (!isOwnerGone(setup, cluster, one, reference)) return { hasRoot: true, keys };
        continue;
      }
      if (owner.ownerReferences.length === 0) return { hasRoot: true, keys };
      if (keys.has(keyOf(owner))) continue;
      keys.add(keyOf(owner));
      open.push(owner);
    }
  }
  return { hasRoot: false, keys };
}

/** The ancestry of a stored object that is not being deleted and whose owners lead to no root. */
function rootless(setup: Setup, cluster: Cluster, object: ApiObject | null): Ancestry | null {
  if (object === null || isBeingDeleted(object) || object.ownerReferences.length === 0) return null;
  const ancestry = ancestryOf(setup, cluster, object);
  return ancestry.hasRoot ? null : ancestry;
}

export const ROOTLESS_OBJECTS_GO = defineProperty({
  id: 'rootless-objects-go',
  group: 'ownership and cascade',
  name: 'no object stays that has lost its roots',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'A root is an object without owners. If an object has lost an owner and its other owners ' +
    'lead to no root, it is deleted, gets a root again, or loses its references, unless ' +
    'something holds one of those owners that need not let go. Owners that keep one another ' +
    'alive in a cycle are no roots.',
  trigger: 'an owner of an object is gone, and its other owners exist but lead to no root',
  source:
    'Kubernetes documentation, Garbage Collection: "Deleting dependents automatically is called ' +
    '*cascading deletion*"',
  build: (setup) => {
    const relations = relationsOf(setup);
    return {
      parameters: whichObjects(setup),
      trigger: (cluster, which) => {
        const object = stored(cluster, which);
        if (object === null || rootless(setup, cluster, object) === null) return false;
        const gone = object.ownerReferences.filter((reference) =>
          isOwnerGone(setup, cluster, object, reference),
        );
        return gone.length > 0 && gone.length < object.ownerReferences.length;
      },
      goal: (cluster, which) => {
        const ancestry = rootless(setup, cluster, stored(cluster, which));
        if (ancestry === null) return true;
        return [...ancestry.keys].some((key) => relations.isHeldForGood(cluster, key));
      },
      explain: (cluster, which) => {
        const object = stored(cluster, which);
        const ancestry = rootless(setup, cluster, object);
        if (object === null || ancestry === null) return [];
        const left = [...ancestry.keys].flatMap((key) => cluster.store[key] ?? []).map(nameOf);
        const why =
          left.length === 0 ? 'all its owners are gone' : `it has only ${left.join(', ')}`;
        return [`${nameOf(object)} stays without a root: ${why}`];
      },
    };
  },
});

/** References of a live object to owners that are gone, if it has another owner that stays. */
function danglingReferences(
  setup: Setup,
  cluster: Cluster,
  object: ApiObject | null,
): readonly OwnerReference[] {
  if (object === null || isBeingDeleted(object)) return [];
  const stays = object.ownerReferences.some((reference) => {
    const owner = storedOwner(setup, cluster, object, reference);
    return owner !== null && !isBeingDeleted(owner);
  });
  if (!stays) return [];
  return object.ownerReferences.filter((reference) =>
    isOwnerGone(setup, cluster, object, reference),
  );
}

export const DANGLING_REFERENCES_GO = defineProperty({
  id: 'dangling-references-go',
  group: 'ownership and cascade',
  name: 'references to owners that are gone go',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'An object that has an existing owner loses its references to owners that are gone, or is ' +
    'deleted. Not judged under the rules from before 1.6, where all references stay as long ' +
    'as one owner exists.',
  trigger: 'one owner of an object exists, and another one is gone',
  source:
    'Synchronous Garbage Collection (proposal), processItem(): references to owners that are absent ' +
    'are taken off an object that has a solid owner',
  build: (setup) => {
    const isAsked = setup.rules.mixedOwners === 'danglingAndWaitingGo';
    const left = (cluster: Cluster, which: Parameters): readonly OwnerReference[] =>
      isAsked ? danglingReferences(setup, cluster, stored(cluster, which)) : [];
    return {
      parameters: whichObjects(setup),
      trigger: (cluster, which) => left(cluster, which).length > 0,
      goal: (cluster, which) => left(cluster, which).length === 0,
      explain: (cluster, which) => {
        const object = stored(cluster, which);
        if (object === null) return [];
        return left(cluster, which).map(
          ({ name, uid }) =>
            `${nameOf(object)} keeps a reference to ${name}, which is gone (uid=${uid})`,
        );
      },
    };
  },
});

/** References of an object that stays to objects that are stored under another uid. */
function outdatedReferences(
  setup: Setup,
  cluster: Cluster,
  object: ApiObject | null,
): readonly { readonly reference: OwnerReference; readonly now: ApiObject }[] {
  if (object === null || isBeingDeleted(object)) return [];
  return object.ownerReferences.flatMap((reference) => {
    const now = namesakeOf(setup, cluster, object, reference);
    return now === null || now.uid === reference.uid ? [] : [{ reference, now }];
  });
}

export const REFERENCES_HAVE_CURRENT_UID = defineProperty({
  id: 'references-have-current-uid',
  group: 'ownership and cascade',
  name: 'an owner reference has the uid of the object that it names',
  kind: 'invariant',
  judgesObjects: 'parameters',
  about:
    'With nothing left to do, no owner reference of an object that stays names a stored object ' +
    'by kind, namespace and name, and has another uid. Such a reference is to another object ' +
    'of that name: it looks as if the object had an owner, and for the collector it has none.',
  trigger: 'all is quiet, and an object that stays has an owner reference to a name that is taken',
  source:
    'Kubernetes documentation, Owners and Dependents: "A valid owner reference consists of the ' +
    'object name and a UID within the same namespace as the dependent object"',
  build: (setup) => ({
    parameters: whichReferring(setup),
    trigger: (cluster, which) => {
      const object = stored(cluster, which);
      if (object === null || isBeingDeleted(object)) return false;
      return (
        object.ownerReferences.some(
          (reference) => namesakeOf(setup, cluster, object, reference) !== null,
        ) && hasRunQuiet(setup, cluster)
      );
    },
    holds: (cluster, which) =>
      outdatedReferences(setup, cluster, stored(cluster, which)).length === 0 ||
      !hasRunQuiet(setup, cluster),
    explain: (cluster, which) => {
      const object = stored(cluster, which);
      return outdatedReferences(setup, cluster, object).map(
        ({ reference, now }) =>
          `${object === null ? '' : nameOf(object)} names ${nameOf(now)} as an owner with uid ${reference.uid}, which is stored with uid ${now.uid}`,
      );
    },
  }),
});

/** Objects that can have an owner reference at some time. */
function whichReferring(setup: Setup): readonly Which[] {
  const referring = new Set(referencesByObject(setup).map(({ object }) => object.uid));
  return whichObjects(setup).filter(({ uid }) => referring.has(uid));
}
