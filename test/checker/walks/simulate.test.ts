import fc from 'fast-check';
import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { defineModel } from '../../../checker/authoring/define.ts';
import { check } from '../../../checker/check.ts';
import { obligationsOf } from '../../../checker/liveness/obligations.ts';
import { combinations, type Model } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';
import type { CheckResult, Trace } from '../../../checker/result.ts';
import { checkResultSchema } from '../../../checker/result-schema.ts';
import { NOWHERE, WalkPolicy } from '../../../checker/walks/policy.ts';
import { simulate } from '../../../checker/walks/simulate.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';

const FEW = { walks: 30, steps: 60, seed: 1 } as const;

it('walks find nothing that a full search refutes, and most of what it finds', async () => {
  const found = new Map<string, { walks: number; search: number }>();
  await fc.assert(
    fc.asyncProperty(randomCases, fc.integer(), async (random, seed) => {
      const model = modelOf(random);
      const properties = propertiesOf(random);
      const search = await check({ model, properties, limits: { states: 150 } });
      fc.pre(search.outcome === 'complete');
      const walked = await simulate({ model, properties, ...FEW, seed });
      expect(walked.defect).toBe(null);
      walked.properties.forEach((result, index) => {
        const { kind, verdict } = search.properties[index]!;
        const decided = kind === 'witness' ? 'holds' : 'violated';
        const counts = found.get(kind) ?? { walks: 0, search: 0 };
        found.set(kind, counts);
        if (verdict === decided) counts.search++;
        if (result.verdict === 'inconclusive') return;
        expect([result.verdict, verdict]).toEqual([decided, decided]);
        counts.walks++;
        expectRun(model, result.trace!);
        const shortest = search.properties[index]!.trace!.steps.length;
        if (kind !== 'eventually') {
          expect(result.trace!.steps.length).toBeGreaterThanOrEqual(shortest);
        }
      });
    }),
    { numRuns: randomRuns(150) },
  );
  for (const [kind, counts] of found) {
    expect(counts.search, kind).toBeGreaterThan(3);
    expect(counts.walks / counts.search, kind).toBeGreaterThan(0.9);
  }
  expect(found.size).toBe(5);
});

function expectRun<State>(model: Model<State>, trace: Trace): void {
  expect(trace.initial).toEqual(model.initial[trace.initialIndex]);
  // Reducers may rely on sorted keys, which recorded states have.
  trace.steps.reduce((before, { action, parameters, state }) => {
    const after = produce(before, (draft) => {
      model.actions[action]!.reduce(draft, parameters);
    });
    expect(state).toEqual(after);
    return state as State;
  }, trace.initial as State);
}

/** Ten counters. Only the first one, once it is at three, can violate anything. */
const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
interface Counters {
  counts: Record<string, number>;
  broken: boolean;
}
const counters = defineModel({
  name: 'counters',
  slots: { counts: 'entries', broken: 'value' },
  initial: [{ counts: {}, broken: false } as Counters],
  actions: {
    count: {
      parameters: combinations({ name: names }),
      fairness: 'weak',
      reduce(draft, { name }: { name: string }) {
        const count = draft.counts[name] ?? 0;
        if (count < 4) draft.counts[name] = count + 1;
      },
    },
    break: {
      fairness: 'weak',
      reduce(draft) {
        if (draft.counts.n0 === 3) draft.broken = true;
      },
    },
  },
});
const whole: Property<Counters> = {
  kind: 'invariant',
  name: 'nothing breaks',
  holds: ({ broken }) => !broken,
};

/** Everything except what depends on the machine. */
function timeless({ statistics, ...rest }: CheckResult): object {
  const { states, transitions, layers } = statistics;
  return { ...rest, states, transitions, layers };
}

describe('simulate', () => {
  it('shortens its findings', async () => {
    const result = await simulate({ model: counters, properties: [whole], ...FEW });
    const [property] = result.properties;
    expect(property!.trace!.steps.map(({ sentence }) => sentence)).toEqual([
      ...Array.from({ length: 3 }, () => 'count(name=n0)'),
      'break',
    ]);
    expect(property!.shortenedFrom).toBeGreaterThan(4);
    expect(checkResultSchema.safeParse(result).error).toBeUndefined();
  });

  it('takes the same walks for the same seed, and others for another one', async () => {
    const [one, same, other] = await Promise.all(
      [1, 1, 2].map((seed) => simulate({ model: counters, properties: [whole], ...FEW, seed })),
    );
    expect(timeless(same!)).toEqual(timeless(one!));
    expect(timeless(other!)).not.toEqual(timeless({ ...one!, simulation: other!.simulation! }));
  });

  it.each([
    [{ walks: 0 }, 'walks is 0'],
    [{ steps: 1.5 }, 'steps is 1.5'],
    [{ seed: 2 ** 40 }, 'the seed is'],
  ])('refuses %j', async (wrong, message) => {
    const options = { model: counters, properties: [whole], ...FEW, ...wrong };
    await expect(simulate(options)).rejects.toThrow(message);
  });

  it('says that nothing was found, not that it holds', async () => {
    const properties = [{ ...whole, holds: () => true }];
    const result = await simulate({ model: counters, properties, ...FEW });
    expect(result).toMatchObject({
      outcome: 'limited',
      limit: { kind: 'walks', value: FEW.walks },
      simulation: { walks: FEW.walks, rested: FEW.walks, longest: 41 },
      properties: [{ verdict: 'inconclusive', trace: null }],
    });
  });
});

describe('the choice of steps', () => {
  it('takes every fair instance at last, and may leave out others', () => {
    const enabled = Int32Array.from({ length: 61 }, (_, index) => index);
    const policy = new WalkPolicy(
      obligationsOf([...enabled].map((one) => (one === 60 ? 'none' : 'weak'))),
      5,
    );
    const without = new Set<boolean>();
    for (let walk = 0; walk < 20; walk++) {
      policy.begin(1);
      const last = enabled.map(() => 0);
      let gap = 0;
      for (let choice = 1; choice <= 3000; choice++) {
        last[enabled[policy.choose(enabled, enabled.length)]!] = choice;
        for (let one = 0; one < 60; one++) gap = Math.max(gap, choice - last[one]!);
      }
      // As often as it may be passed over, plus once for each of the others that wait as long.
      expect(gap).toBeLessThan(512 + 61);
      without.add(last[60] === 0);
    }
    expect(without.size).toBe(2);
  });

  it('takes one of a group at last, whichever of them is possible', () => {
    const group = { kind: 'weak' as const, members: [0, 1] };
    const policy = new WalkPolicy(obligationsOf(Array(40).fill('none'), [group]), 5);
    const others = Array.from({ length: 38 }, (_, index) => index + 2);
    for (let walk = 0; walk < 20; walk++) {
      policy.begin(1);
      let gap = 0;
      for (let choice = 0, last = 0; choice < 3000; choice++) {
        const enabled = Int32Array.from([choice % 2, ...others]);
        if (enabled[policy.choose(enabled, enabled.length)]! < 2) last = choice;
        gap = Math.max(gap, choice - last);
      }
      expect(gap).toBeLessThan(512 + 2);
    }
  });

  it('ends where no fair instance is enabled and the walk does without the others', () => {
    const policy = new WalkPolicy(obligationsOf(['none']), 5);
    const chosen = Array.from({ length: 100 }, () => {
      policy.begin(1);
      return policy.choose(Int32Array.from([0]), 1);
    });
    expect(new Set(chosen)).toEqual(new Set([0, NOWHERE]));
  });
});
