import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineModel } from '../../../checker/authoring/define.ts';
import { Footprints } from '../../../checker/counterexamples/footprint.ts';
import { relevantRun } from '../../../checker/counterexamples/relevant-steps.ts';
import { executed, initialPlainState } from '../../../checker/engine/plain.ts';
import { instancesOf } from '../../../checker/instances.ts';
import { compileProperties } from '../../../checker/judgements.ts';
import type { Property, Witness } from '../../../checker/property.ts';
import { NO_REDUCTIONS } from '../../../checker/reductions/reduction.ts';
import { simulate } from '../../../checker/walks/simulate.ts';
import type { RandomState } from '../support/random-language.ts';
import { modelOf, randomCases } from '../support/random-models.ts';

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

/** Each reads another part of the state, and is true everywhere. */
const READERS = [
  ({ phase }: RandomState) => [phase],
  ({ cells }: RandomState) => Object.keys(cells),
  ({ lines }: RandomState) => [lines.p?.[0], lines.q?.length],
  ({ marks, wide }: RandomState) => [marks.m, wide.w0],
].map(
  (read, index): Witness<RandomState> => ({
    kind: 'witness',
    name: `reader ${index}`,
    reached: (state) => read(state).length >= 0,
  }),
);

it('footprints that know other runs find the same relevant steps', () => {
  const choices = fc.array(fc.nat(), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(randomCases, fc.array(choices, { minLength: 4, maxLength: 4 }), (one, runs) => {
      const model = modelOf(one);
      const instances = instancesOf(model);
      const compiled = compileProperties<RandomState>([], instances);
      const question = { model, instances, ...compiled, reductions: NO_REDUCTIONS };
      const shared = new Footprints(model);
      runs.forEach((picks, index) => {
        const states = [initialPlainState(model, model.initial[0]!).state];
        const actions: number[] = [];
        for (const pick of picks) {
          const after = executed(question, states.at(-1)!, pick % instances.length);
          if (after === null) continue;
          actions.push(pick % instances.length);
          states.push(after);
        }
        const claim = {
          ...{ property: READERS[index]!, parameters: {}, loopStart: null },
          ...{ states, actions },
        };
        const alone = relevantRun(question, new Footprints(model), claim);
        expect(relevantRun(question, shared, claim).actions).toEqual(alone.actions);
      });
    }),
    { numRuns: 40 },
  );
});
