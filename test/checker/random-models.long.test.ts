import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check } from '../../checker/check.ts';
import type { TransitionStep } from '../../checker/liveness/leads-to.ts';
import type { Model } from '../../checker/model.ts';
import type { Property } from '../../checker/property.ts';
import type { CheckResult, PropertyResult, Trace } from '../../checker/result.ts';
import { expectRealCounterexample } from './support/counterexample.ts';
import { type Delayed, delayed } from './support/delayed.ts';
import {
  explore,
  judge,
  judgeChoice,
  leadsToGraph,
  type OracleSpace,
  sortedText,
} from './support/oracle.ts';
import type { RandomState } from './support/random-language.ts';
import { modelOf, propertiesOf, randomCases } from './support/random-models.ts';
import { randomRuns } from './support/random-runs.ts';

const MOST_STATES = 150;

it('both engines find in random models what brute force finds', async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(randomCases, fc.boolean(), async (random, collect) => {
      const model = modelOf(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null);
      const properties = propertiesOf(random);
      const results: CheckResult[] = [];
      for (const engine of ['tracked', 'naive'] as const) {
        const seen = new Set<string>();
        const all = collect ? [...properties, collector(seen)] : properties;
        const result = await check({ model, properties: all, engine });

        results.push(result);
        expect(result.defect).toBe(null);
        expectSameSpace(space, result);
        if (collect) expect([...seen].sort()).toEqual([...space.texts].sort());
        properties.forEach((property, index) => {
          const found = result.properties[index]!;
          expectSameVerdict(space, model, property, found);
          const outcome = `${property.kind} ${found.verdict} ${found.trace?.shape ?? ''}`;
          outcomes.set(outcome, 1 + (outcomes.get(outcome) ?? 0));
        });
      }
      expect(results[0]!.properties).toEqual(results[1]!.properties);
    }),
    { numRuns: randomRuns(65) },
  );
  // `settled` and witnesses are never vacuous, and leads-tos are violated in two shapes.
  expect(outcomes.size).toBe(14);
  expect(Math.min(...outcomes.values())).toBeGreaterThan(2);
});

/*
 * Long searches look ahead, re-encode rows and grow tables. Brute force is too slow for them, so the
 * engines are compared with one another, down to the last step of their traces.
 */
it('both engines agree on enlarged random models', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(randomCases, async (random) => {
      const model = modelOf(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null && space.texts.length >= 12 && space.texts.length <= 40);
      const slowly = delayed(model);
      const properties = propertiesOf(random) as unknown as Property<Delayed<RandomState>>[];
      const [tracked, naive] = await Promise.all(
        (['tracked', 'naive'] as const).map((engine) =>
          check({ model: slowly, properties, engine, auditEvery: engine === 'tracked' ? 501 : 0 }),
        ),
      );
      expect(tracked!.defect).toBe(null);
      expect(tracked!.properties).toEqual(naive!.properties);
      expect(tracked!.actions).toEqual(naive!.actions);
      expect(tracked!.statistics.states).toBe(naive!.statistics.states);
      expect(tracked!.statistics.layers).toBe(naive!.statistics.layers);
      if (naive!.statistics.states > 2000) compared++;
    }),
    { numRuns: randomRuns(6) },
  );
  expect(compared).toBeGreaterThan(2);
});

/** An invariant that reads the whole state and collects what it saw. */
function collector(seen: Set<string>): Property<RandomState> {
  return {
    kind: 'invariant',
    name: 'collector',
    holds(state) {
      seen.add(sortedText(state));
      return true;
    },
  };
}

function expectSameSpace(space: OracleSpace, result: CheckResult): void {
  const { statistics } = result;
  expect(statistics.states).toBe(space.texts.length);
  expect(statistics.transitions).toBe(space.transitions.length);
  expect(statistics.layers).toBe(1 + Math.max(...space.depths));
  for (const { action, transitions } of result.actions) {
    expect(transitions).toBe(space.transitions.filter((one) => one.action === action).length);
  }
}

function expectSameVerdict(
  space: OracleSpace,
  model: Model<RandomState>,
  property: Property<RandomState>,
  found: PropertyResult,
): void {
  const expected = judge(space, model, property);
  expect(found.verdict).toBe(expected.verdict);
  expect(found.triggered).toBe(expected.triggered);
  const { trace } = found;
  expect(trace === null).toBe(expected.length === null);
  if (trace === null) return;
  const run = runOf(space, trace);
  if (property.kind !== 'eventually') {
    expect(trace.shape).toBe('path');
    expect(trace.steps.length).toBe(expected.length);
    expectPoint(property, found, trace);
    return;
  }
  // It is shortest for the parameters shown, not for all of them.
  const parameters = found.parameters ?? {};
  const stemLength = trace.loopStart ?? trace.steps.length;
  expect(trace.shape).toBe(stemLength === trace.steps.length ? 'stutter' : 'lasso');
  expect(stemLength).toBe(judgeChoice(space, model, property, parameters).length);
  expectRealCounterexample(leadsToGraph(space, model, property, parameters), {
    initial: run.initial,
    prefix: run.steps.slice(0, stemLength),
    cycle: run.steps.slice(stemLength),
  });
}

/** The trace as state numbers of the space. Each step must be a transition there. */
function runOf(
  space: OracleSpace,
  { initial, steps }: Trace,
): { readonly initial: number; readonly steps: readonly TransitionStep[] } {
  const first = space.texts.indexOf(sortedText(initial));
  expect(first).toBeGreaterThanOrEqual(0);
  expect(first).toBeLessThan(space.initialCount);
  let from = first;
  const taken = steps.map(({ action, parameters, state }) => {
    const step = space.transitions.find(
      (one) =>
        one.from === from &&
        one.action === action &&
        sortedText(one.parameters) === sortedText(parameters) &&
        space.texts[one.to] === sortedText(state),
    );
    expect(step).toBeDefined();
    from = step!.to;
    return { action: step!.instance, state: step!.to };
  });
  return { initial: first, steps: taken };
}

/** The end of the trace must show the verdict. */
function expectPoint(property: Property<RandomState>, found: PropertyResult, trace: Trace): void {
  const states = [trace.initial, ...trace.steps.map(({ state }) => state)] as RandomState[];
  const last = states.at(-1)!;
  const parameters = found.parameters ?? {};
  switch (property.kind) {
    case 'invariant':
      expect(property.trigger?.(last, parameters) ?? true).toBe(true);
      expect(property.holds(last, parameters)).toBe(false);
      return;
    case 'step': {
      const { action, parameters: chosen } = trace.steps.at(-1)!;
      const step = [states.at(-2)!, { name: action, parameters: chosen }, last] as const;
      expect(property.trigger?.(...step, parameters) ?? true).toBe(true);
      expect(property.holds(...step, parameters)).toBe(false);
      return;
    }
    case 'settled':
      expect(property.settled(last, parameters)).toBe(false);
      return;
    case 'witness':
      expect((property.parameters ?? [{}]).some((choice) => property.reached(last, choice))).toBe(
        true,
      );
      return;
    case 'eventually':
      return;
    default:
      property satisfies never;
  }
}
