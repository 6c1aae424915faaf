import { type ApiObject, keyOf } from '../../model/state/objects.ts';
import type { Deed, SimulatedSetup } from './simulated-setups.ts';

/** Fans: an owner with many alike dependents, which is deleted. */

export function configMap(name: string, owner: string | null): ApiObject {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner ?? '', uid: `uid-${owner}` };
  return {
    ...{ kind: 'ConfigMap', namespace: 'default', name, uid: `uid-${name}`, generation: 0 },
    finalizers: [],
    ownerReferences: owner === null ? [] : [{ ...reference, blockOwnerDeletion: true }],
    ...{ deletionTimestamp: null, deletionGracePeriodSeconds: null },
  };
}

/** An owner with so many dependents is deleted; the workers are as quick as in a real cluster. */
export function fan(
  dependents: number,
  policy: 'Foreground' | 'Background' | 'Orphan',
): SimulatedSetup {
  const owner = configMap('owner', null);
  const names = Array.from({ length: dependents }, (_, index) => `d${index}`);
  const objects = [owner, ...names.map((name) => configMap(name, 'owner'))];
  const creations = objects.map((object): Deed => ({ do: 'create', object }));
  const removal: Deed = { do: 'delete', key: keyOf(owner), policy, uid: null, unchanged: false };
  return {
    users: { alice: [...creations, { do: 'settle' }, removal] },
    ...{ deleteWorkers: 20, orphanWorkers: 20, restarts: 0, steps: 3000 },
    pace: {
      user: 1,
      serve: 1,
      answer: 2,
      deliver: 4,
      take: 8,
      send: 8,
      look: 8,
      hear: 8,
      disturb: 0,
    },
  };
}
