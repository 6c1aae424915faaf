import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  kindOf,
  type Setup,
  type Uid,
  type Workload,
} from '../../model/index.ts';
import { definitionName } from './links.ts';
import { byKeyIn, byUidIn, dependentsIn } from './lookups.ts';
import { isAsked } from './requests.ts';
import { NAMING, REPLACEMENT } from './workloads.ts';

/**
 * The setup without the controllers that only make anew what is gone. What becomes of the objects
 * of the setup is the same without them. Which objects are replaced is not: `replacedIn` says it.
 *
 * Argument: the parent stays, as nothing deletes it. The collector deletes no child of it, and
 * takes off no reference to it. All that its controller may adopt or release is its own as it is.
 * It wants at least as many children as it counts, and makes one only for a place that is free. So
 * there is never a surplus, and it deletes nothing. A replacement belongs to the parent alone and
 * owns nothing. Under a name of its own it meets none of the objects. Under the name of an object
 * that is gone, it has another uid, and a request of the collector for the old uid fails, where it
 * would find nothing without the replacement: a worker tries the item again, and then takes the
 * object for gone, as it would have done at once. All that lies between is a delay.
 */
export function withoutReplacements(setup: Setup): Setup {
  const { workloads, ...rest } = setup;
  if (workloads === undefined) return setup;
  const kept = workloads.filter((workload) => !isOnlyReplacing(setup, workload));
  if (kept.length === workloads.length) return setup;
  return kept.length === 0 ? rest : { ...rest, workloads: kept };
}

/** What is known of the objects of a setup. */
export interface Endings {
  /** Whether the object is gone in the end, on every run. */
  readonly goes: (uid: Uid) => boolean;
  /** Whether its deletion begins on every run. */
  readonly begins: (uid: Uid) => boolean;
  /** Whether its deletion begins on no run. */
  readonly neverBegins: (uid: Uid) => boolean;
}

/**
 * The objects that the controllers left out by `withoutReplacements` replace on every run. Null:
 * what is known does not say it.
 *
 * A controller that counts its children makes one for each that is being deleted. One that names
 * them makes one under the name once it is free. A StatefulSet waits for an earlier one first
 * (`manageNumber`, `manageNames`).
 */
export function replacedIn(setup: Setup, endings: Endings): ReadonlySet<Uid> | null {
  const found = new Set<Uid>();
  for (const workload of setup.workloads ?? []) {
    if (!isOnlyReplacing(setup, workload)) continue;
    const { parent, children, selects = [] } = workload;
    const originals = originalsOf(setup, workload).map(({ uid }) => uid);
    if (originals.length < children.length) return null;
    const kind = kindOf(parent.key);
    if (!NAMING.includes(kind)) {
      // Which of them it makes first does not matter if it makes all of them.
      if (!originals.every((uid) => endings.begins(uid))) return null;
      // A Job makes none for a pod that has ended, as long as that is there.
      const own = new Set<string>(selects);
      const isEnded = (object: ApiObject): boolean =>
        own.has(keyOf(object)) && object.pod?.finished === true;
      if (kind === 'Job.batch' && setup.objects.some(isEnded)) return null;
      for (const uid of originals) found.add(uid);
      continue;
    }
    for (const [place, uid] of originals.entries()) {
      if (endings.goes(uid)) found.add(uid);
      else if (kind === 'StatefulSet.apps' && !endings.neverBegins(uid)) {
        if (place < originals.length - 1) return null;
      }
    }
  }
  return found;
}

/** The objects that the children of a workload replace, in the order of the children. */
function originalsOf({ objects }: Setup, { children }: Workload): readonly ApiObject[] {
  const byUid = byUidIn(objects);
  return children.flatMap(({ uid }) => {
    const isReplacement = uid.endsWith(REPLACEMENT);
    return (isReplacement && byUid.get(uid.slice(0, -REPLACEMENT.length))) || [];
  });
}

function isOnlyReplacing(setup: Setup, workload: Workload): boolean {
  const byKey = byKeyIn(setup.objects);
  const { parent, caches, controller, claims, children, selects = [] } = workload;
  const owner = byKey.get(parent.key);
  if (owner?.uid !== parent.uid || !isSafe(setup, owner)) return false;
  // In a namespace that is being deleted, nothing can be created.
  const namespace = byKey.get(`Namespace//${owner.namespace}`);
  if (namespace !== undefined && !isSafe(setup, namespace)) return false;
  if (caches !== 'own' || controller !== undefined || claims !== undefined) return false;
  const own = new Set([...selects, ...children.map(keyOf)]);
  const present = [...own].flatMap((key) => byKey.get(key) ?? []);
  const isCounting = !NAMING.includes(owner.kind);
  const number = owner.replicas ?? workload.replicas;
  const counted = isCounting
    ? present.filter((object) => object.pod?.finished !== true && !isBeingDeleted(object)).length
    : new Set(children.map(keyOf)).size;
  return (
    setup.containers !== true &&
    // Otherwise a pod that is being deleted and its replacement can be too many.
    setup.rules.terminatingPods !== 'counted' &&
    counted <= number &&
    present.every((object) => isOwn(object, parent.uid, isCounting)) &&
    // A replacement uses the claims of the pod that it stands for; a new ReplicaSet makes such pods.
    [...children, ...podsBeneath(setup, originalsOf(setup, workload))].every(({ namespace, pod }) =>
      (pod?.claims ?? []).every((name) => {
        const claim = byKey.get(keyOf({ kind: 'PersistentVolumeClaim', namespace, name }));
        return claim === undefined || isSafe(setup, claim);
      }),
    )
  );
}

function podsBeneath({ objects }: Setup, owners: readonly ApiObject[]): readonly ApiObject[] {
  const dependents = dependentsIn(objects);
  return owners
    .flatMap(({ uid }) => dependents.get(uid) ?? [])
    .filter(({ pod }) => pod !== undefined);
}

function isOwn(object: ApiObject, parent: Uid, isCounting: boolean): boolean {
  const controller = object.ownerReferences.find((reference) => reference.controller === true);
  if (controller?.uid !== parent || object.otherLabels === true) return false;
  return isCounting || object.pod?.finished !== true;
}

/** Whether nothing can delete the object: neither it nor an owner of it is asked for, or going already. */
export function isSafe(setup: Setup, object: ApiObject): boolean {
  const { objects, kinds, emptiedNamespaces = [], definitions = [] } = setup;
  const byUid = byUidIn(objects);
  const above = new Set([object]);
  for (const each of above) {
    if (isBeingDeleted(each) || isAsked(setup, each)) return false;
    if (emptiedNamespaces.includes(each.namespace)) return false;
    if (definitions.some((key) => key.endsWith(`//${definitionName(kinds[each.kind])}`)))
      return false;
    for (const { uid } of each.ownerReferences) {
      const owner = byUid.get(uid);
      if (owner === undefined) return false;
      above.add(owner);
    }
  }
  return true;
}
