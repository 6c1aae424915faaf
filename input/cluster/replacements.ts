import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type Setup,
  type Uid,
  type Workload,
} from '../../model/index.ts';
import { isAsked } from './requests.ts';
import { REPLACEMENT } from './workloads.ts';

/**
 * The setup without the controllers that only make anew what is gone. That changes nothing for the
 * objects of the setup.
 *
 * Argument: the parent stays, as nothing deletes it, so the collector takes it off no object that
 * names it, and all that its controller may adopt or release is its own as it is. Each of its children is
 * gone or counted, and what it makes replaces one that it has seen go, so there is no surplus to delete. A
 * replacement belongs to the parent alone and owns nothing. Under a name of its own it meets none of
 * the objects. Under the name of an object that is gone, it has another uid, and a request of the
 * collector for that uid fails, where it would find nothing without the replacement: a worker tries
 * the item again, and then takes the object for gone, as it would have done at once. All that lies
 * between is a delay.
 */
export function withoutReplacements(setup: Setup): Setup {
  const { workloads, ...rest } = setup;
  if (workloads === undefined) return setup;
  const byKey = new Map(setup.objects.map((object) => [keyOf(object), object]));
  const kept = workloads.filter((workload) => !isOnlyReplacing(setup, workload, byKey));
  if (kept.length === workloads.length) return setup;
  return kept.length === 0 ? rest : { ...rest, workloads: kept };
}

/**
 * Uids of the objects that each controller replaces that was left out. If all of one go on every run,
 * then all of these are replaced: the controller sees that each is gone, and makes what it lacks.
 */
export function replacedIn(given: Setup, without: Setup): readonly (readonly Uid[])[] {
  const kept = new Set(without.workloads);
  const left = (given.workloads ?? []).filter((workload) => !kept.has(workload));
  return left.map(({ children }) => children.map(({ uid }) => uid.replace(REPLACEMENT, '')));
}

type ByKey = ReadonlyMap<ObjectKey, ApiObject>;

function isOnlyReplacing(setup: Setup, workload: Workload, byKey: ByKey): boolean {
  const { parent, caches, controller, claims, children, selects = [] } = workload;
  const owner = byKey.get(parent.key);
  if (owner?.uid !== parent.uid || !isSafe(setup, owner)) return false;
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
    counted <= number &&
    present.every((object) => isOwn(object, parent.uid, isCounting)) &&
    // A replacement uses the claims of the pod that it stands for.
    children.every(({ namespace, pod }) =>
      (pod?.claims ?? []).every((name) => {
        const claim = byKey.get(keyOf({ kind: 'PersistentVolumeClaim', namespace, name }));
        return claim === undefined || isSafe(setup, claim);
      }),
    )
  );
}

/** These know their children by name, and delete pods that have ended. The others only count them. */
const NAMING: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

function isOwn(object: ApiObject, parent: Uid, isCounting: boolean): boolean {
  const controller = object.ownerReferences.find((reference) => reference.controller === true);
  if (controller?.uid !== parent || object.otherLabels === true) return false;
  return isCounting || object.pod?.finished !== true;
}

/** Whether nothing can delete the object: neither it nor an owner of it is asked for, or going already. */
function isSafe(setup: Setup, object: ApiObject): boolean {
  const { emptiedNamespaces = [], objects } = setup;
  const byUid = new Map(objects.map((candidate) => [candidate.uid, candidate]));
  const above = new Set([object]);
  for (const each of above) {
    if (isBeingDeleted(each) || isAsked(setup, each)) return false;
    if (emptiedNamespaces.includes(each.namespace)) return false;
    for (const { uid } of each.ownerReferences) {
      const owner = byUid.get(uid);
      if (owner === undefined) return false;
      above.add(owner);
    }
  }
  return true;
}
