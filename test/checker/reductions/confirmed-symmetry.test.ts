import fc from 'fast-check';
import type { Draft } from 'immer';
import { describe, expect, it, test } from 'vitest';
import { check, defineModel, defineProperty, symmetryOf } from '../../../checker/index.ts';
import type { Parameters } from '../../../checker/model.ts';
import { reductionNotes } from '../../../report/text/reductions.ts';
import { explore } from '../support/oracle.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  type Processes,
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';

/*
 * A symmetry that a model declares and does not have can turn a verdict. Whenever a reducer runs, it
 * runs again under renamings; small models are judged once more without the symmetry, and steps of
 * large ones are audited.
 */

const names = ['w1', 'w2'] as const;
const each = names.map((worker) => ({ worker }));

/** `steps` makes the model as large as one likes, and no member is in it. */
interface Wide {
  readonly at: Readonly<Record<string, string>>;
  readonly steps: number;
}

const wide: Wide = { at: { w1: 'idle', w2: 'idle' }, steps: 0 };
const wideSlots = { at: 'entries', steps: 'value' } as const;
const LARGE = 10_001;

/** What the models of these two workers have in common. */
const ofWorkers = {
  initial: [wide],
  slots: wideSlots,
  symmetry: symmetryOf({ workers: names }),
};

/** One of them gets done, while both are idle. */
const finish = {
  parameters: each,
  reduce({ at }: Draft<Wide>, { worker }: { readonly worker: string }) {
    if (names.every((name) => at[name] === 'idle')) at[worker] = 'done';
  },
};

/** Makes the model as large as `most`. */
const step = (most: number) => ({
  reduce(draft: Draft<Wide>) {
    if (draft.steps < most) draft.steps++;
  },
});

describe('of two alike workers, only the first one starts', () => {
  const isIdle = (at: Readonly<Record<string, string>>) =>
    names.every((name) => at[name] === 'idle');
  /** A worker falls ill once, and recovers. One that has started is busy for ever. */
  const workers = (first: string, most: number) =>
    defineModel({
      name: 'workers',
      initial: [{ ...wide, hasFallen: false }],
      slots: { ...wideSlots, hasFallen: 'value' },
      symmetry: symmetryOf({ workers: names }),
      actions: {
        fall: {
          parameters: each,
          reduce(draft, { worker }) {
            if (draft.hasFallen || !isIdle(draft.at)) return;
            draft.at[worker] = 'ill';
            draft.hasFallen = true;
          },
        },
        recover: {
          parameters: each,
          fairness: 'weak',
          reduce({ at }, { worker }) {
            if (at[worker] === 'ill') at[worker] = 'idle';
          },
        },
        start: {
          parameters: each,
          reduce({ at }, { worker }) {
            if (worker === first && isIdle(at)) at[worker] = 'busy';
          },
        },
        finish: {
          parameters: each,
          fairness: 'weak',
          reduce({ at }, { worker }) {
            if (at[worker] === 'idle') at[worker] = 'done';
          },
        },
        step: step(most),
      },
    });
  const model = workers('w1', 0);
  const perMember = [
    defineProperty(model, {
      kind: 'eventually',
      name: 'who was ill gets done',
      parameters: each,
      trigger: ({ at }, { worker }) => at[worker] === 'ill',
      goal: ({ at }, { worker }) => at[worker] === 'done',
    }),
    defineProperty(model, {
      kind: 'witness',
      name: 'each can be busy',
      parameters: each,
      reached: ({ at }, { worker }) => at[worker] === 'busy',
    }),
  ];

  for (const property of perMember) {
    for (const first of names) {
      // One way or the other, that is wrong; with symmetry, one of the two models would be green.
      it(`is no symmetry for: ${property.name} (${first})`, async () => {
        const plain = await check({
          model: workers(first, 0),
          properties: [property],
          reductions: [],
        });
        expect(plain.properties[0]?.verdict).toBe('violated');
        const small = await check({ model: workers(first, 0), properties: [property] });
        expect(small.properties[0]?.verdict).not.toBe('holds');
        // With a family, nothing is confirmed, so this is the work of the audit alone.
        const of = { ...workers(first, 0), family: {} };
        const audited = await check({ model: of, properties: [property], auditEvery: 1 });
        expect(audited.defect).toMatchObject({ kind: 'asymmetric', culprit: 'start' });
        const large = await check({ model: workers(first, LARGE), properties: [property] });
        expect(large.defect).toMatchObject({ kind: 'asymmetric', culprit: 'start' });
      });
    }
  }

  it('is one for what does not ask of single members', async () => {
    const oneAtMost = defineProperty(model, {
      kind: 'invariant',
      name: 'one is busy at most',
      parameters: each,
      holds: ({ at }, { worker }) =>
        at[worker] !== 'busy' ||
        Object.values(at).includes('idle') ||
        Object.values(at).includes('done'),
    });
    for (const auditEvery of [undefined, 1]) {
      const asked = auditEvery === undefined ? {} : { auditEvery };
      const result = await check({ model, properties: [oneAtMost], ...asked });
      expect(result.properties[0]).toMatchObject({ verdict: 'holds' });
      expect(result.symmetry?.renamings).toBe(2);
    }
  });
});

