import {
  type ApiObject,
  type Deletion,
  isBeingDeleted,
  type ObjectKey,
  type Operator,
  objectKey,
  requestsOf,
  type Setup,
  type Uid,
} from '../../../model/index.ts';
import { byKeyIn, dependentsIn } from '../lookups.ts';

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
 * Of earlier waves, an object that surely goes once its DELETE is sent only takes time, and is left
 * out.
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
  const objectsOf = (keys: readonly ObjectKey[]): readonly ApiObject[] =>
    keys.flatMap((key) => byKey.get(key) ?? []);
  const around = (held: readonly ApiObject[]): readonly Uid[] =>
    held.flatMap(({ uid }) => treeOf.get(uid) ?? [uid]);
  const goesAtOnce = (object: ApiObject): boolean =>
    treeOf.get(object.uid)?.length === 1 && isBare(setup, object);
  return operators.flatMap((operator) => {
    const { deletes, pausedBy = [] } = operator;
    const isPausing = (key: ObjectKey): boolean => mayBeDeletedBeside(setup, operator, key);
    const pausing = around(objectsOf(pausedBy.filter(isPausing)));
    const earlier = new Set<Uid>();
    return wavesOf(deletes).flatMap((keys) => {
      const wave = objectsOf(keys);
      const before = [...new Set([...earlier, ...pausing])];
      for (const uid of around(wave.filter((one) => !goesAtOnce(one)))) earlier.add(uid);
      return wave.flatMap(({ uid }) => before.map((to) => [uid, to] as const));
    });
  });
}

/** The objects of each wave. */
export function wavesOf(deletes: readonly Deletion[]): readonly (readonly ObjectKey[])[] {
  const waves: ObjectKey[][] = [];
  deletes.forEach(({ key, wave }, place) => {
    const isNew = wave === undefined || wave !== deletes[place - 1]?.wave;
    if (isNew) waves.push([key]);
    else waves.at(-1)?.push(key);
  });
  return waves;
}

/** Whether nothing holds the object, nothing is beneath it, and no controller empties it. */
function isBare({ kinds, objects }: Setup, object: ApiObject): boolean {
  const { kind, uid, finalizers, ownerReferences, pod, volume } = object;
  return (
    kinds[kind]?.storage === 'generic' &&
    finalizers.length + ownerReferences.length === 0 &&
    pod === undefined &&
    volume === undefined &&
    kind !== 'PersistentVolumeClaim' &&
    !dependentsIn(objects).has(uid)
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

/**
 * The controller of a namespace that nothing but the operator deletes begins once the whole wave is
 * on its way.
 */
export function withoutItsNamespaces(setup: Setup, operator: Operator): Setup {
  const { emptiedNamespaces = [] } = setup;
  const others = emptiedNamespaces.filter(
    (name) =>
      !isDeletedBy(operator, name) || mayBeDeletedBeside(setup, operator, namespaceKey(name)),
  );
  return { ...setup, emptiedNamespaces: others };
}

export function isDeletedBy({ deletes }: Operator, namespace: string): boolean {
  return deletes.some(({ key }) => key === namespaceKey(namespace));
}

function namespaceKey(name: string): ObjectKey {
  return objectKey('Namespace', '', name);
}
