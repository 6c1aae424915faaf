import { kubeletClient } from '../../model/actors/nodes/kubelet.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import {
  CONTAINERS_FOLLOW_POD,
  CONTAINERS_START_AND_STOP_WITH_POD,
  KUBELET_WAITS_FOR_CONTAINERS,
  NOTHING_RUNS_ON_LOST_MACHINE,
} from '../../properties/workloads/containers.ts';
import type { Cases } from './cases.ts';
import { clusterOf, object, setupOf } from './clusters.ts';

const grace = { terminationGracePeriodSeconds: 30, scheduled: true, node: 'node-1' };
const pod = object('Pod', 'p', { pod: { ...grace, finished: false, claims: ['data'] } });
const claim = object('PersistentVolumeClaim', 'data');
const deleting = { deletionTimestamp: 30, deletionGracePeriodSeconds: 30 };
const ending: ApiObject = { ...pod, ...deleting };
const finished: ApiObject = { ...ending, pod: { ...grace, finished: true } };
const setup = setupOf([claim, pod], { kubelets: true, containers: true });
const lost = { stopped: { 'node node-1': true } } as const;

type Containers = 'starting' | 'running' | 'terminating' | 'ended';

function at(
  containers: Containers | null,
  objects: readonly ApiObject[] = [claim, pod],
  more: Partial<Cluster> = {},
): Cluster {
  const entry = { role: 'pod', uid: pod.uid, containers } as const;
  const controllers = containers === null ? {} : { [kubeletClient('Pod/default/p')]: entry };
  return clusterOf(objects, { controllers, ...more } as Partial<Cluster>);
}

const step = (name: string, before: Cluster, after: Cluster) => ({
  setup,
  states: [before, after],
  steps: [{ name, parameters: { key: 'Pod/default/p' } }],
});
const starts = (objects: readonly ApiObject[], more?: Partial<Cluster>) =>
  step('startPod', at(null, objects, more), at('running', objects, more));
const why = (text: string): readonly string[] => [
  `the containers of Pod/p start, although ${text}`,
];

export const containerCases: Cases = {
  [CONTAINERS_START_AND_STOP_WITH_POD.name]: {
    violated: {
      'the pod is gone': { run: starts([claim]), explained: why('it is not stored') },
      'the pod is being deleted': {
        run: starts([claim, ending]),
        explained: why('it is being deleted'),
      },
      'the machine is gone': {
        run: starts([claim, pod], lost),
        explained: why('its machine is gone'),
      },
      'the claim is gone': { run: starts([pod]), explained: why('claim data is not there') },
      'the claim is being deleted': {
        run: starts([{ ...claim, deletionTimestamp: 0 }, pod]),
        explained: why('claim data is being deleted'),
      },
      'its containers are told to end for no reason': {
        run: step('stopPod', at('running'), at('terminating')),
        explained: ['the containers of Pod/p are told to end, and nobody has deleted it'],
      },
    },
    holds: {
      'the pod should run': starts([claim, pod]),
      'its containers are told to end because it is being deleted': step(
        'stopPod',
        at('running', [claim, ending]),
        at('terminating', [claim, ending]),
      ),
      'its containers are told to end because it is gone': step(
        'stopPod',
        at('running', []),
        at('terminating', []),
      ),
    },
    vacuous: { 'they run on': step('serve', at('running'), at('running')) },
  },
  [NOTHING_RUNS_ON_LOST_MACHINE.name]: {
    violated: {
      'containers run': {
        run: { setup, states: [at('running', [pod], lost)] },
        explained: ['the containers of Pod/p run nowhere'],
      },
    },
    holds: { 'nothing runs': { setup, states: [at(null, [pod], lost)] } },
    vacuous: { 'the machine is there': { setup, states: [at('running')] } },
  },
  [KUBELET_WAITS_FOR_CONTAINERS.name]: {
    violated: {
      'it is removed while it runs': {
        run: step('endGracePeriod', at('running', [ending]), at('running', [ending])),
        explained: ['Pod/p is removed while it runs'],
      },
      'it is removed from a machine that is gone': {
        run: step('endGracePeriod', at(null, [ending], lost), at(null, [ending], lost)),
        explained: ['Pod/p is removed by a kubelet that is gone'],
      },
      'it is not reported': {
        run: step('reportPod', at('ended', [ending]), at(null, [ending])),
        explained: ['nobody is told that Pod/p has ended'],
      },
    },
    holds: {
      'nothing runs': step('endGracePeriod', at(null, [finished]), at(null, [finished])),
      'it is reported': step('reportPod', at('ended', [ending]), at(null, [finished])),
      'it is gone': step('reportPod', at('ended', []), at(null, [])),
    },
    vacuous: { 'it keeps running': step('serve', at('running'), at('running')) },
  },
  [CONTAINERS_FOLLOW_POD.name]: {
    violated: {
      'it never starts': {
        run: { setup, states: [at(null)] },
        explained: ['the containers of Pod/p never start'],
      },
      'it keeps running': {
        run: { setup, states: [at('running', [claim, ending])] },
        explained: ['the containers of Pod/p run on'],
      },
    },
    holds: {
      'it starts': { setup, states: [at(null), at('running')] },
      'it ends': { setup, states: [at('running', []), at(null, [])] },
    },
    vacuous: {
      'it waits for a claim': { setup, states: [at(null, [pod])] },
      'it runs': { setup, states: [at('running')] },
      'no kubelet runs containers': {
        setup: setupOf([claim, pod], { kubelets: true }),
        states: [at(null)],
      },
    },
  },
};
