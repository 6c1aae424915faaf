import { type ApiObject, BUILT_IN_KINDS, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { definitionName, isRunningPod } from '../links.ts';
import { byKeyIn, byUidIn, definitionIn, remembered } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Observation, PodObservation, WorkloadObservation } from '../observations.ts';
import { withVariables } from '../observed/watched.ts';
import type { Evidence } from './evidence.ts';
import { rightOn, rightSettled, rightsGoing } from './rights.ts';

/**
 * Why this workload is no evidence that the owner of a finalizer acts for these objects: a clause;
 * null: it is.
 */
export function faultOf(
  object: ApiObject,
  objects: readonly ApiObject[],
  evidence: Evidence,
): string | null {
  const { dump, goes, nodes } = evidence;
  if (isBeingDeleted(object)) return 'is being deleted';
  if (goes(object)) return 'may be deleted first: let what has the finalizer go before it';
  if (object.pod !== undefined && !isRunningPod(object, nodes)) return 'does not run';
  // A pod, or a ReplicaSet, does no more than the workload that has it.
  for (const one of withOwners(object, byUidIn(dump))) {
    const fault = stateFault(one, objects, evidence);
    if (fault !== null) return one === object ? fault : `is of ${displayName(one)}, which ${fault}`;
  }
  return null;
}

/** The object, and all that own it. */
function withOwners(
  object: ApiObject,
  byUid: ReadonlyMap<string, ApiObject>,
): ReadonlySet<ApiObject> {
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
  if (observed?.of !== 'workload' && observed?.of !== 'pod') return null;
  if (observed.of === 'workload' && observed.replicas === 0) return 'has 0 replicas';
  if (observed.ready === 0) return 'has no ready pod';
  if (observed.ready === false) return 'is not ready';
  return (
    lostRights(object, objects, evidence) ??
    lackedRights(object, objects, evidence) ??
    outOfSight(object, observed, objects, evidence) ??
    leaseFault(object, evidence)
  );
}

/** A controller whose account, bindings or roles go can no longer remove a finalizer. */
function lostRights(
  object: ApiObject,
  objects: readonly ApiObject[],
  evidence: Evidence,
): string | null {
  const going = rightsGoing(object, objects, evidence);
  return going === null ? null : `loses its rights with ${displayName(going)}`;
}

/** A controller whose account has no right to change an object cannot remove a finalizer from it. */
function lackedRights(
  object: ApiObject,
  objects: readonly ApiObject[],
  { dump, observations, kinds }: Evidence,
): string | null {
  // Without the definition, the name of the resource is a guess.
  const isNamed = (kind: string): boolean =>
    Object.hasOwn(BUILT_IN_KINDS, kind) ||
    definitionIn(dump, definitionName(kinds[kind])) !== undefined;
  const lacked = objects.find(
    ({ kind, namespace }) =>
      isNamed(kind) &&
      rightOn(object, kinds[kind], new Set([namespace]), { dump, observations }) === 'none',
  );
  if (lacked === undefined) return null;
  const resource = definitionName(kinds[lacked.kind]);
  const settle = rightSettled(object, resource, lacked.namespace, { observations });
  return `has no right to change ${displayName(lacked)}, as no role of its account in the dump allows that: ${settle}`;
}

/** It watches other namespaces than those of the objects. */
function outOfSight(
  { kind, namespace: own, name }: ApiObject,
  observed: PodObservation | WorkloadObservation,
  objects: readonly ApiObject[],
  { dump, observations }: Evidence,
): string | null {
  const watches =
    observed.watches &&
    withVariables(observed.watches, (source) => {
      const set = byKeyIn(dump).get(keyOf({ ...source, namespace: own }));
      const marks = (set && observations.get(keyOf(set))?.marks) ?? [];
      const mark = marks.find((one) => one.mark === 'sets');
      return mark?.mark === 'sets' ? mark.values : null;
    });
  if (watches === null) return null;
  const seen = watches.namespaces?.map((name) => name || own);
  const missed = objects.find(({ namespace }) => namespace !== '' && !seen?.includes(namespace));
  if (seen === undefined && missed !== undefined) {
    const get = `kubectl describe ${kind.split('.')[0]?.toLowerCase()}/${name} -n ${own}`;
    return watches.perhaps !== undefined
      ? `may watch some namespaces only, as the dump does not show ${watches.by}: ${get}`
      : `watches the namespaces of ${watches.by}, whose value the dump does not show: ${get}`;
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
function leaseFault(object: ApiObject, { dump, observations }: Evidence): string | null {
  const { held, shared, newest } = leasesIn(dump)(observations);
  const own = held.get(object.uid) ?? [];
  // Of those that another workload may hold, each counts.
  const [found] = own.length > 0 ? [lastOf(own)] : (shared.get(object.uid) ?? []).filter(isStale);
  return found === undefined || !isStale(found)
    ? null
    : `last renewed ${displayName(found.lease)} ${Math.floor(ageOf(found) / 60)} minutes before others renewed theirs`;

  function ageOf({ renewed }: Held): number {
    return (newest - renewed) / 1000;
  }
  function isStale(one: Held): boolean {
    return ageOf(one) > STALE;
  }
}

function lastOf(leases: readonly Held[]): Held | undefined {
  return leases.reduce((last, one) => (one.renewed > last.renewed ? one : last));
}

interface Held {
  readonly lease: ApiObject;
  /** In milliseconds. */
  readonly renewed: number;
}

const HOLDERS: readonly string[] = ['Pod', 'Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

/**
 * The leases of a dump by the uid of the workload whose pod holds them: those that no other
 * workload can hold, and the others.
 */
const leasesIn = remembered((dump: readonly ApiObject[]) =>
  remembered((observations: ReadonlyMap<string, Observation>) => {
    const byUid = byUidIn(dump);
    const byName = groupedBy(
      dump.filter(({ kind }) => HOLDERS.includes(kind)),
      ({ name }) => name,
    );
    const all = dump.flatMap((lease) => {
      const marks = marksOn(observations, lease);
      const lock = marks.find(({ mark }) => mark === 'lock');
      if (lock?.mark !== 'lock' || lock.renewed === null) return [];
      const holders = holdersOf(lock.holder, lease.namespace, byName);
      return [{ lease, holders, renewed: Date.parse(lock.renewed) }];
    });
    const held = new Map<string, Held[]>();
    const shared = new Map<string, Held[]>();
    for (const one of all) {
      const into = one.holders.length === 1 ? held : shared;
      for (const holder of one.holders) {
        for (const { uid } of withOwners(holder, byUid)) {
          const leases = into.get(uid);
          if (leases === undefined) into.set(uid, [one]);
          else leases.push(one);
        }
      }
    }
    const newest = all.reduce((latest, { renewed }) => Math.max(latest, renewed), 0);
    return { held, shared, newest };
  }),
);

/**
 * The longest name with which that of the holder begins, as another workload can have a shorter
 * one. Leases can be in a namespace for all (`--leader-election-namespace`).
 */
function holdersOf(
  holder: string,
  namespace: string,
  byName: ReadonlyMap<string, readonly ApiObject[]>,
): readonly ApiObject[] {
  const parts = holder.split(/(?=[-_])/);
  for (let length = parts.length; length > 0; length--) {
    const named = byName.get(parts.slice(0, length).join('')) ?? [];
    const beside = named.filter((one) => one.namespace === namespace);
    if (beside.length > 0) return beside.slice(0, 1);
    if (named.length > 0) return named;
  }
  return [];
}
