import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import type { Model } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';
import { PermutationGroup } from '../../../checker/reductions/symmetry/permutations.ts';
import type { CheckResult, PropertyResult } from '../../../checker/result.ts';
import { type Cups, cups, isBroken } from '../support/cups.ts';
import { explore, type OracleSpace, sortedText } from '../support/oracle.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  names,
  type Processes,
  symmetricCases,
  symmetricModel,
  symmetricProperties,
  symmetry,
} from '../support/random-symmetric.ts';

const MOST_STATES = 200;

/** The number of orbits of the reachable states, by brute force. */
function orbits(space: OracleSpace, members: readonly string[]): number {
  const group = new PermutationGroup([{ name: 'processes', members }], true);
  const renamings = Array.from({ length: group.size }, (_, number) => group.renaming(number));
  const { renameKey, renameValue } = symmetricModel({
    processes: 2,
    start: [],
    actions: [],
    properties: [],
  }).symmetry!;
  const found = new Set(
    space.texts.map((text) => {
      const state = JSON.parse(text) as Processes;
      const images = renamings.map((renaming) =>
        sortedText(
          Object.fromEntries(
            Object.entries(state).map(([section, value]) => [
              section,
              ['cells', 'marks', 'line'].includes(section)
                ? Object.fromEntries(
                    Object.entries(value).map(([key, entry]) => [
                      renameKey(section, key, renaming),
                      renameValue(section, entry, renaming),
                    ]),
                  )
                : renameValue(section, value, renaming),
            ]),
          ),
        ),
      );
      return images.sort()[0];
    }),
  );
  return found.size;
}

/** Adds a group that nothing mentions. There are then too many renamings to list. */
function withGhosts<State>(model: Model<State>): Model<State> {
  const ghosts = { name: 'ghosts', members: [...'1234567'] };
  const { groups } = model.symmetry!;
  return { ...model, symmetry: { ...model.symmetry!, groups: [...groups, ghosts] } };
}

/** Only the prefix of a lasso is shortest. */
function comparable({ verdict, trace }: PropertyResult): unknown {
  const length = trace === null ? null : (trace.loopStart ?? trace.steps.length);
  return { verdict, length };
}

it('has the verdicts and lengths of a search without it, with one state for each orbit', async () => {
  let merged = 0;
  let settled = 0;
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(symmetricCases, async (given) => {
      const model = symmetricModel(given);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null && space.texts.length > 3);
      const properties = symmetricProperties(given);
      const question = { model, properties, auditEvery: 1 };
      const full = await check({ ...question, reductions: [] });
      expect(full.symmetry?.renamings).toBe(1);
      const results: CheckResult[] = [];
      for (const way of ['tracked', 'naive', 'labelled'] as const) {
        const reduced =
          way === 'labelled'
            ? await check({ ...question, model: withGhosts(model) })
            : await check({ ...question, engine: way });
        results.push(reduced);
        expect(reduced.defect).toBe(null);
        expect(reduced.properties.map(comparable)).toEqual(full.properties.map(comparable));
        const isReduced = reduced.symmetry!.groups[0]!.applied;
        const states = isReduced ? orbits(space, names(given)) : space.texts.length;
        expect(reduced.statistics.states).toBe(states);
        // Fewer if a renaming of a late state is found early.
        expect(reduced.statistics.layers).toBeLessThanOrEqual(full.statistics.layers);
      }
      const [tracked] = results;
      if (tracked!.statistics.states < space.texts.length) merged++;
      for (const { kind, name, verdict, trace } of tracked!.properties) {
        const { renamings, judgedWithout } = tracked!.symmetry!;
        const isSettled = renamings > 1 && !judgedWithout.includes(name);
        if (kind === 'eventually' && verdict === 'holds' && isSettled) settled++;
        const outcome = `${kind} ${verdict} ${trace?.shape ?? ''}`;
        outcomes.set(outcome, 1 + (outcomes.get(outcome) ?? 0));
      }
    }),
    { numRuns: randomRuns(26) },
  );
  expect(merged).toBeGreaterThan(12);
  // Most leads-tos that hold are decided without a second search.
  expect(settled).toBeGreaterThan(1);
  expect(outcomes.size).toBeGreaterThan(9);
});