describe('a wrong declaration that no audited step shows', () => {
  /** Both get done; then `last`, and nothing else, goes on to `far`. */
  const lone = (last: string, far: number) =>
    defineModel({
      name: 'lone',
      ...ofWorkers,
      actions: {
        finish,
        goOn: {
          parameters: each,
          reduce(draft, { worker }) {
            if (worker === last && draft.at[worker] === 'done' && draft.steps < far) draft.steps++;
          },
        },
      },
    });
  const stays = defineProperty(lone('w1', 1), {
    kind: 'invariant',
    name: 'nothing goes on',
    holds: ({ steps }) => steps === 0,
  });

  test.each(names)('turns no verdict (%s)', async (last) => {
    const [plain] = (await check({ model: lone(last, 1), properties: [stays], reductions: [] }))
      .properties;
    expect(plain?.verdict).toBe('violated');
    for (const engine of ['tracked', 'naive'] as const) {
      const { properties } = await check({ model: lone(last, 1), properties: [stays], engine });
      expect(properties[0]?.verdict).not.toBe('holds');
    }
  });

  test.each(names)('is noticed by the number of states (%s)', async (last) => {
    const nothing = defineProperty(lone(last, 1), {
      kind: 'settled',
      name: 'any',
      settled: () => true,
    });
    const { outcome } = await check({ model: lone(last, 9), properties: [nothing] });
    expect(outcome).toBe('defect');
  });
});

describe('says how it is known that the model has the symmetry', () => {
  const five = ['w1', 'w2', 'w3', 'w4', 'w5'];
  const rising = (workers: readonly string[]) =>
    defineModel({
      name: 'rising',
      initial: [{ at: Object.fromEntries(workers.map((worker) => [worker, 0])) }],
      slots: { at: 'entries' },
      symmetry: symmetryOf({ workers }),
      actions: {
        rise: {
          parameters: workers.map((worker) => ({ worker })),
          reduce({ at }, { worker }) {
            if (at[worker]! < 2) at[worker]!++;
          },
        },
      },
    });
  const any = { kind: 'invariant', name: 'any', holds: () => true } as const;

  test.each([
    ['by every step', five.slice(1), {}],
    ['by a search without it', five, {}],
    ['by a sample', [...five, 'w6'], {}],
    ['by a sample', five, { stopWhenDecided: true }],
    ['by a sample', five.slice(1), { engine: 'naive', stopWhenDecided: true }],
    ['elsewhere', five, { auditEvery: 0 }],
    [undefined, five, { reductions: [] }],
  ] as const)('%s', async (shown, workers, options) => {
    const model = rising(workers);
    const result = await check({ model, properties: [any], ...options });
    expect(result.symmetry?.shown).toBe(shown);
    const warnings = reductionNotes(result).filter((note) =>
      note.includes('verdicts may be wrong'),
    );
    expect(warnings).toHaveLength(shown === 'by a sample' ? 1 : 0);
  });
});

