import { lookUpItem } from '../collector/lookup.ts';
import type { Cluster } from '../state/cluster.ts';
import { instancesOf, possibleObjects, referencesByObject } from '../state/instances.ts';
import { isWatched } from '../state/kinds.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import { keyOf, type ObjectKey, type Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import { worldOf } from '../system.ts';

/**
 * Uids that are gone for good once no object has them. Uids of objects that are created while the
 * model runs are not among them.
 */
export class Mortals {
  /** The only name of each of them in the queues. */
  readonly nodes: ReadonlyMap<Uid, NodeId>;
  /** The owners that an object with this uid can ever refer to. */
  readonly owners: ReadonlyMap<Uid, ReadonlySet<Uid>>;
  /** The uids of all objects that can ever refer to this one. */
  readonly dependents: ReadonlyMap<Uid, ReadonlySet<Uid>>;
  private readonly places: ReadonlyMap<Uid, readonly ObjectKey[]>;
  /** For each uid whose dependents can all be gone for good: it and all that can ever be beneath it. */
  private readonly families: ReadonlyMap<Uid, readonly Uid[]>;

  constructor(setup: Setup) {
    this.places = placesOf(setup);
    this.nodes = new Map(
      instancesOf(setup)
        .nodes.map((node) => [identityOfNode(node).uid, node] as const)
        .filter(([uid]) => this.places.has(uid)),
    );
    const owners = new Map<Uid, Set<Uid>>();
    const dependents = new Map<Uid, Set<Uid>>();
    for (const { object, reference } of referencesByObject(setup)) {
      owners.set(object.uid, (owners.get(object.uid) ?? new Set()).add(reference.uid));
      dependents.set(reference.uid, (dependents.get(reference.uid) ?? new Set()).add(object.uid));
    }
    this.owners = owners;
    this.dependents = dependents;
    this.families = new Map(
      [...this.places.keys()].flatMap((uid) => {
        const family = [...new Set(this.below(uid))];
        return family.every((member) => this.places.has(member)) ? [[uid, family]] : [];
      }),
    );
  }

  /** Whether no object can ever refer to one with this uid. */
  isLeaf(uid: Uid): boolean {
    return this.places.has(uid) && (this.dependents.get(uid)?.size ?? 0) === 0;
  }

  /** The keys that an object with this uid can have. */
  keysOf(uid: Uid): readonly ObjectKey[] {
    return this.places.get(uid) ?? [];
  }

  isGone({ store }: Cluster, uid: Uid): boolean {
    const keys = this.places.get(uid);
    return keys?.every((key) => store[key]?.uid !== uid) === true;
  }

  /** Whether the object is gone for good, and so is all that can ever be beneath it. */
  isDead(cluster: Cluster, uid: Uid): boolean {
    return this.families.get(uid)?.every((member) => this.isGone(cluster, member)) === true;
  }

  private below(uid: Uid): ReadonlySet<Uid> {
    const found = new Set([uid]);
    for (const member of found) {
      for (const dependent of this.dependents.get(member) ?? []) found.add(dependent);
    }
    return found;
  }
}

/** For each mortal uid: the keys that an object with it can have. */
function placesOf(setup: Setup): ReadonlyMap<Uid, readonly ObjectKey[]> {
  const world = worldOf(setup);
  const objects = possibleObjects(setup);
  const nodes = instancesOf(setup).nodes.map(identityOfNode);
  const mortals = new Map<Uid, readonly ObjectKey[]>();
  for (const { uid } of nodes) {
    const holders = objects.filter((object) => object.uid === uid);
    const names = nodes.filter((node) => node.uid === uid);
    if (
      names.length === 1 &&
      names.every((node) => lookUpItem(world, node).kind === 'key') &&
      holders.length <= 1 &&
      holders.every((object) => setup.objects.includes(object) && isWatched(setup, object.kind))
    ) {
      mortals.set(uid, holders.map(keyOf));
    }
  }
  return mortals;
}
