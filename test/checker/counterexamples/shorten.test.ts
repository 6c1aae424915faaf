import { expect, it } from 'vitest';
import { defineModel } from '../../../checker/authoring/define.ts';
import type { Property } from '../../../checker/property.ts';
import { simulate } from '../../../checker/walks/simulate.ts';

it('a loop is not shortened to one that meets the goal', async () => {
  const moves = (...ways: readonly (readonly [number, number])[]) => ({
    fairness: 'weak' as const,
    reduce: (draft: { at: number }) => {
      const way = ways.find(([from]) => from === draft.at);
      if (way !== undefined) [, draft.at] = way;
    },
  });
  // The loop goes through 2 and 3. Without the step to 2 the same steps go through 5.
  const model = defineModel<{ at: number }>({
    name: 'two ways round',
    slots: { at: 'value' },
    initial: [{ at: 0 }],
    actions: {
      leave: moves([0, 1]),
      turn: moves([1, 2]),
      go: moves([2, 3], [1, 5]),
      back: moves([3, 0], [5, 0]),
    },
  });
  const reaches: Property<{ at: number }> = {
    kind: 'eventually',
    name: 'comes to 5',
    trigger: ({ at }) => at === 0,
    goal: ({ at }) => at === 5,
  };
  const limits = { walks: 50, steps: 50, seed: 1 };
  const result = await simulate({ model, properties: [reaches], ...limits });
  expect(result.defect).toBe(null);
  expect(result.properties).toMatchObject([{ verdict: 'violated', trace: { shape: 'lasso' } }]);
  const { steps, loopStart } = result.properties[0]!.trace!;
  expect(steps.slice(loopStart!).map(({ state }) => state)).not.toContainEqual({ at: 5 });
});
