import { type ApiObject, type KindTable, keyOf, type Setup, type Uid } from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';

/**
 * Objects of a setup that are alike: they have the same owners, and differ only in names, uids and
 * in kinds that deletion treats in the same way.
 */
export interface AlikeSetup {
  readonly setup: Setup;
  /** For each object that was left out: the kept object that it is like. */
  readonly likeness: ReadonlyMap<Uid, Uid>;
  /** The groups of which members were left out. */
  readonly groups: readonly AlikeGroup[];
  /** By uid, the same for objects that are alike, however many of them are kept. */
  readonly classes: ReadonlyMap<Uid, string>;
}

export interface AlikeGroup {
  /** Uids of the kept members. */
  readonly kept: readonly Uid[];
  /** Number of all members, the kept ones included. */
  readonly size: number;
}

/** A setup of which nothing is left out. */
export function complete(setup: Setup): AlikeSetup {
  return { setup, likeness: new Map(), groups: [], classes: new Map() };
}

/**
 * Keeps at most `most` of the objects in each group of siblings that are alike, with everything
 * beneath them. What is found for the smaller setup is evidence about the whole, not a proof.
 * Null: nothing can be left out.
 */
export function thinned(setup: Setup, most: number): AlikeSetup | null {
  const colors = colorsOf(setup);
  const special = specialUids(setup);
  const families = groupedBy(
    setup.objects.filter(({ uid }) => !special.has(uid)),
    ({ uid, ownerReferences, namespace }) => {
      const owners = ownerReferences.map((owner) => owner.uid).sort();
      return JSON.stringify([colors.get(uid), owners, namespace]);
    },
  );
  const large = [...families.values()].filter((members) => members.length > most);
  const dropped = new Set(large.flatMap((members) => members.slice(most).map(({ uid }) => uid)));
  if (dropped.size === 0) return null;
  const left = withDependents(dropped, setup);
  const kept = setup.objects.filter(({ uid }) => !left.has(uid));
  const keptUids = new Set(kept.map(({ uid }) => uid));
  // A dependent of a left out and of a kept object would be missing beneath the kept one.
  const torn = setup.objects.some(
    ({ uid, ownerReferences }) =>
      left.has(uid) &&
      !dropped.has(uid) &&
      ownerReferences.some((owner) => keptUids.has(owner.uid)),
  );
  if (torn) return null;
  return {
    setup: { ...setup, objects: kept },
    likeness: likenessTo(kept, setup, colors),
    classes: colors,
    groups: large
      .filter((members) => keptUids.has(members[0]?.uid ?? ''))
      .map((members) => ({
        kept: members.slice(0, most).map(({ uid }) => uid),
        size: members.length,
      })),
  };
}

/** For each object of the setup that is not among the kept ones: a kept one that is like it. */
export function likenessTo(
  kept: readonly ApiObject[],
  setup: Setup,
  colors: ReadonlyMap<Uid, string> = colorsOf(setup),
): ReadonlyMap<Uid, Uid> {
  const keptUids = new Set(kept.map(({ uid }) => uid));
  const byColor = new Map([...kept].reverse().map(({ uid }) => [colors.get(uid), uid] as const));
  return new Map(
    setup.objects.flatMap(({ uid }): [Uid, Uid][] => {
      const like = byColor.get(colors.get(uid));
      return keptUids.has(uid) || like === undefined ? [] : [[uid, like]];
    }),
  );
}

/** The objects that are left out, with all that have an owner among them. */
function withDependents(dropped: ReadonlySet<Uid>, { objects }: Setup): ReadonlySet<Uid> {
  const found = new Set(dropped);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { uid, ownerReferences } of objects) {
      if (ownerReferences.some((owner) => found.has(owner.uid))) found.add(uid);
    }
  }
  return found;
}

/** Whether the object is a namespace that its controller empties. */
export function isEmptied(
  { emptiedNamespaces = [] }: Setup,
  { kind, name }: Pick<ApiObject, 'kind' | 'name'>,
): boolean {
  return kind === 'Namespace' && emptiedNamespaces.includes(name);
}

/**
 * Objects that a request, a workload, a definition or an operator names are like no other. Nor are
 * namespaces that are being emptied: what is in them tells them apart.
 */
