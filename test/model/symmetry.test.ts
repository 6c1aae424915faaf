import { describe, expect, it } from 'vitest';
import { check, type PropertyResult } from '../../checker/index.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Setup, UserStep } from '../../model/state/setup.ts';
import { symmetryOf } from '../../model/symmetry.ts';
import { PROPERTIES } from '../../properties/index.ts';
import { modelOf, propertiesOf } from '../../run/assemble.ts';
import { configMap, ownedBy, setupOf } from '../properties/clusters.ts';
import { scenarios } from '../scenarios/read.ts';

const NAMES = PROPERTIES.map(({ name }) => name);

function deleting(propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Setup['users'] {
  const step: UserStep = {
    request: { do: 'delete', key: 'ConfigMap/default/owner', options: { propagationPolicy } },
    after: [],
  };
  return { user: [step] };
}

const owner = configMap('owner');
const b = configMap('leaf-b', { ownerReferences: [ownedBy('owner')] });
const c = configMap('leaf-c', { ownerReferences: [ownedBy('owner')] });
/** Larger built-in scenarios take longer than they are worth. */
const MOST_STATES = 5000;

const held = { finalizers: ['example.com/hold'] };
const both = ['ConfigMap/default/leaf-b', 'ConfigMap/default/leaf-c'];

describe('interchangeable things', () => {
  it.each<[string, Setup, readonly (readonly string[])[]]>([
    ['leaves with the same owner', setupOf([owner, b, c], {}), [both]],
    ['workers of one queue', setupOf([owner], { deleteWorkers: 2 }), [['delete-1', 'delete-2']]],
    ['not leaves that differ', setupOf([owner, b, { ...c, ...held }], {}), []],
    [
      'not a leaf that a request of a user names',
      setupOf([owner, b, c], {
        users: { bob: [{ request: { do: 'read', key: both[0]! }, after: [] }] },
      }),
      [],
    ],
    [
      'not an owner',
      setupOf([owner, b, c, configMap('d', { ownerReferences: [ownedBy('leaf-b')] })], {}),
      [],
    ],
    [
      'not if an actor lists objects by name',
      setupOf([owner, b, c], {
        users: { bob: [{ request: { do: 'stopControllers' }, after: [] }] },
      }),
      [],
    ],
  ])('%s', (_, setup, members) => {
    expect(symmetryOf(setup)?.groups.map((group) => group.members) ?? []).toEqual(members);
  });
});

function essence({ name, verdict, trace }: PropertyResult): unknown {
  return [name, verdict, trace === null ? null : (trace.loopStart ?? trace.steps.length)];
}

describe('symmetry changes no verdict and no shortest length', () => {
  const leaves = [owner, b, c];
  const builtIn = scenarios().filter(
    ({ setup, expectation }) =>
      symmetryOf(setup) !== null && (expectation?.states ?? MOST_STATES) < MOST_STATES,
  );
  it('also holds on built-in scenarios', () => {
    expect(builtIn.map(({ name }) => name)).toContain('two-workers-chain');
  });

  it.each<[string, Setup, number]>([
    ['background', setupOf(leaves, { users: deleting('Background') }), 2],
    ['foreground', setupOf(leaves, { users: deleting('Foreground'), caches: 'cold' }), 2],
    ['orphan', setupOf(leaves, { users: deleting('Orphan'), caches: 'cold' }), 2],
    [
      'two workers and finalizers',
      setupOf([owner, { ...b, ...held }, { ...c, ...held }], {
        users: deleting('Background'),
        deleteWorkers: 2,
      }),
      4,
    ],
    [
      'a PATCH with its own reader',
      setupOf([{ ...owner, ownerReferences: [ownedBy('leaf-b')] }, b], {
        users: deleting('Foreground'),
        deleteWorkers: 2,
        rules: PROTOCOLS.newest!,
      }),
      2,
    ],
    ['a relist', setupOf(leaves, { users: deleting('Orphan'), relists: { ConfigMap: 1 } }), 2],
    ...['gc-proposal', 'v1.7', 'newest'].map((protocol): [string, Setup, number] => [
      protocol,
      setupOf(leaves, { users: deleting('Foreground'), rules: PROTOCOLS[protocol]! }),
      2,
    ]),
    ...builtIn.map(({ name, setup }): [string, Setup, number] => [name, setup, 2]),
  ])('%s', async (_, setup, renamings) => {
    const question = { model: modelOf(setup), properties: propertiesOf(setup, NAMES) };
    const full = await check({ ...question, reductions: [] });
    const reduced = await check({ ...question, auditEvery: 7 });
    expect(reduced.defect).toBe(null);
    expect(reduced.symmetry?.renamings ?? 1).toBe(renamings);
    expect(reduced.properties.map(essence)).toEqual(full.properties.map(essence));
    const { states } = reduced.statistics;
    expect(states).toBeLessThanOrEqual(full.statistics.states);
    expect(states * renamings).toBeGreaterThanOrEqual(full.statistics.states);
  });
});