it.each<[string, Property<Cups>, string | null]>([
  [
    'a property of every cup',
    {
      kind: 'witness',
      name: 'p',
      parameters: [{ cup: 'a' }, { cup: 'b' }, { cup: 'c' }],
      reached: (state, { cup }) => isBroken(state, cup),
    },
    null,
  ],
  [
    'a property of some cups',
    {
      kind: 'witness',
      name: 'p',
      parameters: [{ cup: 'a' }, { cup: 'b' }],
      reached: (state, { cup }) => isBroken(state, cup),
    },
    '"p" is judged for some of its members only',
  ],
  [
    'a property that mentions a cup',
    { kind: 'witness', name: 'p', mentions: ['b'], reached: (state) => isBroken(state, 'b') },
    '"p" is about b',
  ],
])('%s: says whether symmetry was applied, and why not', async (_, property, reason) => {
  const result = await check({ model: cups(['a', 'b', 'c']), properties: [property] });
  const applied = reason === null;
  expect(result.symmetry).toEqual({
    renamings: applied ? 6 : 1,
    groups: [{ name: 'cups', members: ['a', 'b', 'c'], applied, reason }],
    judgedWithout: [],
    ...(applied ? { shown: 'by every step' } : {}),
  });
  // Each cup in one of three states; with symmetry only their numbers count.
  expect(result.statistics.states).toBe(applied ? 10 : 27);
  expect(result.properties[0]).toMatchObject({ verdict: 'holds' });
  expect(result.properties[0]?.trace?.steps.length).toBe(2);
});

it('shows a trace and its parameters in the names of a real run', async () => {
  const model = { ...cups(['a', 'b', 'c']), initial: [{ cups: { c: 'full' } }] as const };
  const property: Property<Cups> = {
    kind: 'step',
    name: 'the cup that is broken is alone',
    parameters: [{ cup: 'a' }, { cup: 'b' }, { cup: 'c' }],
    holds: (before, _, after, { cup }) =>
      isBroken(before, cup) || !isBroken(after, cup) || Object.keys(before.cups).length < 2,
  };
  const result = await check({ model, properties: [property] });
  const [found] = result.properties;
  expect(result.symmetry?.renamings).toBe(6);
  expect(found?.trace?.initial).toEqual({ cups: { c: 'full' } });
  expect(found?.trace?.steps.map(({ action }) => action)).toEqual(['fill', 'break']);
  expect(found?.parameters).toEqual(found?.trace?.steps[1]?.parameters);
});

const two = [{ one: 'a' }, { one: 'b' }];
const nobody = { marks: {}, line: { waiting: [] }, club: [], phase: 0, holder: null };
const processes = {
  name: 'processes',
  slots: symmetricModel({ processes: 2, start: [], actions: [], properties: [] }).slots,
  symmetry: symmetry(['a', 'b']),
};

/** The process at 1 overtakes the other, which stays behind for ever. */
const overtaking: Model<Processes> = {
  ...processes,
  initial: [{ ...nobody, cells: { a: 1, b: 2 } }],
  actions: {
    overtake: {
      fairness: 'weak',
      parameters: two,
      reduce: (draft, { one }) => {
        if (draft.cells[String(one)] !== 1) return;
        draft.cells[String(one)] = 3;
        draft.phase = 1;
      },
    },
  },
};

/** The holder may pass the token on for ever, so no process is continuously able to go on. */
const passing = (inPhases: boolean): Model<Processes> => ({
  ...processes,
  initial: [{ ...nobody, cells: {}, holder: 'a' }],
  actions: {
    pass: {
      reduce: (draft) => {
        draft.holder = draft.holder === 'a' ? 'b' : 'a';
        if (inPhases) draft.phase = 1 - draft.phase;
      },
    },
    goOn: {
      fairness: 'weak',
      parameters: two,
      reduce: (draft, { one }) => {
        if (draft.holder === one) draft.cells[String(one)] = 3;
      },
    },
  },
});

