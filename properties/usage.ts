import type { ActionInstance } from '../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  equalJson,
  formatKey,
  keyOf,
  objectKey,
  possibleObjects,
  runningPod,
  type Setup,
  waiterOf,
  waitingUsers,
} from '../model/index.ts';
import { ACTORS_ARE_FAIR, type CatalogueEntry } from './catalogue.ts';
import { nameOf } from './relations.ts';

/** What deletion means to those who use an object, or wait for its end. */

function claimKeys(setup: Setup): readonly { readonly key: string }[] {
  const claims = possibleObjects(setup).filter(({ kind }) => kind === 'PersistentVolumeClaim');
  return [...new Set(claims.map(keyOf))].map((key) => ({ key }));
}

/** The pods that may use the claim, one entry for each uid. */
function podsOfClaim(setup: Setup, key: string): readonly ApiObject[] {
  const [, namespace = '', name = ''] = key.split('/');
  return possibleObjects(setup).filter(
    (object) => object.namespace === namespace && object.pod?.claims?.includes(name) === true,
  );
}

/** Those of them whose containers run. */
function users(cluster: Cluster, pods: readonly ApiObject[]): readonly ApiObject[] {
  return pods.filter((pod) => {
    const running = runningPod(cluster, keyOf(pod));
    if (running?.uid !== pod.uid) return false;
    return running.containers === 'running' || running.containers === 'terminating';
  });
}

export const CLAIM_IN_USE_STAYS: CatalogueEntry = {
  name: 'a claim in use does not leave',
  kind: 'step',
  about:
    'A PersistentVolumeClaim leaves the store only when the containers of no pod run that its ' +
    'kubelet has started with it.',
  trigger: 'a PersistentVolumeClaim leaves the store',
  source:
    'Kubernetes documentation, Persistent Volumes: "If a user deletes a PVC in active use by a ' +
    'Pod, the PVC is not removed immediately"; ' +
    'https://github.com/kubernetes/kubernetes/issues/76703',
  fairness: 'none',
  build: (setup) => {
    const pods = new Map(claimKeys(setup).map(({ key }) => [key, podsOfClaim(setup, key)]));
    const usersOf = (cluster: Cluster, key: unknown): readonly ApiObject[] =>
      users(cluster, pods.get(String(key)) ?? []);
    return {
      kind: 'step',
      name: CLAIM_IN_USE_STAYS.name,
      parameters: claimKeys(setup),
      trigger: (before, _action, after, { key }) =>
        before.store[String(key)] !== undefined && after.store[String(key)] === undefined,
      holds: (before, _action, after, { key }) =>
        before.store[String(key)] === undefined ||
        after.store[String(key)] !== undefined ||
        usersOf(before, key).length === 0,
      explain: (before, _action, _after, { key }) => {
        const claim = before.store[String(key)];
        if (claim === undefined) return [];
        return usersOf(before, key).map(
          (pod) => `${nameOf(claim)} leaves while the containers of ${nameOf(pod)} use it`,
        );
      },
    };
  },
};

export const VOLUME_OUTLIVES_CLAIM: CatalogueEntry = {
  name: 'a volume does not leave before its claim',
  kind: 'step',
  about: 'A PersistentVolume leaves the store only when the claim that it is for is not stored.',
  trigger: 'a PersistentVolume that is for a claim leaves the store',
  source:
    'Kubernetes documentation, Persistent Volumes: "if an admin deletes a PV that is bound to a ' +
    'PVC, the PV is not removed immediately"',
  fairness: 'none',
  build: (setup) => {
    const volumes = possibleObjects(setup).filter(({ volume }) => volume !== undefined);
    const claimOf = (cluster: Cluster, key: unknown): ApiObject | null => {
      const binding = cluster.store[String(key)]?.volume;
      if (binding === undefined) return null;
      const claim = cluster.store[binding.claim];
      const meant = binding.claimUid === undefined || binding.claimUid === claim?.uid;
      return claim === undefined || !meant ? null : claim;
    };
    return {
      kind: 'step',
      name: VOLUME_OUTLIVES_CLAIM.name,
      parameters: [...new Set(volumes.map(keyOf))].map((key) => ({ key })),
      trigger: (before, _action, after, { key }) =>
        before.store[String(key)]?.volume !== undefined && after.store[String(key)] === undefined,
      holds: (before, _action, after, { key }) =>
        after.store[String(key)] !== undefined || claimOf(before, key) === null,
      explain: (before, _action, _after, { key }) => {
        const volume = before.store[String(key)];
        const claim = claimOf(before, key);
        if (volume === undefined || claim === null) return [];
        return [`${nameOf(volume)} leaves before its claim ${nameOf(claim)}`];
      },
    };
  },
};

