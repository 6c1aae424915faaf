import {
  type ApiObject,
  allFinalizers,
  keyOf,
  refusedDeletion,
  type Setup,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import { rootIn } from '../../text/orders.ts';
import type { ClusterAround } from './around.ts';
import { definitionNamed } from './containers/emptied.ts';
import { definitionName } from './links.ts';
import { restrictedTo } from './parts.ts';

/** A part of a setup that nothing outside of it influences, with its share of what surrounds it. */
export interface Component {
  readonly setup: Setup;
  readonly cluster: ClusterAround;
  /** Two components with the same signature differ only in names; null: not known. */
  readonly signature: string | null;
}

/**
 * Splits the objects of a setup, in which no user sends requests for them, into parts that cannot
 * influence each other. The fates of a part alone are then its fates in the whole.
 *
 * Argument: each step of an actor reads and writes one object, and what it finds by that object's
 * owner references (by uid, also of an owner that is missing and has one virtual node; by name, in
 * the live lookup, which needs the definition of the owner's kind), dependents, namespace,
 * definition, claims, volume, node, or by the controller that manages it. All of these are in the
 * same part. What remains common are the collector's queues and workers, the watch streams, and the
 * budgets of disturbances. Items in queues do not affect each other's handling, and each is handled
 * at some time; so the steps of one part in a fair run of the whole are a fair run of that part,
 * and fair runs of all parts can be interleaved to a fair run of the whole. A budget counts for
 * each part alone, which permits more runs, never fewer.
 */
export function components(setup: Setup, cluster: ClusterAround): readonly Component[] {
  const groups = connected(setup);
  return groups.map((objects) => restricted(setup, cluster, objects));
}

function connected(setup: Setup): readonly (readonly ApiObject[])[] {
  const { objects, workloads = [], operators = [] } = setup;
  const parent = new Map<string, string>();
  const find = (node: string): string => rootIn(parent, node);
  const join = (one: string, other: string): void => {
    if (!parent.has(one)) parent.set(one, one);
    if (!parent.has(other)) parent.set(other, other);
    parent.set(find(one), find(other));
  };
  const namespaces = namesOf('Namespace', objects);
  const nodes = namesOf('Node', objects);
  for (const object of objects) {
    for (const place of [placeOf(object), ...neighbours(object, namespaces, nodes, setup)]) {
      join(object.uid, place);
    }
  }
  const keys = new Map<string, string>(objects.map((object) => [keyOf(object), object.uid]));
  const uids = new Set(objects.map(({ uid }) => uid));
  for (const managed of [...workloads, ...operators]) {
    const named = JSON.stringify(managed).match(/"[^"\\]+"/g) ?? [];
    const mentioned = named.map((word) => word.slice(1, -1));
    const found = mentioned.flatMap((word) => (uids.has(word) ? [word] : (keys.get(word) ?? [])));
    for (const uid of found) join(found[0] ?? uid, uid);
  }
  return [...groupedBy(objects, ({ uid }) => find(uid)).values()];
}

function namesOf(wanted: string, objects: readonly ApiObject[]): ReadonlySet<string> {
  return new Set(objects.flatMap(({ kind, name }) => (kind === wanted ? [name] : [])));
}

/** Where a reference without its group and uid finds an object. */
function placeOf({ kind, namespace, name }: Pick<ApiObject, 'kind' | 'namespace' | 'name'>) {
  return `at ${kind.split('.')[0]}/${namespace}/${name}`;
}

/** Everything that an object has in common with the others of its part. */
function neighbours(
  { ownerReferences, namespace, name, kind, pod, volume }: ApiObject,
  namespaces: ReadonlySet<string>,
  nodes: ReadonlySet<string>,
  { kinds, definitions = [] }: Setup,
): readonly string[] {
  // Once the definition is gone, the collector cannot look up an owner of the kind.
  const definers = [
    definitionName(kinds[kind]),
    ...ownerReferences.map((owner) => definitionNamed({ kinds }, owner)),
  ];
  return [
    ...ownerReferences.flatMap((owner) => [
      owner.uid,
      placeOf({ ...owner, namespace }),
      placeOf({ ...owner, namespace: '' }),
    ]),
    ...(namespaces.has(namespace)
      ? [placeOf({ kind: 'Namespace', namespace: '', name: namespace })]
      : []),
    ...definers.flatMap((name) =>
      definitions.some((key) => key.endsWith(`/${name}`))
        ? [placeOf({ kind: 'CustomResourceDefinition', namespace: '', name })]
        : [],
    ),
    ...(pod?.claims ?? []).map((claim) =>
      placeOf({ kind: 'PersistentVolumeClaim', namespace, name: claim }),
    ),
    ...(volume === undefined ? [] : [`claim ${volume.claim}`]),
    ...(kind === 'PersistentVolumeClaim' ? [`claim ${keyOf({ kind, namespace, name })}`] : []),
    ...(pod?.node === undefined || !nodes.has(pod.node)
      ? []
      : [placeOf({ kind: 'Node', namespace: '', name: pod.node })]),
  ];
}

function restricted(
  setup: Setup,
  cluster: ClusterAround,
  objects: readonly ApiObject[],
): Component {
  const keys = new Set(objects.map(keyOf));
  const named = new Set(
    objects.flatMap(({ uid, ownerReferences }) => [uid, ...ownerReferences.map((one) => one.uid)]),
  );
  const finalizers = new Set(objects.flatMap(allFinalizers));
  const part = restrictedTo(setup, objects);
  const around: ClusterAround = {
    ...cluster,
    finalizers: cluster.finalizers.filter(({ finalizer }) => finalizers.has(finalizer)),
    unknownOwners: cluster.unknownOwners.filter(({ reference }) => named.has(reference.uid)),
    doubtfulOwners: cluster.doubtfulOwners.filter(({ dependents }) =>
      dependents.some((key) => keys.has(key)),
    ),
    unknownContents: cluster.unknownContents.filter(({ object }) => keys.has(object)),
    replaced: cluster.replaced.filter(({ object }) => keys.has(object)),
    tracking: cluster.tracking.filter(({ object }) => keys.has(object)),
    besides: cluster.besides.filter(({ object }) => keys.has(object)),
    doubts: cluster.doubts.filter(({ object }) => keys.has(object)),
    refused: cluster.refused.filter(({ object }) => keys.has(object)),
  };
  return { setup: part, cluster: around, signature: signatureOf(part, around) };
}

/**
 * The part with its names and uids replaced by numbers, in the order of the objects. Nothing in the
 * model depends on names except what these fields refer to, and the objects that the API server
 * spares by their names. Null for a part with one of those, or with actors that are described by
 * names elsewhere.
 */
export function signatureOf(setup: Setup, cluster: ClusterAround): string | null {
  const { objects, workloads, operators, emptiedNamespaces, definitions, ...rest } = setup;
  const actors = [workloads, operators, emptiedNamespaces, definitions];
  const { unknownContents, replaced, tracking, refused, doubtfulOwners } = cluster;
  const described = [...actors, unknownContents, replaced, tracking, refused, doubtfulOwners];
  if (described.some((list) => (list ?? []).length > 0)) return null;
  const isSpared = (object: ApiObject): boolean =>
    refusedDeletion(setup.kinds[object.kind], keyOf(object)) !== null;
  if (objects.some(isSpared)) return null;
  const numbers = new Map<string, number>();
  const number = (...words: readonly string[]): number => {
    const word = JSON.stringify(words);
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  };
  const nameOf = (kind: string, namespace: string, name: string): number =>
    number('name', kind.split('.')[0] ?? kind, namespace, name);
  const namespaceOf = (namespace: string): number | '' =>
    namespace === '' ? '' : number('namespace', namespace);
  const unknown = new Set(cluster.unknownOwners.map(({ reference }) => reference.uid));
  const { name: _name, rules: _rules, kinds: _kinds, users, ...settings } = rest;
  // A node that a setting names is lost; all others are alike.
  const said = JSON.stringify([settings, users]);
  const nodeOf = (node: string): number | string =>
    said.includes(JSON.stringify(node)) ? node : nameOf('Node', '', node);
  const renamed = objects.map((object) => {
    const { kind, namespace, name, uid, ownerReferences, pod, volume, ...own } = object;
    return {
      kind,
      namespace: namespaceOf(namespace),
      name: nameOf(kind, namespace, name),
      uid: number('uid', uid),
      stands: unknown.has(uid),
      owners: ownerReferences.map((owner) => ({
        ...owner,
        uid: number('uid', owner.uid),
        name: [nameOf(owner.kind, namespace, owner.name), nameOf(owner.kind, '', owner.name)],
      })),
      pod:
        pod === undefined
          ? null
          : {
              ...pod,
              ...(pod.node === undefined ? {} : { node: nodeOf(pod.node) }),
              claims: (pod.claims ?? []).map((claim) =>
                nameOf('PersistentVolumeClaim', namespace, claim),
              ),
            },
      volume:
        volume === undefined
          ? null
          : {
              ...volume,
              claim: number('claim', volume.claim),
              claimUid: volume.claimUid === undefined ? null : number('uid', volume.claimUid),
            },
      claim: kind === 'PersistentVolumeClaim' ? number('claim', keyOf(object)) : null,
      own,
    };
  });
  const keys = new Map<string, string>(
    objects.map((object, index) => [keyOf(object), `object ${index}`]),
  );
  const judged = cluster.finalizers.map(({ finalizer, judgement, rows }) => [
    ...[finalizer, judgement],
    ...rows.map((row) => [
      row.judgement,
      row.byHand,
      row.objects.flatMap((key) => keys.get(key) ?? []),
    ]),
  ]);
  const doubts = cluster.doubts.map((doubt) => ({ ...doubt, object: keys.get(doubt.object) }));
  const requests = JSON.parse(JSON.stringify(users), (_key, value: unknown) =>
    typeof value === 'string' ? (keys.get(value) ?? value) : value,
  ) as unknown;
  return JSON.stringify([renamed, settings, requests, judged, doubts, cluster.admitted]);
}