const goesOn: Property<Processes> = {
  kind: 'eventually',
  name: 'p',
  goal: ({ cells }) => Object.values(cells).includes(3),
};

it.each<[string, Model<Processes>, Property<Processes>, string, number]>([
  [
    'who owes it, and not who has taken that name',
    overtaking,
    {
      kind: 'eventually',
      name: 'p',
      parameters: two,
      trigger: ({ cells, phase }, { one }) => phase === 0 && cells[String(one)] === 2,
      goal: ({ cells }, { one }) => cells[String(one)] === 3,
    },
    'stutter',
    1,
  ],
  ['each instance, and not whichever is enabled', passing(true), goesOn, 'lasso', 2],
  ['steps from one name of a state to another', passing(false), goesOn, 'lasso', 2],
])('leads-tos look at %s', async (_, model, property, shape, length) => {
  for (const engine of ['tracked', 'naive'] as const) {
    const { properties, symmetry } = await check({ model, properties: [property], engine });
    expect(properties[0]).toMatchObject({ verdict: 'violated', trace: { shape } });
    expect(properties[0]?.trace?.steps.length).toBe(length);
    expect(symmetry).toMatchObject({ renamings: 2, judgedWithout: ['p'] });
  }
});

it('gives no verdict on a model that only the second search finds defective', async () => {
  const model = passing(true);
  const { pass } = model.actions;
  const throwing: Model<Processes> = {
    ...model,
    actions: {
      ...model.actions,
      pass: {
        reduce: (draft, parameters) => {
          if (draft.holder === 'b') throw new Error('not b');
          pass!.reduce(draft, parameters);
        },
      },
    },
  };
  const safe: Property<Processes> = { kind: 'invariant', name: 'safe', holds: () => true };
  const { outcome, defect, properties } = await check({
    model: throwing,
    properties: [safe, goesOn],
  });
  expect({ outcome, defect }).toMatchObject({ outcome: 'defect', defect: { message: 'not b' } });
  expect(properties.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
});

it.each([
  ['tracked', 12, 0, [], (13 * 14) / 2],
  // It tries all 720 renamings in each state, so most cups are broken at the start.
  ['naive', 7, 4, ['too many renamings: only 6 of 7'], 6 * 3],
] as const)(
  '%s: stores one state for each orbit of a large group',
  async (engine, size, broken, cuts, states) => {
    const members = Array.from({ length: size }, (_, index) => `c${index}`);
    const start = Object.fromEntries(
      members.slice(0, broken).map((cup) => [cup, 'broken' as const]),
    );
    const result = await check({
      engine,
      model: { ...cups(members), initial: [{ cups: start }] },
      properties: [{ kind: 'invariant', name: 'p', holds: () => true }],
      auditEvery: 1000,
    });
    const [group] = result.symmetry!.groups;
    expect(group!.applied).toBe(true);
    expect([group!.reason].filter((reason) => reason !== null)).toEqual(cuts);
    expect(result.statistics.states).toBe(states);
  },
);

it.each<[string, Model<Cups>, Property<Cups>, string]>([
  [
    'an action',
    cups(['a', 'b'], (cup) => cup === 'a'),
    { kind: 'invariant', name: 'p', holds: () => true },
    'fill',
  ],
  [
    'a property',
    cups(['a', 'b']),
    { kind: 'invariant', name: 'p', holds: (state) => !isBroken(state, 'b') },
    'p',
  ],
])('finds %s that goes by names', async (_, model, property, culprit) => {
  const result = await check({ model, properties: [property], auditEvery: 1 });
  expect(result.defect).toMatchObject({ kind: 'asymmetric', culprit });
});

it('refuses a symmetry that renames parameters to unknown ones', async () => {
  const model = cups(['a', 'b']);
  const symmetry = { ...model.symmetry!, groups: [{ name: 'cups', members: ['a', 'z'] }] };
  const properties: Property<Cups>[] = [{ kind: 'invariant', name: 'p', holds: () => true }];
  await expect(check({ model: { ...model, symmetry }, properties })).rejects.toThrow(
    'takes fill {"cup":"a"} to fill {"cup":"z"}, which is no instance of that action',
  );
});
