import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, type Model, type Property, type ReductionName } from '../../../checker/index.ts';
import { explore, judge } from '../support/oracle.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  names,
  type Processes,
  type SymmetricCase,
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';

/** Each reduction alone and all together, on models in which each of them has something to do. */

/** Each process gets a chore, once. No other action depends on whether it is done. */
interface Busy extends Processes {
  chores: Record<string, true>;
  done: Record<string, true>;
}

const MOST_STATES = 150;

function busyModel(given: SymmetricCase): Model<Busy> {
  const core = symmetricModel(given);
  return {
    ...(core as unknown as Model<Busy>),
    name: 'busy processes',
    slots: { ...core.slots, chores: 'flags', done: 'flags' },
    initial: core.initial.map((state) => ({ ...state, chores: {}, done: {} })),
    actions: {
      tidy: {
        fairness: 'strong',
        parameters: names(given).map((one) => ({ one })),
        reduce(draft, { one }) {
          if (draft.chores[String(one)] === undefined) return;
          delete draft.chores[String(one)];
          draft.done[String(one)] = true;
        },
      },
      ...Object.fromEntries(
        Object.entries(core.actions).map(([name, action]) => [
          name,
          {
            ...action,
            reduce(draft: Busy, parameters: { readonly one?: string }) {
              action.reduce(draft as never, parameters as never);
              const { one } = parameters;
              if (one !== undefined && draft.done[one] === undefined) draft.chores[one] = true;
            },
          },
        ]),
      ),
    },
    confluence: { writes: ['chores', 'done'], actions: ['tidy'], isConfluent: () => true },
  };
}

function judgedOf(given: SymmetricCase): Property<Busy>[] {
  return [
    ...(symmetricProperties(given) as unknown as Property<Busy>[]),
    {
      kind: 'eventually',
      name: 'tidy',
      parameters: names(given).map((one) => ({ one })),
      trigger: ({ chores }, { one }) => chores[String(one)] !== undefined,
      goal: ({ done }, { one }) => done[String(one)] !== undefined,
    },
    { kind: 'settled', name: 'tidied', settled: ({ chores }) => Object.keys(chores).length === 0 },
  ];
}

const CHOICES: readonly (readonly ReductionName[])[] = [
  ['symmetry'],
  ['confluence'],
  ['partial-order'],
  ['symmetry', 'confluence'],
  ['symmetry', 'confluence', 'partial-order'],
];

it('all choices of reductions have the verdicts of brute force', async () => {
  const fewer = new Map<string, number>();
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(symmetricCases, async (given) => {
      const model = busyModel(given);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null && space.texts.length > 3);
      const properties = judgedOf(given);
      const expected = properties.map((property) => judge(space, model, property).verdict);
      for (const reductions of CHOICES) {
        const result = await check({ model, properties, reductions, auditEvery: 1 });
        const choice = reductions.join();
        expect(result.defect, choice).toBe(null);
        expect(
          result.properties.map(({ verdict }) => verdict),
          choice,
        ).toEqual(expected);
        if (result.statistics.states < space.texts.length) {
          fewer.set(choice, 1 + (fewer.get(choice) ?? 0));
        }
      }
      properties.forEach(({ kind }, index) => {
        outcomes.add(`${kind} ${expected[index]}`);
      });
    }),
    { numRuns: randomRuns(16) },
  );
  for (const choice of CHOICES) {
    expect(fewer.get(choice.join()) ?? 0, choice.join()).toBeGreaterThan(2);
  }
  expect(outcomes.size).toBeGreaterThan(8);
});
