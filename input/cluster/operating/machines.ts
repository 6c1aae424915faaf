import { type ApiObject, isBeingDeleted, objectKey } from '../../../model/index.ts';
import { byKeyIn, byKindIn, byUidIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Observation } from '../observations.ts';
import { CAPI_CLUSTER } from './tracking.ts';

export const CLUSTER_API = 'Cluster API';

const CONTROL_PLANE = '.controlplane.cluster.x-k8s.io';

/**
 * Whether the Cluster of a machine goes as well, or its control plane: Cluster API neither drains nor
 * deletes its node then (`isDeleteNodeAllowed`).
 */
export function isOfLeaving(
  machine: ApiObject,
  all: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
  goes: (object: ApiObject) => boolean,
): boolean {
  const leaves = (object: ApiObject): boolean => goes(object) || isBeingDeleted(object);
  const owned = machine.ownerReferences.some(({ uid }) => {
    const owner = byUidIn(all).get(uid);
    return owner?.kind.endsWith(CONTROL_PLANE) === true && leaves(owner);
  });
  if (owned) return true;
  return marksOn(observations, machine).some(
    (mark) =>
      mark.mark === 'trackedBy' &&
      mark.tool === CLUSTER_API &&
      (byKindIn(all).get(CAPI_CLUSTER) ?? []).some(
        (cluster) =>
          cluster.name === mark.name &&
          cluster.namespace === machine.namespace &&
          [cluster, ...planesOf(cluster, all, observations)].some(leaves),
      ),
  );
}

/** What the `controlPlaneRef` of a Cluster names. */
function planesOf(
  cluster: ApiObject,
  all: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): readonly ApiObject[] {
  return marksOn(observations, cluster).flatMap((mark) => {
    if (mark.mark !== 'tearsDown' || !mark.kind.endsWith('ControlPlane')) return [];
    const { namespace } = cluster;
    return byKeyIn(all).get(objectKey(`${mark.kind}${CONTROL_PLANE}`, namespace, mark.name)) ?? [];
  });
}

/** Whether a node says that it is that of the machine: another cluster may have one of its name. */
export function isNodeOf(
  node: ApiObject,
  machine: ApiObject,
  observations: ReadonlyMap<string, Observation>,
): boolean {
  return marksOn(observations, node).some(
    (mark) =>
      mark.mark === 'trackedBy' &&
      mark.tool === CLUSTER_API &&
      mark.kind === 'Machine' &&
      mark.name === machine.name &&
      mark.namespace === machine.namespace,
  );
}
