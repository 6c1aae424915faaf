import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { check, defineModel, defineProperty, type ProgressEvent } from '../../checker/index.ts';
import type { Model } from '../../checker/model.ts';
import type { Property } from '../../checker/property.ts';
import type { Verdict } from '../../checker/result.ts';
import { explore, judge, sortedText } from './support/oracle.ts';
import type { RandomState } from './support/random-language.ts';
import { modelOf, propertiesOf, randomCases } from './support/random-models.ts';
import { randomRuns } from './support/random-runs.ts';
import { symmetricCases, symmetricModel, symmetricProperties } from './support/random-symmetric.ts';

const start = { n: 0 };
const endless = defineModel({
  name: 'endless',
  initial: [start],
  slots: { n: 'value' },
  actions: {
    up: { fairness: 'weak', reduce: (draft) => ++draft.n },
    wrap: {
      reduce(draft) {
        if (draft.n === 4) draft.n = 0;
      },
    },
  },
});

const properties = [
  defineProperty(endless, { kind: 'invariant', name: 'positive', holds: ({ n }) => n >= 0 }),
  defineProperty(endless, { kind: 'invariant', name: 'small', holds: ({ n }) => n < 6 }),
  defineProperty(endless, { kind: 'settled', name: 'never ends', settled: () => false }),
  defineProperty(endless, { kind: 'witness', name: 'nine', reached: ({ n }) => n === 9 }),
  defineProperty(endless, { kind: 'eventually', name: 'grows', goal: ({ n }) => n > 7 }),
  defineProperty(endless, { kind: 'eventually', name: 'two', goal: ({ n }) => n === 2 }),
  defineProperty(endless, {
    kind: 'invariant',
    name: 'never triggered',
    trigger: ({ n }) => n > 20,
    holds: () => true,
  }),
];

