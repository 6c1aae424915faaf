import { describe, expect, it } from 'vitest';
import { check, type Model } from '../../checker/index.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Rules } from '../../model/rules/rules.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup, UserStep } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { configMap, ownedBy, setupOf } from './clusters.ts';

/** kubernetes/kubernetes#32628: objects that own each other wait for each other. */

const PROGRESS = [
  'nothing is stuck',
  'every deletion finishes',
  'no collector finalizer is stuck',
  'cycles in foreground deletion are broken',
];

function ring(protocol: string, cycleBreaking: Rules['cycleBreaking'], deleted: string): Setup {
  const rules = PROTOCOLS[protocol];
  if (rules === undefined) throw new Error(`there is no protocol ${protocol}`);
  const foreground = (name: string): readonly UserStep[] => [
    {
      request: {
        do: 'delete',
        key: `ConfigMap/default/${name}`,
        options: { propagationPolicy: 'Foreground' },
      },
      after: [],
    },
  ];
  const objects = [
    configMap('a', { ownerReferences: [ownedBy('b')] }),
    configMap('b', { ownerReferences: [ownedBy('a')] }),
  ];
  const users = Object.fromEntries([...deleted].map((name) => [`user-${name}`, foreground(name)]));
  return setupOf(objects, { rules: { ...rules, cycleBreaking }, users });
}

describe('a cycle in foreground deletion', () => {
  it.each([
    ['synchronous-gc-proposal', 'none', 'a', PROGRESS],
    ['synchronous-gc-proposal', 'searchCycle', 'a', []],
    ['v1.20', 'none', 'a', PROGRESS],
    ['v1.20', 'unblockOwners', 'a', []],
    ['v1.20', 'searchCycle', 'a', []],
    // Both are being deleted from the start, so only the search finds them.
    ['synchronous-gc-proposal', 'searchCycle', 'ab', []],
    ['v1.20', 'unblockOwners', 'ab', PROGRESS],
  ] as const)('%s, %s, %s deleted', async (protocol, cycleBreaking, deleted, violated) => {
    const setup = ring(protocol, cycleBreaking, deleted);
    const model: Model<Cluster> = deletionModel(setup);
    const properties = deletionProperties(setup).filter(({ name }) => PROGRESS.includes(name));
    const result = await check({ model, properties });
    const verdicts = result.properties.filter(({ verdict }) => verdict === 'violated');
    expect(verdicts.map(({ name }) => name)).toEqual(violated);
    const asked = result.properties.find(({ name }) => name === 'every deletion finishes');
    expect(asked?.triggered).toBeGreaterThan(0);
  });
});
