import { type ApiObject, isBeingDeleted, keyOf, objectKey } from '../../../model/index.ts';
import { byKeyIn, byKindIn, byUidIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Observation } from '../observations.ts';
import { CAPI_CLUSTER, MACHINE } from './tracking.ts';

export const CLUSTER_API = 'Cluster API';

const CONTROL_PLANE = '.controlplane.cluster.x-k8s.io';

/** Machines of the control plane have it (`MachineControlPlaneLabel`). */
const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

type Observations = ReadonlyMap<string, Observation>;
type Goes = (object: ApiObject) => boolean;

/**
 * Whether the Cluster of a machine goes as well, or its control plane: in the end, Cluster API does
 * not wait for a drain of its node then (`isDeleteNodeAllowed`).
 */
export function isOfLeaving(
  machine: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
  goes: Goes,
): boolean {
  return aboveOf(machine, all, observations).some((one) => goes(one) || isBeingDeleted(one));
}

/**
 * Whether Cluster API deletes the node of a machine that goes (`isDeleteNodeAllowed`, 1.9): not once
 * the Cluster or its control plane is being deleted, and only while another machine of the control
 * plane is there, or a control plane that is managed elsewhere.
 */
export function deletesNode(
  machine: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
  labels: ReadonlyMap<string, Readonly<Record<string, string>>>,
  goes: Goes,
): 'always' | 'perhaps' | 'never' {
  const above = aboveOf(machine, all, observations);
  if (above.some(isBeingDeleted)) return 'never';
  if (above.some(goes) || !above.some(({ kind }) => kind === CAPI_CLUSTER)) return 'perhaps';
  const clusters = clustersOf(machine, observations);
  const isPlane = (one: ApiObject): boolean =>
    one !== machine &&
    one.namespace === machine.namespace &&
    labels.get(keyOf(one))?.[CONTROL_PLANE_LABEL] !== undefined &&
    clustersOf(one, observations).some((name) => clusters.includes(name));
  const others = (byKindIn(all).get(MACHINE) ?? []).filter(isPlane);
  return others.some((one) => !goes(one) && !isBeingDeleted(one)) ? 'always' : 'perhaps';
}

/** Names. */
function clustersOf(machine: ApiObject, observations: Observations): readonly string[] {
  return marksOn(observations, machine).flatMap((mark) =>
    mark.mark === 'trackedBy' && mark.tool === CLUSTER_API && mark.kind === 'Cluster'
      ? [mark.name]
      : [],
  );
}

/** The Cluster of a machine, and its control plane. */
function aboveOf(
  machine: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
): readonly ApiObject[] {
  const owners = machine.ownerReferences.flatMap(({ uid }) => byUidIn(all).get(uid) ?? []);
  const clusters = clustersOf(machine, observations).flatMap(
    (name) => byKeyIn(all).get(objectKey(CAPI_CLUSTER, machine.namespace, name)) ?? [],
  );
  return [
    ...owners.filter(({ kind }) => kind.endsWith(CONTROL_PLANE)),
    ...clusters.flatMap((cluster) => [cluster, ...planesOf(cluster, all, observations)]),
  ];
}

/** What the `controlPlaneRef` of a Cluster names. */
function planesOf(
  cluster: ApiObject,
  all: readonly ApiObject[],
  observations: Observations,
): readonly ApiObject[] {
  return marksOn(observations, cluster).flatMap((mark) => {
    if (mark.mark !== 'tearsDown' || !mark.kind.endsWith('ControlPlane')) return [];
    const { namespace } = cluster;
    return byKeyIn(all).get(objectKey(`${mark.kind}${CONTROL_PLANE}`, namespace, mark.name)) ?? [];
  });
}

/** Whether a node says that it is that of the machine: another cluster may have one of its name. */
export function isNodeOf(node: ApiObject, machine: ApiObject, observations: Observations): boolean {
  return marksOn(observations, node).some(
    (mark) =>
      mark.mark === 'trackedBy' &&
      mark.tool === CLUSTER_API &&
      mark.kind === 'Machine' &&
      mark.name === machine.name &&
      mark.namespace === machine.namespace,
  );
}
