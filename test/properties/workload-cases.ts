import type { Reconciling } from '../../model/actors/workloads/reconciling.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject, OwnerReference } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { WORKLOAD_REACHES_DESIRED_STATE } from '../../properties/workloads/controllers.ts';
import type { Cases } from './cases.ts';
import { clusterOf, object, setupOf } from './clusters.ts';
import type { Run } from './judge.ts';

const web = object('ReplicaSet.apps', 'web', { replicas: 1 });
const reference: OwnerReference = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: web.uid,
  controller: true,
};
const running = { terminationGracePeriodSeconds: 30, scheduled: true, finished: false };
const first = object('Pod', 'web-1', { pod: running, ownerReferences: [reference] });
const second = object('Pod', 'web-2', { pod: running, ownerReferences: [reference] });
const setup: Setup = setupOf([web], {
  workloads: [
    {
      parent: { key: 'ReplicaSet.apps/default/web', uid: web.uid },
      replicas: 1,
      caches: 'own',
      children: [first, second],
    },
  ],
});

/** The controller has done what it can. */
const sync: Reconciling = { role: 'workload', synced: true };
const synced: Partial<Cluster> = {
  controllers: { [`controller of ReplicaSet.apps/default/web (${web.uid})`]: sync },
};
const free = { 'child uid-web-1': 1, 'child uid-web-2': 1 };

function quiet(stored: readonly ApiObject[], budget: Cluster['budget'], more = synced): Run {
  return { setup, states: [clusterOf(stored, { ...more, budget })] };
}

export const workloadCases: Cases = {
  [WORKLOAD_REACHES_DESIRED_STATE.name]: {
    violated: {
      'a pod is missing': {
        run: quiet([web], free),
        explained: ['ReplicaSet.apps/default/web has 1 too few'],
      },
      'there is a surplus pod': {
        run: quiet([web, first, second], {}),
        explained: ['ReplicaSet.apps/default/web has 1 too many'],
      },
    },
    holds: {
      'as many as it wants': quiet([web, first], {}),
      'their names are taken': quiet(
        [web, { ...first, ownerReferences: [] }, { ...second, ownerReferences: [] }],
        free,
      ),
    },
    vacuous: {
      'it is being deleted': quiet([{ ...web, deletionTimestamp: 0, finalizers: ['x/y'] }], free),
      'there is still work to do': quiet([web], free, {}),
    },
  },
};
