import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { setupOf } from '../properties/clusters.ts';

/** A Deployment with a ReplicaSet and pods that kubelets run; a user deletes it in the foreground. */
export function foregroundPods(pods: number): Setup {
  const top = object('Deployment.apps', 'web', null);
  const set = object('ReplicaSet.apps', 'web-1', top);
  const grace = { terminationGracePeriodSeconds: 30 };
  const running = { ...grace, scheduled: true, finished: false, running: true as const };
  const members = Array.from({ length: pods }, (_, index) => ({
    ...object('Pod', `p-${index}`, set),
    pod: running,
  }));
  const request = {
    ...{ do: 'delete' as const, key: 'Deployment.apps/prod/web' },
    options: { propagationPolicy: 'Foreground' as const },
  };
  return {
    ...setupOf([top, set, ...members], {}),
    kinds: BUILT_IN_KINDS,
    users: { kubectl: [{ request, after: [] }] },
    kubelets: true,
  };
}

function object(kind: string, name: string, owner: ApiObject | null): ApiObject {
  return {
    ...{ kind, namespace: 'prod', name, uid: `uid-${name}-1`, generation: 0, finalizers: [] },
    ...{ deletionTimestamp: null, deletionGracePeriodSeconds: null },
    ownerReferences:
      owner === null
        ? []
        : [
            {
              ...{ apiVersion: 'apps/v1', kind: owner.kind.replace('.apps', '') },
              ...{ name: owner.name, uid: owner.uid, controller: true, blockOwnerDeletion: true },
            },
          ],
  };
}
