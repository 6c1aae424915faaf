import { expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { keyOf } from '../../model/state/objects.ts';
import type { Operator } from '../../model/state/programs/operator.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { alice, configMap, HOLD, object, ownedBy, setupOf } from './clusters.ts';

/**
 * The child of a controller whose uid can come back is created any number of times, or never. What
 * was never created is not gone, so nothing here is: the owner is held for ever.
 */
it('what a controller never creates is not gone', async () => {
  const a = configMap('a', { finalizers: [HOLD] });
  const operator: Operator = {
    name: 'example-operator',
    parent: { key: keyOf(a), uid: a.uid },
    addsFinalizer: false,
    creates: [object('Secret', 'b', { ownerReferences: [ownedBy('a')] })],
    uidsReturn: true,
    deletes: [],
    waitsFor: [],
    reads: 'live',
    fairness: 'weak',
  };
  const setup = setupOf([a], {
    ...alice({ do: 'delete', key: keyOf(a), options: {} }),
    operators: [operator],
    finalizers: { [HOLD]: 'stuck' },
  });
  const asked = deletionProperties(setup).filter(({ id }) => id === 'dead-uids-forgotten');
  const { properties } = await check({ model: deletionModel(setup), properties: asked });
  expect(properties.map(({ verdict }) => verdict)).toEqual(['vacuous']);
});
