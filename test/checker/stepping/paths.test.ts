import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineModel } from '../../../checker/authoring/define.ts';
import {
  apply,
  enabled,
  type Path,
  paths,
  shortestPath,
  successors,
} from '../../../checker/index.ts';
import type { Model } from '../../../checker/model.ts';
import { canonicalText } from '../../../checker/values/canonical.ts';
import { explore } from '../support/oracle.ts';
import { modelOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';

/** A counter from 0 to 3 that can be reset. */
const counter = defineModel<{ count: number }>({
  name: 'counter',
  slots: { count: 'value' },
  initial: [{ count: 0 }],
  actions: {
    add: {
      parameters: [{ by: 1 }, { by: 2 }],
      reduce(draft, { by }) {
        if (draft.count + Number(by) <= 3) draft.count += Number(by);
      },
    },
    reset: {
      reduce(draft) {
        draft.count = 0;
      },
    },
  },
});

describe('one step at a time', () => {
  it('says what is enabled, and what it leads to', () => {
    expect(enabled(counter, { count: 2 })).toEqual([
      { name: 'add', parameters: { by: 1 } },
      { name: 'reset', parameters: {} },
    ]);
    expect(successors(counter, { count: 3 })).toEqual([
      { action: { name: 'reset', parameters: {} }, state: { count: 0 } },
    ]);
    expect(apply(counter, { count: 0 }, { name: 'add', parameters: { by: 2 } })).toEqual({
      count: 2,
    });
  });

  it.each([
    [{ name: 'add', parameters: { by: 3 } }, 'unknownAction'],
    [{ name: 'reset', parameters: { by: 1 } }, 'unknownAction'],
    [{ name: 'reset' }, 'notEnabled'],
  ])('refuses %j', (action, code) => {
    expect(() => apply(counter, { count: 0 }, action)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a state that does not fit the slots, and names a reducer that fails', () => {
    const strange = { count: 0, other: 1 };
    expect(() => enabled(counter, strange)).toThrow(expect.objectContaining({ code: 'badState' }));
    const failing = defineModel<{ count: number }>({
      ...counter,
      actions: {
        fail: {
          reduce() {
            throw new Error('no');
          },
        },
      },
    });
    expect(() => enabled(failing, { count: 0 })).toThrow(
      expect.objectContaining({ defect: expect.objectContaining({ culprit: 'fail' }) }),
    );
  });
});

/** Each path begins in an initial state, and each step of it is one of the model. */
function stepsIn<State>(
  model: Model<State>,
  found: readonly Path<State>[],
): { readonly states: ReadonlySet<string>; readonly steps: ReadonlySet<string> } {
  const states = new Set<string>();
  const steps = new Set<string>();
  const initial = new Set(model.initial.map((state) => canonicalText(state)));
  for (const path of found) {
    expect(initial).toContain(canonicalText(path.initial));
    let before = path.initial;
    states.add(canonicalText(before));
    for (const { action, state } of path.steps) {
      expect(apply(model, before, action)).toEqual(state);
      steps.add(canonicalText([before, action, state]));
      before = state;
      states.add(canonicalText(before));
    }
  }
  return { states, steps };
}

describe('paths', () => {
  it('cover every state, or every step, of random models', () => {
    fc.assert(
      fc.property(randomCases, (random) => {
        const model = modelOf(random);
        const space = explore(model, 60);
        if (space === null) return;
        const all = stepsIn(model, paths(model, { cover: 'states' }));
        expect(all.states.size).toBe(space.texts.length);
        const tours = stepsIn(model, paths(model, { cover: 'transitions' }));
        const transitions = new Set(
          space.transitions.map(({ from, action, parameters, to }) =>
            canonicalText([
              JSON.parse(space.texts[from]!),
              { name: action, parameters },
              JSON.parse(space.texts[to]!),
            ]),
          ),
        );
        expect([...tours.steps].sort()).toEqual([...transitions].sort());
      }),
      { numRuns: randomRuns(30) },
    );
  });

  it('are few, and refuse a model that is too large', () => {
    expect(paths(counter, { cover: 'states' })).toHaveLength(2);
    expect(paths(counter, { cover: 'transitions' })).toHaveLength(1);
    expect(() => paths(counter, { cover: 'states', states: 3 })).toThrow(
      expect.objectContaining({ code: 'tooLarge' }),
    );
  });

  it('a shortest one leads to a state, if there is one', async () => {
    const path = await shortestPath(counter, ({ count }) => count === 3);
    expect(path?.steps).toHaveLength(2);
    expect(path?.steps.at(-1)?.state).toEqual({ count: 3 });
    expect(await shortestPath(counter, ({ count }) => count === 4)).toBeNull();
  });
});