describe.each(['tracked', 'naive'] as const)('%s: a state constraint', (engine) => {
  test('gives verdicts up to the constraint', async () => {
    const result = await check({ model: endless, properties, engine, within: ({ n }) => n < 6 });
    expect(result).toMatchObject({ outcome: 'complete', constraint: { outside: 1 } });
    expect(result.properties.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['positive', 'holds'],
      // The states at the constraint are judged.
      ['small', 'violated'],
      ['never ends', 'holds'],
      ['nine', 'inconclusive'],
      // The loop of wrap is fair, and never grows.
      ['grows', 'violated'],
      ['two', 'inconclusive'],
      ['never triggered', 'inconclusive'],
    ]);
    expect(result.properties[0]?.reason).toMatch(/up to the constraint: 1 state /);
    expect(result.properties[5]?.reason).toMatch(/Bound the model itself/);
  });

  test('that cuts nothing off changes nothing', async () => {
    const model = defineModel({ ...endless, actions: { wrap: endless.actions.wrap } });
    const given = { model, properties: properties.slice(0, 5), engine };
    const plain = await check(given);
    const within = await check({ ...given, within: ({ n }) => n < 6 });
    expect(within.properties).toEqual(plain.properties);
  });

  test.each([undefined, 1, 'yes', null])('must not return %s', async (value) => {
    const model = defineModel({ ...endless, actions: { wrap: endless.actions.wrap } });
    const within = () => value as unknown as boolean;
    const { outcome, defect } = await check({ model, properties, engine, within });
    expect(outcome).toBe('defect');
    expect(defect?.message).toMatch(/must return true or false/);
  });

  test('agrees with an oracle that goes no further, on random models', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(randomCases, fc.integer({ min: 2, max: 4 }), async (random, divisor) => {
        const model = modelOf(random);
        const isInside = (state: RandomState): boolean => weight(state) % divisor !== 0;
        const space = explore(stopped(model, isInside), 100);
        if (space === null || explore(model, 300) === null) return;
        const outside = space.texts.filter((text) => !isInside(JSON.parse(text))).length;
        const asked = propertiesOf(random);
        const result = await check({ model, properties: asked, engine, within: isInside });
        const whole = await check({ model, properties: asked, engine });
        expect(result.constraint).toEqual({ outside });
        expect(result.statistics.states).toBe(space.texts.length);
        asked.forEach((property, index) => {
          const { verdict } = result.properties[index]!;
          const oracle = judge(space, model, upTo(property, isInside)).verdict;
          expect(verdict).toBe(outside === 0 ? oracle : weakened(property, oracle));
          if (verdict === 'violated') expect(whole.properties[index]?.verdict).toBe('violated');
          const key = `${property.kind} ${outside > 0} ${verdict}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
        });
      }),
      { numRuns: randomRuns(60), seed: 14 },
    );
    expect(seen.get('eventually true violated')).toBeGreaterThan(2);
    expect(seen.get('eventually true inconclusive')).toBeGreaterThan(2);
    expect(seen.get('invariant true holds')).toBeGreaterThan(1);
  });
});

const weight = (state: RandomState): number => {
  let sum = 7;
  for (const character of sortedText(state)) sum = (sum * 31 + character.charCodeAt(0)) % 10_007;
  return sum;
};

/** No step leaves a state outside. */
function stopped<State>(model: Model<State>, isInside: (state: State) => boolean): Model<State> {
  const actions = Object.entries(model.actions).map(([name, action]) => [
    name,
    {
      ...action,
      reduce: (draft: never, choice: never) =>
        isInside(draft) ? action.reduce(draft, choice) : undefined,
    },
  ]);
  return { ...model, actions: Object.fromEntries(actions) };
}

function upTo(
  property: Property<RandomState>,
  isInside: (state: RandomState) => boolean,
): Property<RandomState> {
  if (property.kind === 'settled') {
    return {
      ...property,
      settled: (...given) => !isInside(given[0]) || property.settled(...given),
    };
  }
  if (property.kind !== 'eventually') return property;
  return { ...property, goal: (...given) => !isInside(given[0]) || property.goal(...given) };
}

function weakened({ kind }: Property<RandomState>, verdict: Verdict): Verdict {
  if (verdict === 'vacuous') return 'inconclusive';
  if (kind === 'witness' && verdict === 'violated') return 'inconclusive';
  if (kind === 'eventually' && verdict === 'holds') return 'inconclusive';
  return verdict;
}

describe('with symmetry', () => {
  it('a constraint on all members gives the verdicts of a search without', async () => {
    await fc.assert(
      fc.asyncProperty(symmetricCases, async (some) => {
        const model = symmetricModel(some);
        const given = {
          ...{ model, properties: symmetricProperties(some), auditEvery: 3 },
          within: ({ cells }: { cells: object }) => Object.keys(cells).length < some.processes,
        };
        const quotient = await check(given);
        const plain = await check({ ...given, reductions: [] });
        expect(quotient.defect).toBeNull();
        const verdicts = plain.properties.map(({ verdict }) => verdict);
        expect(quotient.properties.map(({ verdict }) => verdict)).toEqual(verdicts);
      }),
      { numRuns: randomRuns(30) },
    );
  });

  it('a constraint on one member is a defect', async () => {
    const model = symmetricModel({
      processes: 2,
      start: [null, null, null],
      actions: [
        {
          ...{ fairness: 'weak', of: 'one', guard: { is: 'free' } },
          change: { do: 'cell', who: 'one', value: 1 },
          also: { do: 'nothing' },
        },
      ],
      properties: [],
    } as never);
    const always = { kind: 'invariant', name: 'always', holds: () => true } as const;
    const [first] = model.symmetry!.groups[0]!.members;
    const within = ({ cells }: { cells: object }) => !(first! in cells);
    const result = await check({ model, properties: [always], within });
    expect(result.defect).toMatchObject({ kind: 'asymmetric', culprit: 'within' });
  });
});

it('is refused together with confluence', async () => {
  const given = {
    model: endless,
    properties,
    within: () => true,
    reductions: ['confluence'] as const,
  };
  await expect(check(given)).rejects.toMatchObject({ code: 'badOption' });
});

it('a check without limits ends by itself, and says what grows', async () => {
  const two = defineModel({
    name: 'two counters',
    // Few values of each, so that a million states take little time.
    initial: [{ log: 0, side: 0 }],
    slots: { log: 'value', side: 'value' },
    actions: {
      append: { reduce: (draft) => ++draft.log },
      flip: {
        reduce(draft) {
          draft.side = (draft.side + 1) % 500;
        },
      },
    },
  });
  const always = defineProperty(two, { kind: 'invariant', name: 'always', holds: () => true });
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => events.push(event);
  const result = await check({ model: two, properties: [always], onProgress });
  expect(result.limit).toMatchObject({ kind: 'states', value: 1_000_000 });
  expect(result.limit?.advice).toMatch(/differ most in log \(\d+ values .* most often is append/);
  expect(events[0]).toMatchObject({ layer: 0, states: 1 });
});
