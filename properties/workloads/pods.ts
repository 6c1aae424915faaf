import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  equalJson,
  isBeingDeleted,
  objectKey,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf } from '../relations.ts';

/**
 * The grace period in seconds that the request behind a step names. Undefined if it names none,
 * null if the step belongs to no such request.
 */
function askedGrace(
  setup: Setup,
  before: Cluster,
  { name, parameters }: ActionInstance,
): number | undefined | null {
  if (name === 'emptyNamespace') return undefined;
  const user = String(name === 'request' ? parameters.user : parameters.client);
  const begun = before.users[user] ?? 0;
  const request = setup.users[user]?.[name === 'request' ? begun : begun - 1]?.request;
  if (request?.do !== 'delete' && request?.do !== 'deleteCollection') return null;
  return request.options.gracePeriodSeconds;
}

interface Ending {
  readonly pod: ApiObject;
  /** Seconds that the pod is to get, and seconds that it gets. */
  readonly due: number;
  readonly given: number;
}

/** Actions of users and of the namespace controller. */
const DELETERS: readonly string[] = ['request', 'serve', 'emptyNamespace'];

/**
 * The running pod whose deletion begins with this step, or whose grace period this step shortens.
 */
function endingPod(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): Ending | null {
  if (!DELETERS.includes(action.name)) return null;
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'delete') return null;
  const pod = before.store[call.key];
  if (pod?.pod === undefined) return null;
  const now = after.store[call.key];
  if (now !== undefined && !isBeingDeleted(now)) return null;
  const asked = askedGrace(setup, before, action);
  if (asked === null || !pod.pod.scheduled || pod.pod.finished) return null;
  const given = now?.deletionGracePeriodSeconds ?? 0;
  if (!isBeingDeleted(pod)) {
    return { pod, due: asked ?? pod.pod.terminationGracePeriodSeconds ?? 0, given };
  }
  const granted = pod.deletionGracePeriodSeconds ?? 0;
  if (given >= granted) return null;
  return { pod, due: Math.min(granted, asked ?? granted), given };
}

export const POD_GRACE_PERIOD_HONORED = defineProperty({
  id: 'pod-grace-period-honored',
  group: 'workloads, nodes, storage',
  name: 'a running pod gets its grace period',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When the DELETE of a pod that runs on a node takes effect, the pod gets at least the ' +
    'grace period that the request names or, if the request names none, the one in the spec ' +
    'of the pod. After that, only a DELETE that names a shorter grace period shortens it.',
  trigger:
    'a DELETE of a user or of the namespace controller begins the deletion of a running pod, or ' +
    'shortens its grace period',
  source:
    'Kubernetes documentation, Pod Lifecycle: pods are given the time to end gracefully; ' +
    'https://github.com/kubernetes/kubernetes/pull/100101',
  build: (setup) => ({
    trigger: (before, action, after) => endingPod(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const ending = endingPod(setup, before, action, after);
      return ending === null || ending.given >= ending.due;
    },
    explain: (before, action, after) => {
      const ending = endingPod(setup, before, action, after);
      if (ending === null || ending.given >= ending.due) return [];
      const { pod, due, given } = ending;
      return [`${nameOf(pod)} is to have ${due} s of grace and gets ${given} s`];
    },
  }),
});

/** The pod that a DELETE of pod gc marks or removes with this step, as stored before the step. */
function takenByPodGc(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): ApiObject | null {
  if (action.name !== 'collectPod') return null;
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'delete') return null;
  const old = before.store[call.key];
  return old === undefined || equalJson(old, after.store[call.key]) ? null : old;
}

export const POD_GC_TAKES_ONLY_LEFTOVERS = defineProperty({
  id: 'pod-gc-takes-only-leftovers',
  group: 'workloads, nodes, storage',
  name: 'pod gc takes only pods that no kubelet cares for',
  kind: 'step',
  judgesObjects: 'requests',
  about:
    'When a DELETE of pod gc takes effect, the pod has ended, has no node, or is bound to a ' +
    'node that does not exist.',
  trigger: 'a DELETE of pod gc takes effect',
  source:
    'Kubernetes documentation, Pod Lifecycle: "PodGC cleans up any Pods which satisfy any of the ' +
    'following conditions"',
  build: (setup) => ({
    parameters: setup.podGc === undefined ? [] : [{}],
    trigger: (before, action, after) => takenByPodGc(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const pod = takenByPodGc(setup, before, action, after)?.pod;
      if (pod === undefined || pod.finished || !pod.scheduled) return true;
      return before.store[objectKey('Node', '', pod.node ?? '')] === undefined;
    },
    explain: (before, action, after) => {
      const object = takenByPodGc(setup, before, action, after);
      if (object === null) return [];
      return [`pod gc takes ${nameOf(object)}, whose node ${object.pod?.node} is there`];
    },
  }),
});