export const WAITING_ENDS: CatalogueEntry = {
  name: 'a client that waits for a deletion is done',
  kind: 'eventually',
  about:
    'A client that has deleted an object and waits until it is gone stops waiting once it is gone, ' +
    'whatever stands under its name then.',
  trigger: 'a client waits for an object that is not stored any more',
  source:
    'Synchronous Garbage Collection (proposal): "*kubectl delete* needs to poll on the removal of ' +
    'the owner object"; https://github.com/kubernetes/kubernetes/pull/66136',
  fairness: ACTORS_ARE_FAIR,
  build: (setup) => {
    const waitsInVain = (cluster: Cluster, user: unknown): boolean => {
      const waiter = waiterOf(cluster, String(user));
      return waiter !== null && cluster.store[waiter.key]?.uid !== waiter.uid;
    };
    return {
      kind: 'eventually',
      name: WAITING_ENDS.name,
      parameters: waitingUsers(setup).map((user) => ({ user })),
      trigger: (cluster, { user }) => waitsInVain(cluster, user),
      goal: (cluster, { user }) => !waitsInVain(cluster, user),
      explain: (cluster, { user }) => {
        const waiter = waiterOf(cluster, String(user));
        if (waiter === null) return [];
        const present = cluster.store[waiter.key];
        const now = present === undefined ? 'is gone' : `has uid ${present.uid} by now`;
        return [`${user} waits for uid ${waiter.uid}: ${formatKey(waiter.key)} ${now}`];
      },
    };
  },
};

export const WAITING_LASTS: CatalogueEntry = {
  name: 'a client waits for a deletion until it is over',
  kind: 'step',
  about:
    'A client that waits for the deletion of an object does not stop while it is stored, and does ' +
    'nothing else meanwhile.',
  trigger: 'a client stops waiting for a deletion',
  source:
    'Synchronous Garbage Collection (proposal): "Currently `kubectl delete` blocks until all ' +
    'dependents and the owner are deleted"',
  fairness: 'none',
  build: (setup) => {
    const goesOn = (action: ActionInstance, user: unknown): boolean =>
      action.name === 'request' && action.parameters.user === user;
    return {
      kind: 'step',
      name: WAITING_LASTS.name,
      parameters: waitingUsers(setup).map((user) => ({ user })),
      trigger: (before, action, after, { user }) =>
        waiterOf(before, String(user)) !== null &&
        (goesOn(action, user) || waiterOf(after, String(user)) === null),
      holds: (before, action, after, { user }) => {
        const waiter = waiterOf(before, String(user));
        if (waiter === null) return true;
        if (goesOn(action, user)) return false;
        if (waiterOf(after, String(user)) !== null) return true;
        return before.store[waiter.key]?.uid !== waiter.uid;
      },
      explain: (before, action, _after, { user }) => {
        const waiter = waiterOf(before, String(user));
        if (waiter === null) return [];
        return goesOn(action, user)
          ? [`${user} waits for ${formatKey(waiter.key)}, and sends another request`]
          : [`${user} waits no longer, and ${formatKey(waiter.key)} is still there`];
      },
    };
  },
};

/** The pod that a DELETE of pod gc marks or removes with this step, as it was stored. */
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

export const POD_GC_TAKES_LEFTOVERS: CatalogueEntry = {
  name: 'pod gc takes only pods that no kubelet cares for',
  kind: 'step',
  about:
    'At the instant at which a DELETE of pod gc takes effect, the pod has ended, or has no node, ' +
    'or is bound to one that does not exist.',
  trigger: 'a DELETE of pod gc takes effect',
  source:
    'Kubernetes documentation, Pod Lifecycle: "PodGC cleans up any Pods which satisfy any of the ' +
    'following conditions"',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: POD_GC_TAKES_LEFTOVERS.name,
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
};
