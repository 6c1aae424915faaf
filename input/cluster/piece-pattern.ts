import { type ApiObject, keyOf, type Setup, type Uid } from '../../model/index.ts';
import { definitionNamed } from './containers/emptied.ts';
import { ownSignature, usesWithin } from './likeness/colors.ts';
import { definitionName } from './links.ts';

/**
 * The same for pieces that differ only in names, uids, lengths of grace periods and in kinds that
 * nothing tells apart: what is shown of one is true of the other, place by place.
 *
 * A node is known by its name to the pods on it, and to the settings that say whether its machine
 * is gone and whether it is out of service. Nothing else reads that name.
 */
export function patternOf(piece: Setup): string {
  const { objects, kinds, ...rest } = withRankedSeconds(piece);
  const places = placesOf(objects.map(({ uid }) => [uid]));
  const placeOf = (uid: Uid): number => places.get(uid) ?? -1;
  const namespaces = placesOf(
    objects.map(({ kind, name, namespace }) => [
      namespace,
      ...(kind === 'Namespace' ? [name] : []),
    ]),
  );
  const nodeOf = ({ kind, name, pod }: Setup['objects'][number]): string | undefined =>
    kind === 'Node' ? name : pod?.node;
  const nodes = placesOf(
    objects.map((object) => {
      const node = nodeOf(object);
      return node === undefined ? [] : [node];
    }),
  );
  const kindPlaces = placesOf(objects.map(({ kind }) => [kind]));
  const keys = placesOf(objects.map((object) => [keyOf(object)]));
  const byPlace = <Value>(record: Readonly<Record<Uid, Value>> = {}): unknown =>
    Object.entries(record).map(([uid, value]) => [placeOf(uid), value]);
  const named = new Set(objects.flatMap(({ finalizers }) => finalizers));
  /** The object that is this definition, if its controller empties that. */
  const definitionAt = (name: string): readonly number[] =>
    (rest.definitions ?? []).flatMap((key) =>
      key.endsWith(`//${name}`) ? [keys.get(key) ?? -1] : [],
    );
  /** Its Node or the first pod on it, and what settings say of it. */
  const nodeAs = (name: string | undefined): readonly unknown[] | null =>
    name === undefined
      ? null
      : [
          nodes.get(name),
          rest.lostNodes?.includes(name) === true,
          rest.podGc?.outOfService?.includes(name) === true,
        ];
  return JSON.stringify([
    objects.map((object) => [
      ownSignature(withoutNode({ ...object, namespace: '' }), kinds),
      nodeAs(nodeOf(object)),
      // Its namespace, or the first object that is in the same one.
      namespaces.get(object.namespace),
      // Each kind has a watch stream of its own.
      kindPlaces.get(object.kind),
      object.ownerReferences.map(({ uid, apiVersion, kind, blockOwnerDeletion, controller }) => [
        ...[placeOf(uid), blockOwnerDeletion ?? null, controller ?? null],
        // What is not there may have a name that nothing is served under, now or later.
        ...(placeOf(uid) < 0
          ? [apiVersion, kind, definitionAt(definitionNamed({ kinds }, { apiVersion, kind }))]
          : []),
      ]),
    ]),
    usesWithin(objects),
    // A user sends its requests in their order; the names of users do not matter.
    Object.values(rest.users).map((steps) =>
      steps.map(({ request }) =>
        'key' in request ? [keys.get(request.key) ?? -1, { ...request, key: '' }] : request,
      ),
    ),
    Object.entries(rest.finalizers).filter(([finalizer]) => named.has(finalizer)),
    byPlace(rest.otherDependents),
    byPlace(rest.otherOwners),
    objects.map((object) => rest.otherUsers?.[keyOf(object)] ?? null),
    objects.map(({ kind }) => definitionAt(definitionName(kinds[kind]))),
    // The controller of a namespace goes through the kinds in their order.
    (rest.emptiedNamespaces ?? []).length === 0 ? null : objects.map(({ kind }) => kind),
  ]);
}

/** All but the name of its node. */
function withoutNode(object: ApiObject): ApiObject {
  const { kind, pod } = object;
  if (kind === 'Node') return { ...object, name: '' };
  if (pod?.node === undefined) return object;
  return { ...object, pod: { ...pod, node: '' } };
}

/** The first place at which each word is found. */
function placesOf(words: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [place, those] of words.entries()) {
    for (const word of those) if (!found.has(word)) found.set(word, place);
  }
  return found;
}

const SECONDS: ReadonlySet<string> = new Set([
  ...['terminationGracePeriodSeconds', 'gracePeriodSeconds'],
  ...['deletionGracePeriodSeconds', 'deletionTimestamp'],
]);

/**
 * Grace periods are only compared with each other and with 0 (`beforeDelete`), or said to be there
 * (`estimateGracefulTerminationForPods`), so their order is as good as their length. 0 and 1 stay, as
 * a negative one becomes 1.
 */
function withRankedSeconds(piece: Setup): Setup {
  const found = new Set<number>();
  const text = JSON.stringify(piece, (key, value) => {
    if (SECONDS.has(key) && typeof value === 'number' && value > 1) found.add(value);
    return value;
  });
  const ranked = [...found].sort((one, other) => one - other);
  return JSON.parse(text, (key, value) =>
    SECONDS.has(key) && value > 1 ? 2 + ranked.indexOf(value) : value,
  );
}
