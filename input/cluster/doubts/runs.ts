import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { isRunningPod } from '../links.ts';
import { byKeyIn, byUidIn, remembered } from '../lookups.ts';
import type { Observation, WorkloadObservation } from '../observations.ts';
import type { Evidence } from './evidence.ts';

/**
 * Why this workload is no evidence that the owner of a finalizer acts for these objects: a clause;
 * null: it is.
 */
export function faultOf(
  object: ApiObject,
  objects: readonly ApiObject[],
  evidence: Evidence,
): string | null {
  const { goes, nodes } = evidence;
  if (isBeingDeleted(object)) return 'is being deleted';
  if (goes(object)) return 'may be deleted first';
  if (object.pod !== undefined && !isRunningPod(object, nodes)) return 'does not run';
  // A pod, or a ReplicaSet, does no more than the workload that has it.
  for (const one of workloadsAbove(object, evidence)) {
    const fault = stateFault(one, objects, evidence);
    if (fault !== null) return one === object ? fault : `is of ${displayName(one)}, which ${fault}`;
  }
  return null;
}

/** The object, and all that own it. */
function workloadsAbove(object: ApiObject, { dump }: Evidence): ReadonlySet<ApiObject> {
  const byUid = byUidIn(dump);
  const found = new Set([object]);
  for (const { ownerReferences } of found) {
    for (const { uid } of ownerReferences) {
      const owner = byUid.get(uid);
      if (owner !== undefined) found.add(owner);
    }
  }
  return found;
}

function stateFault(
  object: ApiObject,
  objects: readonly ApiObject[],
  evidence: Evidence,
): string | null {
  const observed = evidence.observations.get(keyOf(object));
  if (observed?.of !== 'workload') return null;
  if (observed.replicas === 0) return 'has 0 replicas';
  if (observed.ready === 0) return 'has no ready pod';
  return (
    lostRights(object, observed, evidence) ??
    outOfSight(object, observed, objects) ??
    leaseFault(object, evidence)
  );
}

/** A controller whose account, bindings or roles go can no longer remove a finalizer. */
function lostRights(
  { namespace }: ApiObject,
  { serviceAccount }: WorkloadObservation,
  evidence: Evidence,
): string | null {
  const going = goingRightsIn(evidence).get(`${namespace}/${serviceAccount || 'default'}`);
  return going === undefined ? null : `loses its rights with ${displayName(going)}`;
}

/** By `namespace/name` of an account: the first object with which its rights go. */
const goingRightsIn = remembered((evidence: Evidence): ReadonlyMap<string, ApiObject> => {
  const { dump, goes, observations } = evidence;
  const roles = new Map(
    dump.filter(({ kind }) => ROLES.test(kind)).map((object) => [roleKey(object), object]),
  );
  const found = new Map<string, ApiObject>();
  for (const object of dump) {
    const observed = observations.get(keyOf(object));
    const isAccount = object.kind === 'ServiceAccount';
    const binds = observed?.of === 'binding' ? observed.accounts : [];
    const accounts = isAccount ? [`${object.namespace}/${object.name}`] : binds;
    if (accounts.length === 0) continue;
    const bound = observed?.names?.find(({ kind }) => kind.endsWith('Role'));
    const role = bound && roles.get(roleKey({ ...bound, namespace: object.namespace }));
    const going = [object, role].find((one) => one !== undefined && goes(one));
    if (going === undefined) continue;
    for (const account of accounts) if (!found.has(account)) found.set(account, going);
  }
  return found;
});

/** Other groups have kinds of the same name. */
const ROLES = /^(Cluster)?Role\.rbac\.authorization\.k8s\.io$/;

function roleKey({
  kind,
  namespace,
  name,
}: Pick<ApiObject, 'kind' | 'namespace' | 'name'>): string {
  const [plain] = kind.split('.');
  return `${plain}/${plain === 'ClusterRole' ? '' : namespace}/${name}`;
}

/** It watches other namespaces than those of the objects. */
function outOfSight(
  { kind, namespace: own, name }: ApiObject,
  { watches }: WorkloadObservation,
  objects: readonly ApiObject[],
): string | null {
  if (watches === null) return null;
  const seen = watches.namespaces?.map((name) => name || own);
  const missed = objects.find(({ namespace }) => namespace !== '' && !seen?.includes(namespace));
  if (seen === undefined && missed !== undefined) {
    const get = `kubectl describe ${kind.split('.')[0]?.toLowerCase()}/${name} -n ${own}`;
    return `watches the namespaces of ${watches.by}, whose value the dump does not show: ${get}`;
  }
  return missed === undefined || seen === undefined
    ? null
    : `watches ${seen.join(', ')} only (${watches.by}), and not ${missed.namespace}`;
}

/** Leaders renew their leases within seconds; this leaves time for clocks that differ. */
const STALE = 5 * 60;

/**
 * Its leader has not renewed its lease for long, by the newest lease of the dump. The name of the
 * holder begins with that of its pod.
 */
function leaseFault(
  { namespace, name }: ApiObject,
  { dump, observations }: Evidence,
): string | null {
  const { byHolder, newest } = leasesIn(dump)(observations);
  const held = byHolder.get(`${namespace}/${name}`) ?? [];
  const last = Math.max(...held.map(({ renewed }) => renewed));
  const seconds = (newest - last) / 1000;
  const lease = held.find(({ renewed }) => renewed === last)?.lease;
  return lease === undefined || seconds <= STALE
    ? null
    : `last renewed ${displayName(lease)} ${Math.floor(seconds / 60)} minutes before others renewed theirs`;
}

interface Held {
  readonly lease: ApiObject;
  /** In milliseconds. */
  readonly renewed: number;
}

/** The leases of a dump by the workload whose pod holds them, as `namespace/name`. */
const leasesIn = remembered((dump: readonly ApiObject[]) =>
  remembered((observations: ReadonlyMap<string, Observation>) => {
    const all = dump.flatMap((lease) => {
      const observed = observations.get(keyOf(lease));
      if (observed?.of !== 'Lease' || observed.renewed === null) return [];
      return [{ lease, holder: observed.holder, renewed: Date.parse(observed.renewed) }];
    });
    const byName = byKeyIn(dump);
    const workloadOf = ({ lease, holder }: (typeof all)[number]): string => {
      // The longest name: another workload can have one that begins with it.
      const parts = holder.split('-');
      for (let length = parts.length; length > 0; length--) {
        const name = parts.slice(0, length).join('-');
        for (const kind of ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps']) {
          if (byName.has(keyOf({ kind, namespace: lease.namespace, name }))) {
            return `${lease.namespace}/${name}`;
          }
        }
      }
      return '';
    };
    const newest = all.reduce((latest, { renewed }) => Math.max(latest, renewed), 0);
    const byHolder: ReadonlyMap<string, readonly Held[]> = groupedBy(all, workloadOf);
    return { byHolder, newest };
  }),
);
