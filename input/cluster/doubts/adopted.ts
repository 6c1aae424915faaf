import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import type { Observation, WorkloadObservation } from '../observations.ts';
import { meetsAll } from '../webhooks/asked.ts';

/**
 * Kinds whose controllers count pods that are active, and pass over all others
 * (`FilterActivePods`).
 */
export const COUNTING: readonly string[] = ['ReplicaSet.apps', 'ReplicationController'];

/** Kinds whose controllers adopt what they select and nothing controls, and which kind that is. */
const ADOPTED: Readonly<Record<string, string>> = {
  'Deployment.apps': 'ReplicaSet.apps',
  ...Object.fromEntries(
    [...COUNTING, 'StatefulSet.apps', 'DaemonSet.apps', 'Job.batch'].map((kind) => [kind, 'Pod']),
  ),
};

/**
 * Whether the controller of a workload takes an object for its own, if no other one controls it
 * (`ClaimPods`, `ClaimReplicaSets`). That of a StatefulSet goes by the name as well (`isMemberOf`).
 */
export function isSelected(
  object: ApiObject,
  { kind, namespace, name }: ApiObject,
  { selector }: WorkloadObservation,
  labels: ReadonlyMap<string, Labels>,
): boolean {
  if (object.kind !== ADOPTED[kind] || object.namespace !== namespace) return false;
  if (selector.length === 0 || isBeingDeleted(object)) return false;
  if (COUNTING.includes(kind) && object.pod?.finished === true) return false;
  if (kind === 'StatefulSet.apps' && object.name.replace(/-\d+$/, '') !== name) return false;
  return meetsAll(selector, labels.get(keyOf(object)) ?? {});
}

/** What the controller of a workload may adopt: it selects it, and nothing controls it. */
export type Adoptable = (parent: ApiObject) => readonly ApiObject[];

export function adoptableIn(
  objects: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
  labels: ReadonlyMap<string, Labels>,
): Adoptable {
  const kinds = new Set(Object.values(ADOPTED));
  const free = groupedBy(
    objects.filter((object) => kinds.has(object.kind) && !isControlled(object)),
    ({ namespace }) => namespace,
  );
  return (parent) => {
    const near = free.get(parent.namespace) ?? [];
    const observed = near.length === 0 ? undefined : observations.get(keyOf(parent));
    // A controller adopts nothing for what is being deleted.
    if (observed?.of !== 'workload' || isBeingDeleted(parent)) return [];
    return near.filter((object) => isSelected(object, parent, observed, labels));
  };
}

function isControlled({ ownerReferences }: ApiObject): boolean {
  return ownerReferences.some(({ controller }) => controller === true);
}
