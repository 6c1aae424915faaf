import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import { byUidIn } from '../lookups.ts';
import type { WorkloadObservation } from '../observations.ts';
import { meetsAll } from '../webhooks/asked.ts';
import { activeChildren, childrenByController, countedChildren } from '../workloads.ts';
import type { Besides, BesidesGiven } from './besides.ts';
import type { Doubt } from './doubts.ts';

/** Kinds whose controllers delete pods that are too many (`getPodsToDelete`). */
const COUNTING: readonly string[] = ['ReplicaSet.apps', 'ReplicationController'];

/** Kinds whose controllers adopt what they select and nothing controls, and which kind that is. */
const ADOPTING: Readonly<Record<string, string>> = {
  'Deployment.apps': 'ReplicaSet.apps',
  'DaemonSet.apps': 'Pod',
  ...Object.fromEntries(COUNTING.map((kind) => [kind, 'Pod'])),
};

/** Pods that are too many already. */
export function surplusIn(given: BesidesGiven): readonly Besides[] {
  const children = childrenByController(given.all);
  return given.kept.flatMap((parent) => {
    const what = surplusOf(parent, children.get(parent.uid) ?? [], given);
    return what === null ? [] : [{ object: keyOf(parent), what }];
  });
}

function surplusOf(
  parent: ApiObject,
  own: readonly ApiObject[],
  { goes, observations }: BesidesGiven,
): string | null {
  const observed = observations.get(keyOf(parent));
  if (!COUNTING.includes(parent.kind) || observed?.of !== 'workload') return null;
  if (goes(parent) || isBeingDeleted(parent)) return null;
  const active = countedChildren(own, observed);
  const more = active - observed.replicas;
  if (more <= 0) return null;
  return `${displayName(parent)} has ${plural(active, 'active pod')} and wants ${observed.replicas}: its controller deletes any ${more} of them by itself, and replaces what is deleted after that`;
}

export interface SurplusGiven extends BesidesGiven {
  /** Those that only go if a target that leaves its dependents does not. */
  readonly orphaned: ReadonlySet<ApiObject>;
  /** By store key. */
  readonly labels: ReadonlyMap<string, Labels>;
}

/**
 * What stays in the model, and what a controller may delete all the same: it has too many of them, or
 * adopts what an orphaning leaves, because it selects that as well.
 */
export function surplusDoubts(given: SurplusGiven): readonly Doubt[] {
  const { all, kept, observations, orphaned } = given;
  const goes = (object: ApiObject): boolean => given.goes(object) && !orphaned.has(object);
  const children = childrenByController(all);
  const doubt = (object: ApiObject, why: string): Doubt => ({
    ...{ object: keyOf(object), by: 'controller', why },
  });
  const tooMany = kept.flatMap((parent) => {
    const own = children.get(parent.uid) ?? [];
    const why = surplusOf(parent, own, given);
    if (why === null) return [];
    const staying = activeChildren(own).filter((pod) => kept.includes(pod) && !goes(pod));
    return staying.map((pod) => doubt(pod, why));
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
    if (!Object.hasOwn(ADOPTING, parent.kind) || observed?.of !== 'workload') return [];
    if (goes(parent) || isBeingDeleted(parent) || observed.selector.length === 0) return [];
    const selected = left.filter((object) => isSelected(object, parent, observed, given));
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

function isSelected(
  object: ApiObject,
  { kind, namespace }: ApiObject,
  { selector }: WorkloadObservation,
  { labels }: SurplusGiven,
): boolean {
  return (
    object.kind === ADOPTING[kind] &&
    object.namespace === namespace &&
    object.pod?.finished !== true &&
    meetsAll(selector, labels.get(keyOf(object)) ?? {})
  );
}

/** What the controller does to what it adopts, besides keeping it: a clause; null: nothing. */
function effectOf(
  { kind }: ApiObject,
  observed: WorkloadObservation,
  own: readonly ApiObject[],
  adopted: readonly ApiObject[],
): string | null {
  if (kind === 'Deployment.apps') return 'and scales it down unless its template is the same';
  if (kind === 'DaemonSet.apps') return 'and may put its own pod in its place';
  const count = countedChildren(own, observed) + adopted.length;
  if (count <= observed.replicas) return null;
  return `has ${plural(count, 'pod')} then, wants ${observed.replicas}, and deletes any ${count - observed.replicas} of them`;
}
