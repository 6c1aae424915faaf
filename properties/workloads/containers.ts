import type { Parameters } from '../../checker/index.ts';
import {
  type ApiObject,
  type Cluster,
  isBeingDeleted,
  keyOf,
  objectKey,
  possibleObjects,
  type RunningPod,
  runningPod,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf, stored } from '../relations.ts';

interface WhichPod extends Parameters {
  readonly key: string;
  readonly uid: string;
}

function pods(setup: Setup): readonly WhichPod[] {
  return possibleObjects(setup)
    .filter(({ pod }) => pod?.scheduled === true)
    .map((object) => ({ key: keyOf(object), uid: object.uid }));
}

/** The containers of the pod with this uid, or null. */
function containersOf(cluster: Cluster, { key, uid }: Parameters): RunningPod | null {
  const running = runningPod(cluster, String(key));
  return running?.uid === uid ? running : null;
}

/** Whether containers of the pod run. They may have got TERM. */
function runs(cluster: Cluster, which: Parameters): boolean {
  const containers = containersOf(cluster, which)?.containers;
  return containers === 'running' || containers === 'terminating';
}

function isMachineGone(cluster: Cluster, { pod }: ApiObject): boolean {
  return pod?.node !== undefined && `node ${pod.node}` in cluster.stopped;
}

/** Why this pod is not to run. Empty if it is to run. */
function whyNotToRun(setup: Setup, cluster: Cluster, which: Parameters): readonly string[] {
  const object = stored(cluster, which);
  if (setup.containers !== true) return ['no kubelet runs containers'];
  if (object === null) return ['it is not stored'];
  return [
    ...(isBeingDeleted(object) ? ['it is being deleted'] : []),
    ...(object.pod?.finished === true ? ['it has ended'] : []),
    ...(isMachineGone(cluster, object) ? ['its machine is gone'] : []),
    ...(object.pod?.claims ?? []).flatMap((name) => {
      const claim = cluster.store[objectKey('PersistentVolumeClaim', object.namespace, name)];
      if (claim === undefined) return [`claim ${name} is not there`];
      return isBeingDeleted(claim) ? [`claim ${name} is being deleted`] : [];
    }),
  ];
}

function podName(setup: Setup, { key, uid }: Parameters): string {
  const found = possibleObjects(setup).find(
    (object) => object.uid === uid && keyOf(object) === key,
  );
  return found === undefined ? String(key) : nameOf(found);
}

export const CONTAINERS_START_AND_STOP_WITH_POD = defineProperty({
  id: 'containers-start-and-stop-with-pod',
  group: 'workloads, nodes, storage',
  name: 'containers start and stop with their pod',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'A kubelet starts the containers of a pod only while the pod is stored, has neither ended ' +
    'nor been deleted, and its machine exists. It sends TERM to the containers only after the ' +
    'deletion of the pod has begun.',
  trigger: 'the containers of a pod start, or get TERM',
  source:
    'Kubernetes documentation, Pod Lifecycle: "When a force deletion is performed", "Termination of Pods"; ' +
    'kubelet syncPod and killPod (1.20)',
  build: (setup) => {
    const starts = (before: Cluster, after: Cluster, which: Parameters): boolean =>
      !runs(before, which) && runs(after, which);
    const stops = (before: Cluster, after: Cluster, which: Parameters): boolean =>
      containersOf(before, which)?.containers === 'running' &&
      containersOf(after, which)?.containers === 'terminating';
    const wrong = (before: Cluster, after: Cluster, which: Parameters): readonly string[] => {
      const name = podName(setup, which);
      const object = stored(before, which);
      if (starts(before, after, which)) {
        return whyNotToRun(setup, before, which)
          .filter((why) => !why.startsWith('claim') || containersOf(before, which) === null)
          .map((why) => `the containers of ${name} start, although ${why}`);
      }
      if (!stops(before, after, which) || object === null || isBeingDeleted(object)) return [];
      return [`the containers of ${name} are told to end, and nobody has deleted it`];
    };
    return {
      parameters: pods(setup),
      trigger: (before, _action, after, which) =>
        starts(before, after, which) || stops(before, after, which),
      holds: (before, _action, after, which) => wrong(before, after, which).length === 0,
      explain: (before, _action, after, which) => wrong(before, after, which),
    };
  },
});

