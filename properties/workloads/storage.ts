import {
  type ApiObject,
  type Cluster,
  keyOf,
  possibleObjects,
  runningPod,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf } from '../relations.ts';

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

/** The pods among these whose containers run. */
function users(cluster: Cluster, pods: readonly ApiObject[]): readonly ApiObject[] {
  return pods.filter((pod) => {
    const running = runningPod(cluster, keyOf(pod));
    if (running?.uid !== pod.uid) return false;
    return running.containers === 'running' || running.containers === 'terminating';
  });
}

export const CLAIM_IN_USE_STAYS = defineProperty({
  id: 'claim-in-use-stays',
  group: 'workloads, nodes, storage',
  name: 'a claim in use does not leave',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'A PersistentVolumeClaim leaves the store only when no pod runs that a kubelet has ' +
    'started with the claim.',
  trigger: 'a PersistentVolumeClaim leaves the store',
  source:
    'Kubernetes documentation, Persistent Volumes: "If a user deletes a PVC in active use by a ' +
    'Pod, the PVC is not removed immediately"; ' +
    'https://github.com/kubernetes/kubernetes/issues/76703',
  build: (setup) => {
    const pods = new Map(claimKeys(setup).map(({ key }) => [key, podsOfClaim(setup, key)]));
    const usersOf = (cluster: Cluster, key: unknown): readonly ApiObject[] =>
      users(cluster, pods.get(String(key)) ?? []);
    return {
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
});

export const VOLUME_OUTLIVES_CLAIM = defineProperty({
  id: 'volume-outlives-claim',
  group: 'workloads, nodes, storage',
  name: 'a volume does not leave before its claim',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'A PersistentVolume leaves the store only when the claim that it is bound to is not stored.',
  trigger: 'a PersistentVolume with a claim leaves the store',
  source:
    'Kubernetes documentation, Persistent Volumes: "if an admin deletes a PV that is bound to a ' +
    'PVC, the PV is not removed immediately"',
  build: (setup) => {
    const volumes = possibleObjects(setup).filter(({ volume }) => volume !== undefined);
    const claimOf = (cluster: Cluster, key: unknown): ApiObject | null => {
      const binding = cluster.store[String(key)]?.volume;
      // A claim that it is only kept for is none that has it.
      if (binding === undefined || (!binding.bound && binding.claimUid === undefined)) return null;
      const claim = cluster.store[binding.claim];
      const meant = binding.claimUid === undefined || binding.claimUid === claim?.uid;
      return claim === undefined || !meant ? null : claim;
    };
    return {
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
});