test('a large model is audited ever more rarely, and one of a family not at all', async () => {
  const line = defineModel({
    name: 'line',
    ...ofWorkers,
    actions: {
      step: step(LARGE),
    },
  });
  const properties = [defineProperty(line, { kind: 'invariant', name: 'any', holds: () => true })];
  const { audited } = (await check({ model: line, properties })).statistics;
  expect(audited).toBeGreaterThan(500);
  expect(audited).toBeLessThan(1000);
  const family = { ...line, family: {} };
  expect((await check({ model: family, properties })).statistics.audited).toBe(0);
  expect((await check({ model: line, properties, auditEvery: 0 })).statistics.audited).toBe(0);
});

describe('a step that is possible in no representative', () => {
  /** The first one who is done may vanish, if it is the one that may. */
  const vanishing = (last: string, most: number) =>
    defineModel({
      name: 'vanishing',
      ...ofWorkers,
      actions: {
        step: step(most),
        finish,
        vanish: {
          parameters: each,
          reduce({ at }, { worker }) {
            if (worker === last && at[worker] === 'done') delete at[worker];
          },
        },
      },
    });

  test.each(names)('is noticed in a large model (%s)', async (last) => {
    const model = vanishing(last, LARGE);
    const stays = defineProperty(model, {
      kind: 'invariant',
      name: 'nothing vanishes',
      parameters: each,
      holds: ({ at }, { worker }) => worker in at,
    });
    const small = { model: vanishing(last, 0), properties: [stays], reductions: [] };
    expect((await check(small)).properties[0]?.verdict).toBe('violated');
    const { defect } = await check({ model, properties: [stays] });
    expect(defect).toMatchObject({ kind: 'asymmetric', culprit: 'vanish' });
  });
});

test('what a step writes must be renamed too', async () => {
  const model = defineModel({
    name: 'late',
    ...ofWorkers,
    actions: {
      finish: {
        parameters: each,
        reduce({ at }, { worker }) {
          if (at[worker] === 'idle') at[worker] = worker === 'w1' ? 'late' : 'done';
        },
      },
    },
  });
  const stays = defineProperty(model, { kind: 'settled', name: 'any', settled: () => true });
  const alone = { stopWhenDecided: true, auditEvery: 1_000_000 };
  const { defect } = await check({ model, properties: [stays], ...alone });
  expect(defect).toMatchObject({ kind: 'asymmetric', culprit: 'finish' });
});

/** What is different about `b`. */
const asymmetries = fc.constantFrom('alone', 'never', 'other phase');

test('no random asymmetry turns a verdict, without a second search', async () => {
  let defects = 0;
  await fc.assert(
    fc.asyncProperty(symmetricCases, fc.nat(), asymmetries, async (given, which, asymmetry) => {
      const symmetric = symmetricModel(given);
      const name = `action${which % given.actions.length}`;
      const { reduce, ...action } = symmetric.actions[name]!;
      const chosen = (draft: Processes, parameters: Parameters): void => {
        const isChosen = parameters.one === 'b';
        if (asymmetry === 'alone' ? !isChosen : asymmetry === 'never' && isChosen) return;
        reduce(draft as never, parameters);
        if (asymmetry === 'other phase' && isChosen) draft.phase = 2 - draft.phase;
      };
      const model = {
        ...symmetric,
        actions: { ...symmetric.actions, [name]: { ...action, reduce: chosen } },
      };
      fc.pre(explore(model, 200) !== null);
      const properties = symmetricProperties(given);
      const plain = await check({ model, properties, reductions: [] });
      // A search that may stop early is not confirmed, and no step is audited.
      const alone = { stopWhenDecided: true, auditEvery: 1_000_000 };
      const merged = await check({ model, properties, ...alone });
      if (merged.outcome === 'defect') {
        expect(merged.defect?.kind).toBe('asymmetric');
        defects++;
        return;
      }
      expect(merged.properties.map(({ verdict }) => verdict)).toEqual(
        plain.properties.map(({ verdict }) => verdict),
      );
    }),
    { numRuns: randomRuns(30) },
  );
  expect(defects).toBeGreaterThan(5);
});
