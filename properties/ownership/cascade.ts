import type { Parameters } from '../../checker/index.ts';
import {
  type ApiObject,
  type Cluster,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type OwnerReference,
  resolveKind,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import {
  canLookUp,
  isOwnerGone,
  nameOf,
  relationsOf,
  stored,
  storedOwner,
  whichObjects,
} from '../relations.ts';

/** Not being deleted, with owner references, and each of the owners is gone. */
function abandoned(setup: Setup, cluster: Cluster, object: ApiObject | null): boolean {
  if (object === null || isBeingDeleted(object) || object.ownerReferences.length === 0) {
    return false;
  }
  return object.ownerReferences.every((reference) =>
    isOwnerGone(setup, cluster, object, reference),
  );
}

export const CASCADE_COMPLETE = defineProperty({
  id: 'cascade-completes',
  group: 'ownership and cascade',
  name: 'no object stays whose owners are all gone',
  kind: 'eventually',
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

/** Why the collector cannot tell that the owner is gone; empty where it can. */
function whyNotLookedUp(setup: Setup, object: ApiObject, reference: OwnerReference): string {
  if (canLookUp(setup, object, reference)) return '';
  return resolveKind(setup.kinds, reference.apiVersion, reference.kind) === null
    ? ', but no such kind is served'
    : ', but has a namespace and cannot be looked up without one';
}

/** What leads up from an object: its stored owners, theirs, and so on. */
interface Ancestry {
  /** Some chain ends at an object without owners, or at an owner that cannot be looked up. */
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

/** Stored, not being deleted, with owner references none of which leads to a root. */
function rootless(setup: Setup, cluster: Cluster, object: ApiObject | null): Ancestry | null {
  if (object === null || isBeingDeleted(object) || object.ownerReferences.length === 0) return null;
  const ancestry = ancestryOf(setup, cluster, object);
  return ancestry.hasRoot ? null : ancestry;
}

export const NOTHING_WITHOUT_ROOT = defineProperty({
  id: 'rootless-objects-go',
  group: 'ownership and cascade',
  name: 'no object stays that has lost its roots',
  kind: 'eventually',
  about:
    'An object that has lost an owner, and whose other owners lead to no object without owners, is ' +
    'deleted, gets such a root again, or loses its references; unless one of those owners is held by ' +
    'somebody who is not bound to let go. Owners that keep one another alive in a cycle are no roots.',
  trigger: 'an owner of an object is gone, others are there, and they lead to no root',
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

/** References of a live object to owners that are gone, where another one is there and stays. */
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
  about:
    'An object that has an owner that is there loses its references to owners that are gone, or is ' +
    'deleted. Not asked where references stay as long as some owner is there, as they did before 1.6.',
  trigger: 'an object has an owner that is there, and one that is gone',
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
