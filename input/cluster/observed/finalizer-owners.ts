import { type ApiObject, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import type { Evidence } from '../doubts/evidence.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { definitionName } from '../links.ts';
import { remembered } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import { usedNames } from './uses.ts';

/** Which workloads of a dump may run the owner of a finalizer, by what stands in the objects. */

/** What a row says of the workloads that run an owner. */
export type OwnerNames = Pick<KnownFinalizer, 'owner' | 'workloads' | 'ownedBy'>;

/** Kinds that people write to run a controller. */
export const WORKLOADS: readonly string[] = [
  'Deployment.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
];

/** Those, and what they make to run it. */
export const RUNNING: readonly string[] = [...WORKLOADS, 'ReplicaSet.apps', 'Pod'];

/**
 * The workloads that may run the owner of a finalizer on these objects. Null: there are several,
 * each for other kinds or objects, and nothing says which is for these.
 */
export function ownersAmong(
  known: KnownFinalizer,
  objects: readonly ApiObject[],
  server: string,
  { dump, kinds, labels }: Evidence,
): readonly ApiObject[] | null {
  const named = ownersIn(dump)(known);
  const isMeant = (object: ApiObject): boolean =>
    known.ofDriver !== true || server === '' || isOfDriver(server, object);
  const found = named.filter(isMeant);
  const { ownedBy, namedBy } = known;
  if (ownedBy !== undefined && server !== '') {
    return found.filter(
      ({ namespace, ownerReferences }) =>
        namespace === objects[0]?.namespace &&
        ownerReferences.some(({ kind, name }) => kind === ownedBy && name === server),
    );
  }
  if (ownedBy !== undefined) {
    const definitions = new Set(objects.map(({ kind }) => definitionName(kinds[kind])));
    const ownersOf = (object: ApiObject): readonly string[] =>
      object.ownerReferences.flatMap(({ kind, uid }) => (kind === ownedBy ? [uid] : []));
    const installers = new Set(
      dump
        .filter(({ name, kind }) => definitions.has(name) && kind.startsWith('CustomResourceDef'))
        .flatMap(ownersOf),
    );
    const meant = found.filter((object) => ownersOf(object).some((uid) => installers.has(uid)));
    if (installers.size > 0) return meant;
    return new Set(found.flatMap(ownersOf)).size > 1 ? null : found;
  }
  if (namedBy === undefined) return found;
  const values = objects.map((object) => labels.get(keyOf(object))?.[namedBy]);
  return found.filter(({ name }) =>
    values.every((value) => value === undefined || name.startsWith(`${value}-`)),
  );
}

/** What an external attacher names its finalizer after: `GetFinalizerName`. */
const ATTACHER = 'external-attacher/';

/**
 * What tells the workload that runs the owner from others: the name of the object that owns it,
 * what its name begins with, or the CSI driver of a volume, attachment or stored snapshot, its dots
 * perhaps hyphens; empty: none, or not said.
 */
export function serverOf(
  object: ApiObject,
  finalizer: string,
  known: KnownFinalizer | null,
  { observations, labels }: Evidence,
): string {
  if (finalizer.startsWith(ATTACHER)) return finalizer.slice(ATTACHER.length);
  if (known?.namedBy !== undefined) return labels.get(keyOf(object))?.[known.namedBy] ?? '';
  const observed = observations.get(keyOf(object));
  if (known?.ownedBy !== undefined) return usedOf(observed, known.ownedBy);
  const isOfDriver =
    observed?.of === 'PersistentVolume' || observed?.of === 'VolumeSnapshotContent';
  return isOfDriver ? observed.driver : '';
}

/** The name of the object of this kind that an object says it uses; empty: not said. */
export function usedOf(observed: Observation | undefined, kind: string): string {
  return usedNames(observed?.marks, kind)[0] ?? '';
}

/** Parts of the names of drivers that do not tell one from the other. */
const OF_ANY_DRIVER: readonly string[] = [
  // Rook's two drivers differ in `rbd` and `cephfs`.
  ...['rook', 'ceph'],
  ...['csi', 'com', 'io', 'org', 'net', 'k8s', 'storage', 'driver', 'cloud', 'volume', 'aws'],
  ...['azure', 'google', 'gke', 'openstack', 'kubernetes', 'sigs', 'external', 'provisioner'],
];

/** What the workloads of a driver are named after, where its own name does not say it. */
const DRIVER_NAMES: Readonly<Record<string, string>> = {
  // Both have the pod of minikube.
  docker: 'storage-provisioner',
  dobs: 'csi-do',
  hetzner: 'hcloud',
  linodebs: 'linode',
  minikube: 'storage-provisioner',
  oraclecloud: 'oci',
};

export function isOfDriver(driver: string, { namespace, name }: ApiObject): boolean {
  return driver
    .split(/[./-]/)
    .filter((part) => !OF_ANY_DRIVER.includes(part))
    .some((part) => `${namespace}/${name}`.includes(DRIVER_NAMES[part] ?? part));
}

function isOwner(known: OwnerNames, object: ApiObject): boolean {
  if (known.ownedBy !== undefined) {
    return object.ownerReferences.some(({ kind }) => kind === known.ownedBy);
  }
  return namedWorkloads(known, object).length > 0;
}

/** Which of the names of workloads in the row fit the object. */
function namedWorkloads(
  { workloads = [] }: OwnerNames,
  { kind, namespace, name, ownerReferences }: ApiObject,
): readonly string[] {
  // ReplicaSets and pods have one or two more parts in their names, but a pod without an owner.
  const parts = name.split('-');
  const isAlone = ownerReferences.length === 0;
  const ofPod = isAlone ? [0, 1, 2] : [1, 2];
  const more = kind === 'Pod' ? ofPod : kind === 'ReplicaSet.apps' ? [1] : [0];
  const names = more.map((count) => parts.slice(0, parts.length - count).join('-'));
  return workloads.filter((workload) =>
    names.some((one) =>
      workload.includes('/')
        ? `${namespace}/${one}` === workload
        : `-${one}`.endsWith(`-${workload}`),
    ),
  );
}

/**
 * The workloads by the name in the row that fits best. Each may be the one that removes the
 * finalizer from an object, as the row does not say which does for which.
 */
export function alternativesAmong(
  known: KnownFinalizer,
  running: readonly ApiObject[],
): readonly (readonly ApiObject[])[] {
  const sorted = [...running].sort((a, b) => RUNNING.indexOf(a.kind) - RUNNING.indexOf(b.kind));
  const byName = groupedBy(sorted, (object) =>
    namedWorkloads(known, object).reduce(
      (best, name) => (name.length > best.length ? name : best),
      '',
    ),
  );
  return [...byName.values()];
}

/** Each of many objects asks for them. */
const ownersIn = remembered((dump: readonly ApiObject[]) => {
  const workloads = dump.filter(({ kind }) => RUNNING.includes(kind));
  return remembered((known: OwnerNames): readonly ApiObject[] =>
    workloads.filter((object) => isOwner(known, object)),
  );
});

/** The workloads of the dump that may run the owner of a finalizer, Deployments first. */
export function workloadsOf(known: OwnerNames, dump: readonly ApiObject[]): readonly ApiObject[] {
  return [...ownersIn(dump)(known)].sort(
    (a, b) => RUNNING.indexOf(a.kind) - RUNNING.indexOf(b.kind),
  );
}

/** Labels of groups that stand for no project. */
const OF_ANY_GROUP: readonly string[] = ['k8s', 'x-k8s', 'kubernetes', 'github'];

/**
 * Words that may be in the name of the owner of a finalizer: the kind, the labels of its group but
 * the last, and the first word of the finalizer.
 */
export function wordsOf(finalizer: string, kind: string): readonly string[] {
  const [own = '', ...labels] = kind.toLowerCase().split('.');
  const [domain = ''] = finalizer.split(/[./]/);
  const words = [own, labels[0] ?? '', ...labels.slice(1, -1), domain];
  return [...new Set(words)].filter((word) => word !== '' && !OF_ANY_GROUP.includes(word));
}

/** Words that are in the names of workloads of any project. */
const ANY_PROJECT: readonly string[] = [
  ...['app', 'apps', 'application', 'backup', 'cloud', 'cluster', 'config', 'controller', 'core'],
  ...['data', 'database', 'finalizer', 'infrastructure', 'io', 'job', 'manager', 'namespace'],
  ...['network', 'node', 'operator', 'pod', 'policy', 'resource', 'resources', 'secret', 'server'],
  ...['service', 'storage', 'system', 'task', 'topic', 'user', 'volume', 'web'],
];

/** Those of them that tell one project from the others. */
export function wordsFor(finalizer: string, kind: string): readonly string[] {
  return wordsOf(finalizer, kind).filter(
    (word) => word.length > 2 && !ANY_PROJECT.includes(word) && /^[a-z0-9-]+$/.test(word),
  );
}
