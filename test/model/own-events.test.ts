import { expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { describer } from '../../model/describe/describer.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { keyOf } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { modelOf, propertiesOf } from '../../run/assemble.ts';
import { alice, clusterOf, configMap, nodeOf, ownedBy, setupOf } from '../properties/clusters.ts';

/** Delete events that the collector makes itself, for nodes that were not found. */

it('are also handled for a node that took over a kind and kept its name', async () => {
  // An absent owner has two names of different kinds. It is queued again under the first name when
  // that reference is removed, and then takes the second name.
  const a = configMap('a', { ownerReferences: [ownedBy('gone', { kind: 'Secret' })] });
  const b = configMap('b', { ownerReferences: [ownedBy('gone', { name: 'elsewhere' })] });
  const request = {
    do: 'update' as const,
    key: keyOf(a),
    change: { do: 'setOwnerReferences' as const, ownerReferences: [] },
    ...{ put: false, uid: null, resourceVersion: false },
  };
  const rules = PROTOCOLS.newest as Setup['rules'];
  const setup = setupOf([a, b], { ...alice(request), rules, caches: 'cold' });
  const properties = propertiesOf(setup, ['the collector comes to rest']);
  const result = await check({ model: modelOf(setup), properties });
  expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds']);
});

it('of a node that already has one queued are described like the first one', () => {
  const gone = configMap('gone');
  const setup = setupOf([gone], {});
  const step = { name: 'attemptToDelete', parameters: { worker: 'delete-1' } };
  const node = nodeOf(gone);
  const before = clusterOf([], { deleteWorkers: { 'delete-1': { at: 'getItem', node } } });
  const after = clusterOf([], { graphChanges: { [node]: true } });
  const again = { ...before, graphChanges: after.graphChanges };
  const { action } = describer(setup);
  expect(action(step, before, after)).toBe(
    'gc worker: GET ConfigMap/gone -> 404 NotFound, or another uid',
  );
  expect(action(step, again, after)).toBe(action(step, before, after));
});
