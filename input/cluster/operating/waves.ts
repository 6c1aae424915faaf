import {
  type ApiObject,
  isBeingDeleted,
  type ObjectKey,
  type Operator,
  requestsOf,
  type Setup,
  type Uid,
} from '../../../model/index.ts';
import { byKeyIn } from '../lookups.ts';

/** The operator where these objects are left out. */
export function withoutKeys(operator: Operator, isLeft: (key: string) => boolean): Operator {
  const { deletes, waitsFor, pausedBy } = operator;
  return {
    ...operator,
    deletes: deletes.filter(({ key }) => !isLeft(key)),
    waitsFor: waitsFor.filter((key) => !isLeft(key)),
    ...(pausedBy === undefined ? {} : { pausedBy: pausedBy.filter((key) => !isLeft(key)) }),
  };
}

/**
 * From what an operator deletes to what may hold its DELETE back: the objects of earlier waves and
 * those that pause the operator, each with the tree in which it is, whose objects may hold it.
 *
 * Of earlier waves, an object that surely goes once its DELETE is sent only takes time, and is left out.
 *
 * @param trees what is connected without operators.
 */
export function waveLinks(
  setup: Setup,
  trees: readonly (readonly Uid[])[],
): readonly (readonly [from: Uid, to: Uid])[] {
  const { operators = [], objects } = setup;
  if (!operators.some(({ deletes }) => deletes.length > 0)) return [];
  const byKey = byKeyIn(objects);
  const treeOf = new Map(trees.flatMap((uids) => uids.map((uid) => [uid, uids] as const)));
  const goesAtOnce = (object: ApiObject): boolean =>
    treeOf.get(object.uid)?.length === 1 && isBare(setup, object);
  return operators.flatMap((operator) => {
    const { deletes, pausedBy = [] } = operator;
    const pausing = pausedBy.filter((key) => mayBeDeletedBeside(setup, operator, key));
    return deletes.flatMap(({ key, wave }, place) => {
      const from = byKey.get(key);
      if (from === undefined) return [];
      const earlier = deletes
        .slice(0, place)
        .flatMap((one) => (wave === undefined || one.wave !== wave ? [one.key] : []))
        .filter((one) => !goesAtOnce(byKey.get(one) ?? from));
      const held = [...earlier, ...pausing].flatMap((one) => byKey.get(one) ?? []);
      const around = new Set(held.flatMap(({ uid }) => treeOf.get(uid) ?? [uid]));
      return [...around].map((to) => [from.uid, to] as const);
    });
  });
}

/** Whether nothing holds the object, nothing is beneath it, and no controller empties it. */
function isBare({ kinds, objects }: Setup, object: ApiObject): boolean {
  const { kind, uid, finalizers, ownerReferences, pod, volume } = object;
  const isOwner = objects.some((other) => other.ownerReferences.some((one) => one.uid === uid));
  return (
    kinds[kind]?.storage === 'generic' &&
    finalizers.length + ownerReferences.length === 0 &&
    pod === undefined &&
    volume === undefined &&
    kind !== 'PersistentVolumeClaim' &&
    !isOwner
  );
}

/** Whether anything but the operator may delete the object. */
export function mayBeDeletedBeside(setup: Setup, operator: Operator, key: ObjectKey): boolean {
  const { objects, operators = [], emptiedNamespaces = [], definitions = [] } = setup;
  const object = byKeyIn(objects).get(key);
  if (object === undefined) return false;
  return (
    isBeingDeleted(object) ||
    object.ownerReferences.length > 0 ||
    object.pod !== undefined ||
    emptiedNamespaces.includes(object.namespace) ||
    definitions.length > 0 ||
    requestsOf(setup).some((request) => !('key' in request) || request.key === key) ||
    operators.some((other) => other !== operator && other.deletes.some((one) => one.key === key))
  );
}
