import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../checker/engine/engine.ts';
import { check, checkDistinct, defineModel, simulate } from '../../../checker/index.ts';
import { instancesOf } from '../../../checker/instances.ts';
import { checkLeadsTo } from '../../../checker/liveness/leads-to.ts';
import type { GroupFairness, Model } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';
import { NO_REDUCTIONS } from '../../../checker/reductions/reduction.ts';
import { shows } from '../../../checker/traces/confirm.ts';
import { notShown } from '../../../run/replay.ts';
import { expectRealCounterexample } from '../support/counterexample.ts';
import { groupedGraphs, leadsToQuestion } from '../support/explicit-graph.ts';
import {
  shortestForeverByDefinition,
  shortestPrefixByDefinition,
  shortestPrefixByRemoval,
} from '../support/liveness-oracle.ts';
import { explore, judge } from '../support/oracle.ts';
import { grouped, randomGroups } from '../support/random-groups.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';

describe('fairness of groups, on random graphs', () => {
  it('is that of the disjunction of the members', () => {
    const seen = { holds: 0, stutters: 0, cycles: 0 };
    fc.assert(
      fc.property(groupedGraphs({ states: 6, actions: 5, edges: 14 }), (graph) => {
        const shortest = shortestPrefixByDefinition(graph);
        expect(shortestPrefixByRemoval(graph)).toBe(shortest);
        const answer = checkLeadsTo(leadsToQuestion(graph));
        expect(answer.kind === 'violated' ? answer.prefix.length : null).toBe(shortest);
        if (answer.kind === 'violated') expectRealCounterexample(graph, answer);
        if (answer.kind === 'holds') seen.holds++;
        else if (answer.cycle.length > 0) seen.cycles++;
        else seen.stutters++;
      }),
      { numRuns: randomRuns(400) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  it('counts for goals that must stay true, too', () => {
    fc.assert(
      fc.property(groupedGraphs({ states: 5, actions: 4, edges: 10 }), (graph) => {
        const answer = checkLeadsTo({ ...leadsToQuestion(graph), isForever: true });
        const length = answer.kind === 'violated' ? answer.prefix.length : null;
        expect(length).toBe(shortestForeverByDefinition(graph));
      }),
      { numRuns: randomRuns(160) },
    );
  });
});

const livenessOf = <State>(properties: readonly Property<State>[]): readonly Property<State>[] =>
  properties.filter(({ kind }) => kind === 'eventually');

describe('fairness of groups, in models', () => {
  it.each(['tracked', 'naive'] as const)('agrees with brute force (%s)', async (engine) => {
    const seen = { holds: 0, violated: 0, each: 0, changed: 0 };
    await fc.assert(
      fc.asyncProperty(randomCases, randomGroups, async (random, groups) => {
        const model = grouped(modelOf(random), groups, 'key');
        const { fairness: _, ...unfair } = model;
        const properties = livenessOf(propertiesOf(random));
        const space = explore(model, 100);
        if (space === null || properties.length === 0) return;
        const result = await check({ model, properties, engine });
        properties.forEach((property, index) => {
          const expected = judge(space, model, property);
          expect(result.properties[index]?.verdict).toBe(expected.verdict);
          if (expected.verdict === 'holds') seen.holds++;
          if (expected.verdict === 'violated') seen.violated++;
          if (judge(space, unfair, property).verdict !== expected.verdict) seen.changed++;
        });
        if (model.fairness?.some(({ each }) => each !== undefined)) seen.each++;
      }),
      { numRuns: randomRuns(120), seed: 14 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('has the same verdicts with symmetry', async () => {
    const seen = { merged: 0, holds: 0, decided: 0 };
    await fc.assert(
      fc.asyncProperty(symmetricCases, randomGroups, async (some, groups) => {
        const model = grouped(symmetricModel(some), groups, 'one');
        const properties = livenessOf(symmetricProperties(some));
        if (properties.length === 0) return;
        const quotient = await check({ model, properties });
        const plain = await check({ model, properties, reductions: [] });
        const verdicts = plain.properties.map(({ verdict }) => verdict);
        expect(quotient.properties.map(({ verdict }) => verdict)).toEqual(verdicts);
        if (quotient.statistics.states < plain.statistics.states) seen.merged++;
        if (verdicts.includes('holds')) seen.holds++;
        if ((quotient.symmetry?.judgedWithout ?? []).length === 0) seen.decided++;
      }),
      { numRuns: randomRuns(60), seed: 14 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(4);
  });

  it('random walks find only what a search finds', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(randomCases, randomGroups, async (random, groups) => {
        const model = grouped(modelOf(random), groups, 'key');
        const properties = livenessOf(propertiesOf(random));
        const space = explore(model, 100);
        if (space === null || properties.length === 0) return;
        const walked = await simulate({ model, properties, walks: 4, steps: 40, seed: 7 });
        walked.properties.forEach(({ verdict }, index) => {
          if (verdict !== 'violated') return;
          found++;
          expect(judge(space, model, properties[index]!).verdict).toBe('violated');
        });
      }),
      { numRuns: randomRuns(60), seed: 14 },
    );
    expect(found).toBeGreaterThan(8);
  });
});

/*
 * A desk with one request. Its mood changes all the time: in a good mood it can grant the request, in
 * a bad mood it can refuse it. So one of the two is always possible, and neither is all the time.
 */
const start: { readonly mood: 'good' | 'bad'; readonly request: string } = {
  mood: 'good',
  request: 'open',
};
const desk = (fairness: readonly GroupFairness[]) =>
  defineModel({
    name: 'desk',
    initial: [start],
    slots: { mood: 'value', request: 'value' },
    actions: {
      change: {
        fairness: 'weak',
        reduce(draft) {
          draft.mood = draft.mood === 'good' ? 'bad' : 'good';
        },
      },
      grant: {
        reduce(draft) {
          if (draft.request === 'open' && draft.mood === 'good') draft.request = 'granted';
        },
      },
      refuse: {
        reduce(draft) {
          if (draft.request === 'open' && draft.mood === 'bad') draft.request = 'refused';
        },
      },
      ask: {
        reduce(draft) {
          draft.request = 'open';
        },
      },
    },
    fairness: fairness as never,
  });
const answered: Property<typeof start>[] = [
  {
    kind: 'eventually',
    name: 'answered',
    trigger: () => true,
    goal: ({ request }) => request !== 'open',
  },
];
const verdictOf = async (fairness: readonly GroupFairness[]) =>
  (await check({ model: desk(fairness), properties: answered })).properties[0]!;

describe('a choice that is always possible', () => {
  it('is made only if it is promised as a choice', async () => {
    const verdicts = [
      await verdictOf([]),
      await verdictOf([{ weak: ['grant'] }, { weak: ['refuse'] }]),
      await verdictOf([{ weak: ['grant', 'refuse'] }]),
      await verdictOf([{ strong: ['grant'] }]),
    ];
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([
      ...['violated', 'violated', 'holds', 'holds'],
    ]);
  });

  it('the trace says how the loop keeps what is promised to a group', async () => {
    const { trace } = await verdictOf([
      { weak: ['grant', 'ask'] },
      { weak: ['change', 'refuse'] },
      { weak: ['grant'] },
    ]);
    const met = trace?.fairness.map(({ group, action, by, step }) => ({ group, action, by, step }));
    expect(met).toEqual([
      { group: undefined, action: 'change', by: 'taken', step: 0 },
      { group: 'grant or ask', action: 'grant', by: 'disabled', step: 0 },
      { group: 'change or refuse', action: 'change', by: 'taken', step: 0 },
      { group: 'grant', action: 'grant', by: 'disabled', step: 0 },
    ]);
  });

  it('counts in distinct counterexamples', async () => {
    const options = { model: desk([{ weak: ['grant', 'refuse'] }]), properties: answered };
    const found = await checkDistinct(options, 3);
    expect(found.properties[0]?.verdict).toBe('holds');
  });
});

it('a loop that starves a group is not confirmed, neither by the checker nor by a replay', () => {
  const states = ['good', 'bad', 'good'].map((mood) => ({ mood, request: 'open' }));
  const loop = { states: states as (typeof start)[], loopStart: 0, parameters: {} };
  const change = { name: 'change', parameters: {} };
  const judged = (...fairness: readonly GroupFairness[]) => {
    const model = desk(fairness);
    const instances = instancesOf(model);
    const question = { model, instances, reductions: NO_REDUCTIONS } as unknown as Question<
      typeof start
    >;
    const property = answered[0]!;
    return [
      shows(question, { ...loop, property, actions: [0, 0] }),
      notShown(model, property, {}, { ...loop, actions: [change, change], shape: 'lasso' }) ===
        null,
    ];
  };
  expect(judged({ weak: ['grant', 'refuse'] })).toEqual([false, false]);
  expect(judged({ strong: ['grant', 'ask'] })).toEqual([false, false]);
  expect(judged({ weak: ['grant'] }, { weak: ['change', 'refuse'] })).toEqual([true, true]);
});

describe('a group that makes no sense', () => {
  const refusals: readonly (readonly [unknown, string, RegExp])[] = [
    ['weak', 'badFairness', /the fairness of model desk is no list; give a list such as/],
    [[{ weak: [] }], 'badFairness', /group 0 in the fairness of model desk names no action/],
    [[{ weak: ['grant'], strong: ['ask'] }], 'badFairness', /either weak or strong/],
    [[{ weak: 'grant' }], 'badFairness', /either weak or strong, a list of actions/],
    [[{ each: 'x' }], 'badFairness', /either weak or strong/],
    [[{ weak: ['grant', 'grant'] }], 'badFairness', /names grant twice/],
    [
      [{ weak: ['grant'], each: 'who' }],
      'badFairness',
      /each who, a parameter that grant does not/,
    ],
    [[{ weak: ['toString'] }], 'unknownAction', /names the action toString.*it has change, grant/],
    [[{ weak: ['grant'], per: 'x' }], 'unknownField', /unknown field per; known are weak, strong/],
  ];
  it.each(refusals)('%j is refused', async (fairness, code, message) => {
    const model = desk(fairness as readonly GroupFairness[]);
    const asked = check({ model, properties: answered });
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('an action that is left out is left out of groups', () => {
    const model: Model<{ n: number }> = defineModel({
      name: 'one',
      initial: [{ n: 0 }],
      slots: { n: 'value' },
      actions: { up: { reduce: (draft) => void draft.n++ }, down: undefined },
      fairness: [{ weak: ['up', 'down'] }, { strong: ['down'] }],
    });
    expect(model.fairness).toEqual([{ weak: ['up'] }]);
  });
});