export const NOTHING_RUNS_ON_LOST_MACHINE = defineProperty({
  id: 'nothing-runs-on-lost-machine',
  group: 'workloads, nodes, storage',
  name: 'nothing runs on a machine that is gone',
  kind: 'invariant',
  judgesObjects: 'parameters',
  about: 'No containers run of a pod that is bound to a node whose machine is gone.',
  trigger: 'a pod is bound to a node whose machine is gone',
  source:
    'Kubernetes documentation, Pod Lifecycle: "If a node dies, the Pods scheduled to that node are ' +
    'scheduled for deletion"',
  build: (setup) => {
    const bound = possibleObjects(setup).filter(({ pod }) => pod?.node !== undefined);
    const nodes = new Map(bound.map(({ uid, pod }) => [uid, `node ${pod?.node}`]));
    return {
      parameters: bound.map((object): WhichPod => ({ key: keyOf(object), uid: object.uid })),
      trigger: (cluster, { uid }) => (nodes.get(String(uid)) ?? '') in cluster.stopped,
      holds: (cluster, which) =>
        !((nodes.get(String(which.uid)) ?? '') in cluster.stopped) ||
        containersOf(cluster, which) === null,
      explain: (_cluster, which) => [`the containers of ${podName(setup, which)} run nowhere`],
    };
  },
});

export const KUBELET_WAITS_FOR_CONTAINERS = defineProperty({
  id: 'kubelet-waits-for-containers',
  group: 'workloads, nodes, storage',
  name: 'a kubelet is done with a pod only when its containers have ended',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'A kubelet sends the DELETE that removes a pod only from a machine that exists, and only ' +
    'while no containers of the pod run. It forgets containers that have ended only after it ' +
    'has reported the end of the pod, if the pod is still stored and has some grace period ' +
    'left.',
  trigger: 'a kubelet removes a pod, or forgets its containers',
  source: 'manager.syncPod of the kubelet: canBeDeleted (1.20)',
  build: (setup) => {
    const forgets = (before: Cluster, after: Cluster, which: Parameters): boolean =>
      containersOf(before, which)?.containers === 'ended' && containersOf(after, which) === null;
    const wrong = (
      before: Cluster,
      removes: boolean,
      after: Cluster,
      which: Parameters,
    ): readonly string[] => {
      const object = stored(before, which);
      const name = podName(setup, which);
      if (removes && object !== null) {
        return [
          ...(containersOf(before, which) === null ? [] : [`${name} is removed while it runs`]),
          ...(isMachineGone(before, object)
            ? [`${name} is removed by a kubelet that is gone`]
            : []),
        ];
      }
      const left = stored(after, which);
      if (!forgets(before, after, which) || left === null || left.pod?.finished === true) return [];
      // If the pod has no grace period left, the report removes it instead.
      const over = left.deletionGracePeriodSeconds === 0;
      return over || isMachineGone(after, left) ? [] : [`nobody is told that ${name} has ended`];
    };
    const isRemoval = (name: string, { key: own }: Parameters, key: unknown): boolean =>
      name === 'endGracePeriod' && own === key;
    return {
      parameters: setup.containers === true ? pods(setup) : [],
      trigger: (before, action, after, which) =>
        isRemoval(action.name, action.parameters, which.key) || forgets(before, after, which),
      holds: (before, action, after, which) =>
        wrong(before, isRemoval(action.name, action.parameters, which.key), after, which).length ===
        0,
      explain: (before, action, after, which) =>
        wrong(before, isRemoval(action.name, action.parameters, which.key), after, which),
    };
  },
});

export const CONTAINERS_FOLLOW_POD = defineProperty({
  id: 'containers-follow-pod',
  group: 'workloads, nodes, storage',
  name: 'containers follow their pod',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'The containers of a pod that is to run, and whose claims exist, start. The containers of ' +
    'a pod that is being deleted or gone end.',
  trigger: 'a pod is to run and does not run, or runs and must end',
  source: 'Kubernetes documentation, Pod Lifecycle; kubelet syncPod and killPod (1.20)',
  build: (setup) => {
    const behind = (cluster: Cluster, which: Parameters): boolean => {
      const object = stored(cluster, which);
      if (runs(cluster, which)) return object === null || isBeingDeleted(object);
      return whyNotToRun(setup, cluster, which).length === 0;
    };
    return {
      parameters: pods(setup),
      trigger: behind,
      goal: (cluster, which) => !behind(cluster, which),
      explain: (cluster, which) => [
        runs(cluster, which)
          ? `the containers of ${podName(setup, which)} run on`
          : `the containers of ${podName(setup, which)} never start`,
      ],
    };
  },
});
