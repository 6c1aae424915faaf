import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import type { Describer } from '../../../checker/options.ts';
import type { CheckResult, StateGraphReport } from '../../../checker/result.ts';
import { cups, isBroken } from '../support/cups.ts';
import { explore, sortedText } from '../support/oracle.ts';
import type { RandomState } from '../support/random-language.ts';
import { modelOf, propertiesOf, randomCases } from '../support/random-models.ts';
import { randomRuns } from '../support/random-runs.ts';
import {
  type Processes,
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../support/random-symmetric.ts';

const MOST_STATES = 60;

/** Describes states by their whole contents. */
const describe = <State>(): Describer<State> => ({
  action: (_action, _before, after) => sortedText(after),
  changes: () => [],
  state: (state) => [sortedText(state)],
});

type Recorded = Extract<StateGraphReport, { kind: 'recorded' }>;

function recorded({ stateGraph }: CheckResult): Recorded {
  if (stateGraph?.kind === 'recorded') return stateGraph;
  throw new Error(`no graph: ${JSON.stringify(stateGraph)}`);
}

/** A result without measurements and without the graph. */
function answers({ stateGraph: _, statistics, ...rest }: CheckResult): unknown {
  const { cpuSeconds: __, wallSeconds: ___, bytesPerState: ____, ...counts } = statistics;
  return { ...rest, counts };
}

it('is the graph that brute force finds, with either engine, and changes nothing else', async () => {
  let brokenStates = 0;
  let brokenSteps = 0;
  await fc.assert(
    fc.asyncProperty(randomCases, async (random) => {
      const model = modelOf(random);
      const space = explore(model, MOST_STATES);
      fc.pre(space !== null);
      const properties = propertiesOf(random);
      for (const engine of ['tracked', 'naive'] as const) {
        const question = { model, properties, engine, describe: describe<RandomState>() };
        const plain = await check(question);
        const result = await check({ ...question, stateGraph: MOST_STATES + 1 });
        expect(answers(result)).toEqual(answers(plain));
        const graph = recorded(result);
        expect(graph.renamings).toBe(1);
        expect(graph.states.map(({ lines }) => lines[0])).toEqual(space.texts);
        expect(graph.states.map(({ state }) => sortedText(state))).toEqual(space.texts);
        expect(graph.states.filter(({ initial }) => initial)).toHaveLength(space.initialCount);
        expect(
          graph.transitions.map(({ from, to, action, parameters }) => ({
            ...{ from, to, action, parameters },
          })),
        ).toEqual(
          space.transitions.map(({ from, to, action, parameters }) => ({
            ...{ from, to, action, parameters },
          })),
        );
        expectMarks(graph, result);
        brokenStates += graph.states.filter(({ broken }) => broken.length > 0).length;
        brokenSteps += graph.transitions.filter(({ broken }) => broken.length > 0).length;
      }
    }),
    { numRuns: randomRuns(40) },
  );
  expect(brokenStates).toBeGreaterThan(1);
  expect(brokenSteps).toBeGreaterThan(1);
});

/** Every violation is marked, and every trace follows transitions to the marked place. */
function expectMarks(graph: Recorded, result: CheckResult): void {
  for (const { name, kind, verdict, trace } of result.properties) {
    const places = kind === 'step' ? graph.transitions : graph.states;
    const marked = places.some(({ broken }) => broken.includes(name));
    const isOfPoints = kind === 'step' || kind === 'invariant' || kind === 'settled';
    expect(marked).toBe(isOfPoints && verdict === 'violated');
    const run = graph.runs.find(({ property }) => property === name);
    expect(run === undefined).toBe(trace === null);
    if (run === undefined || trace === null) continue;
    const told = [trace.initial, ...trace.steps.map(({ state }) => state)].map(sortedText);
    expect(run.states.map((state) => graph.states[state]!.lines[0])).toEqual(told);
  }
}

it('follows traces through the graph of representatives', async () => {
  let reduced = 0;
  await fc.assert(
    fc.asyncProperty(symmetricCases, async (given) => {
      const model = symmetricModel(given);
      fc.pre(explore(model, MOST_STATES) !== null);
      const properties = symmetricProperties(given);
      const result = await check({
        ...{ model, properties, describe: describe<Processes>() },
        stateGraph: MOST_STATES + 1,
      });
      const graph = recorded(result);
      expect(graph.states).toHaveLength(result.statistics.states);
      expect(graph.transitions).toHaveLength(result.statistics.transitions);
      expect(graph.renamings).toBe(result.symmetry!.renamings);
      if (graph.renamings > 1) reduced++;
      // It describes the step as taken, not with the representative of its target.
      for (const { from, action, parameters, sentence } of graph.transitions) {
        const draft = JSON.parse(graph.states[from]!.lines[0]!) as Processes;
        model.actions[action]!.reduce(draft, parameters);
        expect(sentence).toBe(sortedText(draft));
      }
      for (const { property, states } of graph.runs) {
        const { trace } = result.properties.find(({ name }) => name === property)!;
        expect(states).toHaveLength(trace!.steps.length + 1);
        expect(graph.states[states[0]!]!.initial).toBe(true);
        states.slice(1).forEach((to, index) => {
          const { action } = trace!.steps[index]!;
          expect(
            graph.transitions.some(
              (edge) => edge.from === states[index] && edge.to === to && edge.action === action,
            ),
          ).toBe(true);
        });
      }
    }),
    { numRuns: randomRuns(80) },
  );
  expect(reduced).toBeGreaterThan(2);
});

const brokenCup = {
  kind: 'invariant',
  name: 'no cup is broken',
  parameters: [{ cup: 'a' }, { cup: 'b' }, { cup: 'c' }],
  holds: (state: ReturnType<typeof cups>['initial'][number], { cup }: { cup: string }) =>
    !isBroken(state, cup),
} as const;

it.each([
  ['more states than asked for', { stateGraph: 9 }, /There are 10 states, which is more than 9/],
  ['a limit was hit', { stateGraph: 99, limits: { depth: 1 } }, /ended before/],
])('is left out, with the reason: %s', async (_, options, reason) => {
  const question = { model: cups(['a', 'b', 'c']), properties: [brokenCup], ...options };
  const { stateGraph } = await check(question);
  expect(stateGraph).toEqual({ kind: 'omitted', reason: expect.stringMatching(reason) });
});

it('refuses other numbers of states', async () => {
  const question = { model: cups(['a']), properties: [brokenCup], stateGraph: 0 };
  await expect(check(question)).rejects.toThrow(/stateGraph is 0/);
});
