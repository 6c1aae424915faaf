import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import type { Requested } from '../cel/requests.ts';
import { adoptableIn, COUNTING, isSelected } from '../doubts/adopted.ts';
import { byUidIn } from '../lookups.ts';
import type { WorkloadObservation } from '../observations.ts';
import { activeChildren, childrenByController, countedChildren } from '../workloads.ts';
import type { Besides, BesidesGiven } from './besides.ts';
import type { Doubt } from './doubts.ts';

/** Pods that are too many already. */
export function surplusIn(given: BesidesGiven): readonly Besides[] {
  const children = childrenByController(given.all);
  return given.kept.flatMap((parent) => {
    const found = surplusOf(parent, children.get(parent.uid) ?? [], given);
    return found === null ? [] : [{ object: keyOf(parent), what: found.what }];
  });
}

/** Why a controller deletes some of its objects, and how many. */
export interface Surplus {
  readonly what: string;
  readonly more: number;
}

/** Of its pods; null: it deletes none. */
export function surplusOf(
  parent: ApiObject,
  own: readonly ApiObject[],
  { goes, observations }: Pick<BesidesGiven, 'goes' | 'observations'>,
): Surplus | null {
  const observed = observations.get(keyOf(parent));
  if (observed?.of !== 'workload' || goes(parent) || isBeingDeleted(parent)) return null;
  const wanted = wantedPods(parent, observed);
  const active = countedChildren(own, observed);
  if (wanted === null || active <= wanted) return null;
  const more = active - wanted;
  const what = `${displayName(parent)} has ${plural(active, 'active pod')} and wants ${wanted}: its controller deletes any ${more} of them by itself${wanted === 0 ? '' : ', and replaces what is deleted after that'}`;
  return { what, more };
}

/** How many pods a controller wants at most (`manageReplicas`, `manageJob`); null: not by number. */
function wantedPods({ kind }: ApiObject, observed: WorkloadObservation): number | null {
  if (COUNTING.includes(kind)) return observed.replicas;
  const isManaged = kind === 'Job.batch' && observed.managedBy === null && !observed.ending;
  if (!isManaged) return null;
  return observed.paused ? 0 : observed.replicas;
}

/**
 * What nothing controls yet, and a workload that stays selects: its controller may act on its end.
 */
export function adoptersIn(
  { all, kept, goes, observations }: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  const adoptable = adoptableIn(
    kept.filter((object) => goes(object)),
    observations,
    labels,
  );
  return all
    .filter((parent) => !goes(parent))
    .flatMap((parent) =>
      adoptable(parent).map((object): Besides => {
        const what = `${displayName(parent)} stays and selects ${displayName(object)}, which nothing controls yet: its controller makes another one if it has too few`;
        return { object: keyOf(object), what };
      }),
    );
}

export interface SurplusGiven extends BesidesGiven {
  /** Those that only go if a target that leaves its dependents does not. */
  readonly orphaned: ReadonlySet<ApiObject>;
  /** By store key. */
  readonly labels: ReadonlyMap<string, Labels>;
}

/**
 * What stays in the model, and what a controller may delete all the same: it has too many of them,
 * or adopts what an orphaning leaves, because it selects that as well.
 */
export function surplusDoubts(given: SurplusGiven): readonly Doubt[] {
  const { all, kept, observations, orphaned } = given;
  const goes = (object: ApiObject): boolean => given.goes(object) && !orphaned.has(object);
  const children = childrenByController(all);
  const doubt = (object: ApiObject, why: string): Doubt => ({
    ...{ object: keyOf(object), by: 'controller', why },
  });
  const isKept = new Set(kept);
  const tooMany = kept.flatMap((parent) => {
    const own = children.get(parent.uid) ?? [];
    const found = surplusOf(parent, own, given);
    if (found === null) return [];
    const staying = activeChildren(own).filter((pod) => isKept.has(pod) && !goes(pod));
    return staying.map((pod) => doubt(pod, found.what));
  });
  const owners = byUidIn(kept);
  const left = kept.filter((object) => {
    const controller = object.ownerReferences.find((reference) => reference.controller === true);
    const owner = owners.get(controller?.uid ?? '');
    return orphaned.has(object) && owner !== undefined && goes(owner) && !isBeingDeleted(object);
  });
  if (left.length === 0) return tooMany;
  const adopted = all.flatMap((parent): readonly Doubt[] => {
    const observed = observations.get(keyOf(parent));
    if (observed?.of !== 'workload' || goes(parent) || isBeingDeleted(parent)) return [];
    const selected = left.filter(
      (object) =>
        object.pod?.finished !== true && isSelected(object, parent, observed, given.labels),
    );
    const why = effectOf(parent, observed, children.get(parent.uid) ?? [], selected);
    if (why === null) return [];
    return selected.flatMap((object) =>
      [object, ...(children.get(object.uid) ?? [])].map((one) =>
        doubt(
          one,
          `${displayName(parent)} selects ${displayName(object)} as well: it adopts it, ${why}`,
        ),
      ),
    );
  });
  return [...tooMany, ...adopted];
}

/** What the controller does to what it adopts, besides keeping it: a clause; null: nothing. */
function effectOf(
  { kind }: ApiObject,
  observed: WorkloadObservation,
  own: readonly ApiObject[],
  adopted: readonly ApiObject[],
): string | null {
  if (adopted.length === 0) return null;
  if (kind === 'Deployment.apps') return 'and scales it down unless its template is the same';
  if (kind === 'DaemonSet.apps') return 'and may put its own pod in its place';
  if (!COUNTING.includes(kind)) return null;
  const count = countedChildren(own, observed) + adopted.length;
  if (count <= observed.replicas) return null;
  return `has ${plural(count, 'pod')} then, wants ${observed.replicas}, and deletes any ${count - observed.replicas} of them`;
}

/**
 * What stays in the model, and goes if the controller of a workload that goes adopts it before the
 * DELETE.
 *
 * @param requested how a person deletes the workloads.
 */
export function adoptionDoubts(given: SurplusGiven, requested: Requested): readonly Doubt[] {
  const { all, kept, goes, observations, orphaned, labels } = given;
  const adoptable = adoptableIn(
    kept.filter((object) => !goes(object)),
    observations,
    labels,
  );
  const children = childrenByController(all);
  return kept
    .filter((parent) => goes(parent) && !orphaned.has(parent))
    .filter((parent) => requested.get(keyOf(parent)) !== 'Orphan')
    .flatMap((parent) =>
      adoptable(parent).flatMap((object) => {
        const why = `${displayName(parent)} selects ${displayName(object)}, which nothing controls: if its controller adopts it before the DELETE, it goes as well`;
        return [object, ...(children.get(object.uid) ?? [])].map(
          (one): Doubt => ({ object: keyOf(one), by: 'controller', why }),
        );
      }),
    );
}