function specialUids(setup: Setup): Set<Uid> {
  const { objects, users, workloads = [], definitions = [], operators = [] } = setup;
  const named = JSON.stringify([users, workloads, definitions, operators]);
  return new Set(
    objects
      .filter(
        (object) =>
          isEmptied(setup, object) ||
          named.includes(JSON.stringify(keyOf(object))) ||
          named.includes(`"${object.uid}`),
      )
      .map(({ uid }) => uid),
  );
}

/**
 * Colour refinement: two objects have the same colour if no chain of owners, dependents, claims or
 * volumes tells them apart.
 *
 * @param tellKinds whether kinds that deletion treats in the same way differ: each kind has a watch
 *   stream of its own.
 */
export function colorsOf(setup: Setup, tellKinds = false): ReadonlyMap<Uid, string> {
  const { objects, kinds } = setup;
  const special = specialUids(setup);
  const byKey = new Map(objects.map((object) => [keyOf(object), object.uid]));
  const dependents = new Map<Uid, Uid[]>();
  const claimants = new Map<Uid, Uid[]>();
  const push = (map: Map<Uid, Uid[]>, key: Uid, value: Uid): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [value]);
    else known.push(value);
  };
  for (const { uid, ownerReferences, pod, namespace, volume } of objects) {
    for (const owner of ownerReferences) push(dependents, owner.uid, uid);
    const claims = (pod?.claims ?? []).map((name) => `PersistentVolumeClaim/${namespace}/${name}`);
    for (const key of [...claims, ...(volume === undefined ? [] : [volume.claim])]) {
      push(claimants, byKey.get(key) ?? '', uid);
    }
  }
  let colors = new Map(
    objects.map((object) => [
      object.uid,
      special.has(object.uid)
        ? object.uid
        : `${tellKinds ? object.kind : ''} ${ownSignature(object, kinds)}`,
    ]),
  );
  for (let count = 0; ; ) {
    const of = (uid: Uid): string => colors.get(uid) ?? `absent ${uid}`;
    const many = (uids: readonly Uid[] = []): readonly string[] => uids.map(of).sort();
    const next = new Map(
      objects.map((object) => [
        object.uid,
        JSON.stringify([
          of(object.uid),
          object.ownerReferences.map(
            ({ uid, apiVersion, kind, controller, blockOwnerDeletion }) => [
              ...[of(uid), apiVersion, kind, controller ?? null, blockOwnerDeletion ?? null],
            ],
          ),
          many(dependents.get(object.uid)),
          many(claimants.get(object.uid)),
          many(
            (object.pod?.claims ?? []).map(
              (name) => byKey.get(`PersistentVolumeClaim/${object.namespace}/${name}`) ?? name,
            ),
          ),
          object.volume === undefined
            ? null
            : of(byKey.get(object.volume.claim) ?? object.volume.claim),
        ]),
      ]),
    );
    // Short names, so that the signatures do not grow from round to round.
    const short = new Map([...new Set(next.values())].map((text, index) => [text, `${index}`]));
    colors = new Map([...next].map(([uid, text]) => [uid, short.get(text) ?? text]));
    if (short.size === count) return colors;
    count = short.size;
  }
}

/** What tells an object from others by itself: all but its names, and those of its claims. */
export function ownSignature(object: ApiObject, kinds: KindTable): string {
  const { kind, name: _name, uid: _uid, ownerReferences: _owners, pod, volume, ...rest } = object;
  const {
    name: _kindName,
    kind: _kind,
    apiVersions: _versions,
    resource: _resource,
    ...nature
  } = kinds[kind] ?? { name: '', kind: '', apiVersions: [], resource: '' };
  const { node, claims: _claims, ...grace } = pod ?? {};
  return JSON.stringify([
    nature,
    // Kinds for which an actor of the model does more than for others.
    ACTED_ON.has(kind) ? kind : null,
    rest,
    pod === undefined
      ? null
      : // Only nodes that matter are left in a setup: lost ones, and those that are deleted.
        [grace, node ?? null],
    volume === undefined ? null : [volume.bound, volume.claimUid !== undefined],
  ]);
}

const ACTED_ON: ReadonlySet<string> = new Set([
  ...['Namespace', 'Node', 'Pod', 'PersistentVolumeClaim', 'PersistentVolume'],
  ...['Deployment.apps', 'ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps'],
  ...['Job.batch', 'CronJob.batch', 'Service', 'Endpoints'],
]);
