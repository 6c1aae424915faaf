import { kubeletClient } from '../../model/actors/nodes/kubelet.ts';
import type { DecidedRequests } from '../../model/actors/requests.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import { CLIENT_WAIT_ENDS, CLIENT_WAITS_UNTIL_GONE } from '../../properties/clients/waiting.ts';
import { POD_GC_TAKES_ONLY_LEFTOVERS } from '../../properties/workloads/pods.ts';
import { CLAIM_IN_USE_STAYS, VOLUME_OUTLIVES_CLAIM } from '../../properties/workloads/storage.ts';
import type { Cases } from './cases.ts';
import { alice, clusterOf, configMap, deleteCall, object, setupOf } from './clusters.ts';

const claim = object('PersistentVolumeClaim', 'data');
const pod = object('Pod', 'p', {
  pod: {
    terminationGracePeriodSeconds: 30,
    scheduled: true,
    finished: false,
    node: 'node-1',
    claims: ['data'],
  },
});
const setup = setupOf([claim, pod], { kubelets: true, containers: true });
const runs = (containers: 'running' | 'terminating' | 'ended', uid = pod.uid) => ({
  controllers: {
    [kubeletClient('Pod/default/p')]: { role: 'pod' as const, uid, containers },
  },
});
const serve = { name: 'protectClaim', parameters: { key: 'PersistentVolumeClaim/default/data' } };
const left = (more: ReturnType<typeof runs> | undefined) => ({
  setup,
  states: [clusterOf([claim, pod], more), clusterOf([pod], more)],
  steps: [serve],
});

const binding = { claim: 'PersistentVolumeClaim/default/data', bound: true };
const disk = object('PersistentVolume', 'disk', { namespace: '', volume: binding });
const forAnother = { ...disk, volume: { ...binding, claimUid: 'uid-another' } };
const volumeLeaves = (volume: ApiObject, claims: readonly ApiObject[]) => ({
  setup: setupOf([volume, claim]),
  states: [clusterOf([volume, ...claims]), clusterOf(claims)],
  steps: [{ name: 'serve', parameters: { client: 'alice' } }],
});

const a = configMap('a');
const again = configMap('a', { uid: 'uid-a-2' });
const waiting = {
  controllers: {
    'kubectl of alice': { role: 'waiter', key: 'ConfigMap/default/a', uid: 'uid-a' },
  },
} as const;
const kubectl = setupOf(
  [a],
  alice({
    do: 'kubectlDelete',
    key: 'ConfigMap/default/a',
    flags: { cascade: 'true', wait: true },
  }),
);

const stopsWaiting = (objects: readonly ApiObject[]) => ({
  setup: kubectl,
  states: [clusterOf(objects, waiting), clusterOf(objects)],
  steps: [{ name: 'pollDeletion', parameters: { user: 'alice' } }],
});

const node = object('Node', 'node-1', { namespace: '' });
const removal = { ...deleteCall('Pod/default/p', 'remove'), client: 'pod gc for Pod/default/p' };
const decided: DecidedRequests = { role: 'requests', call: removal };
const taken = (objects: readonly ApiObject[]) => ({
  setup: setupOf(objects, { podGc: { terminatedPods: 0 } }),
  states: [
    clusterOf(objects, { controllers: { [removal.client]: decided } }),
    clusterOf(objects.slice(1)),
  ],
  steps: [{ name: 'collectPod', parameters: { key: 'Pod/default/p' } }],
});

export const usageCases: Cases = {
  [CLAIM_IN_USE_STAYS.name]: {
    violated: {
      'containers run': {
        run: left(runs('running')),
        explained: ['PersistentVolumeClaim/data leaves while the containers of Pod/p use it'],
      },
      'containers have been told to end': {
        run: left(runs('terminating')),
        explained: ['PersistentVolumeClaim/data leaves while the containers of Pod/p use it'],
      },
    },
    holds: {
      'no containers run': left(undefined),
      'they have ended': left(runs('ended')),
      'those of another pod of the same name run': left(runs('running', 'uid-other')),
    },
    vacuous: {
      'the claim stays': {
        setup,
        states: [clusterOf([claim, pod]), clusterOf([claim])],
        steps: [serve],
      },
    },
  },
  [VOLUME_OUTLIVES_CLAIM.name]: {
    violated: {
      'its claim is there': {
        run: volumeLeaves(disk, [claim]),
        explained: ['PersistentVolume/disk leaves before its claim PersistentVolumeClaim/data'],
      },
    },
    holds: {
      'its claim is gone': volumeLeaves(disk, []),
      'another claim has the name': volumeLeaves(forAnother, [claim]),
    },
    vacuous: {
      'it has no claim': volumeLeaves(object('PersistentVolume', 'disk'), [claim]),
    },
  },
  [CLIENT_WAITS_UNTIL_GONE.name]: {
    violated: {
      'the object is there': {
        run: stopsWaiting([a]),
        explained: ['alice waits no longer, and ConfigMap/a is still there'],
      },
      'it sends another request in the meantime': {
        run: {
          ...stopsWaiting([a]),
          states: [clusterOf([a], waiting), clusterOf([a], waiting)],
          steps: [{ name: 'request', parameters: { user: 'alice' } }],
        },
        explained: ['alice waits for ConfigMap/a, and sends another request'],
      },
    },
    holds: { 'it is gone': stopsWaiting([]), 'another has its name': stopsWaiting([again]) },
    vacuous: {
      'it keeps waiting': {
        ...stopsWaiting([]),
        states: [clusterOf([a], waiting), clusterOf([], waiting)],
      },
    },
  },
  [POD_GC_TAKES_ONLY_LEFTOVERS.name]: {
    violated: {
      'its node is there': {
        run: taken([pod, node]),
        explained: ['pod gc takes Pod/p, whose node node-1 is there'],
      },
    },
    holds: {
      'its node does not exist': taken([pod]),
      'it has ended': taken([{ ...pod, pod: { ...pod.pod!, finished: true } }, node]),
    },
    vacuous: {
      'nothing changes': { ...taken([pod]), states: [taken([pod]).states[0]!, clusterOf([pod])] },
    },
  },
  [CLIENT_WAIT_ENDS.name]: {
    violated: {
      'another object has the name': {
        run: { setup: kubectl, states: [clusterOf([again], waiting)] },
        explained: ['alice waits for uid uid-a: ConfigMap/a has uid uid-a-2 by now'],
      },
      'kubectl does not poll': {
        run: { setup: kubectl, states: [clusterOf([], waiting)] },
        explained: ['alice waits for uid uid-a: ConfigMap/a is gone'],
      },
    },
    holds: {
      'it sees that the object is gone': {
        setup: kubectl,
        states: [clusterOf([], waiting), clusterOf([])],
      },
    },
    vacuous: {
      'the object is there': { setup: kubectl, states: [clusterOf([a], waiting)] },
      'no client waits': { setup: kubectl, states: [clusterOf([])] },
    },
  },
};
