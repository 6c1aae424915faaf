import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { isRunningPod } from '../links.ts';
import { byKeyIn, remembered } from '../lookups.ts';
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
  const { dump, goes, observations, nodes } = evidence;
  if (isBeingDeleted(object)) return 'is being deleted';
  if (goes(object)) return 'may be deleted first';
  if (object.pod !== undefined) return isRunningPod(object, nodes) ? null : 'does not run';
  const observed = observations.get(keyOf(object));
  if (observed?.of !== 'workload') return null;
  if (observed.replicas === 0) return 'has 0 replicas';
  if (observed.ready === 0) return 'has no ready pod';
  return (
    lostRights(object, observed, dump, goes, observations) ??
    outOfSight(object, observed, objects) ??
    leaseFault(object, evidence)
  );
}

/** A controller whose account, bindings or roles go can no longer remove a finalizer. */
function lostRights(
  { namespace }: ApiObject,
  { serviceAccount }: WorkloadObservation,
  dump: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  observations: ReadonlyMap<string, Observation>,
): string | null {
  if (serviceAccount === '') return null;
  const roleOf = (binding: ApiObject): ApiObject | undefined => {
    const role = observations.get(keyOf(binding))?.names?.find(({ kind }) => kind.endsWith('Role'));
    if (role === undefined) return undefined;
    const isWide = role.kind === 'ClusterRole';
    return dump.find(
      ({ kind, name, namespace }) =>
        kind.split('.')[0] === role.kind &&
        name === role.name &&
        (isWide || namespace === binding.namespace),
    );
  };
  const going = dump.flatMap((object) => {
    if (object.kind === 'ServiceAccount') {
      const isIts = object.namespace === namespace && object.name === serviceAccount;
      return isIts && goes(object) ? [object] : [];
    }
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'binding') return [];
    if (!observed.accounts.includes(`${namespace}/${serviceAccount}`)) return [];
    if (goes(object)) return [object];
    const role = roleOf(object);
    return role !== undefined && goes(role) ? [role] : [];
  })[0];
  return going === undefined ? null : `loses its rights with ${displayName(going)}`;
}

/** It watches other namespaces than those of the objects. */
function outOfSight(
  { namespace: own }: ApiObject,
  { watches }: WorkloadObservation,
  objects: readonly ApiObject[],
): string | null {
  if (watches === null) return null;
  const seen = watches.namespaces.map((name) => name || own);
  const missed = objects.find(
    ({ namespace }) => namespace !== '' && !seen.some((name) => name === '*' || name === namespace),
  );
  return missed === undefined
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
      for (let length = parts.length - 1; length > 0; length--) {
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
