import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkLeadsTo,
  judgeLeadsTo,
  type LeadsToJudgement,
} from '../../../checker/liveness/leads-to.ts';
import { obligationsOf } from '../../../checker/liveness/obligations.ts';
import { runToEnd } from '../../../checker/liveness/resumable.ts';
import type { BitSet } from '../../../checker/values/bit-set.ts';
import { expectRealCounterexample } from '../support/counterexample.ts';
import { type ExplicitGraph, explicitGraphs, leadsToQuestion } from '../support/explicit-graph.ts';
import { shortestPrefixByDefinition, shortestPrefixByRemoval } from '../support/liveness-oracle.ts';
import { randomRuns } from '../support/random-runs.ts';

describe('leads-to on random graphs', () => {
  it('is violated if and only if some set of edges is, with a shortest prefix', () => {
    const seen = { holds: 0, stutters: 0, cycles: 0 };
    fc.assert(
      fc.property(explicitGraphs({ states: 6, actions: 5, edges: 15 }), (graph) => {
        const shortest = shortestPrefixByDefinition(graph);
        expect(shortestPrefixByRemoval(graph)).toBe(shortest);
        expectAnswer(graph, shortest, seen);
      }),
      { numRuns: randomRuns(2000) },
    );
    // The generator must produce all kinds often enough, or the test proves little.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(200);
  });

  it('agrees on larger ones with an oracle that splits components', () => {
    const seen = { holds: 0, stutters: 0, cycles: 0 };
    fc.assert(
      fc.property(explicitGraphs({ states: 24, actions: 7, edges: 70 }), (graph) => {
        expectAnswer(graph, shortestPrefixByRemoval(graph), seen);
      }),
      { numRuns: randomRuns(600) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(23);
  });
});

it('many questions on one graph have the answers of each alone', () => {
  const flags = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 });
  const sparse = fc.array(
    fc.nat(4).map((value) => value === 0),
    { minLength: 24, maxLength: 24 },
  );
  const questions = fc.array(fc.record({ trigger: flags, goal: sparse }), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  });
  fc.assert(
    fc.property(
      explicitGraphs({ states: 24, actions: 7, edges: 70 }),
      questions,
      (graph, asked) => {
        const { graph: stateGraph, fairness } = leadsToQuestion(graph);
        const calls: string[] = [];
        const questions = asked.map(({ trigger, goal }, number) => ({
          trigger(state: number) {
            calls.push(`trigger ${number} ${state}`);
            return trigger[state]!;
          },
          goal(state: number) {
            calls.push(`goal ${number} ${state}`);
            return goal[state]!;
          },
        }));
        const obligations = obligationsOf(fairness);
        const together = runToEnd(judgeLeadsTo(stateGraph, obligations, questions, false));
        // Predicates may be expensive: none is evaluated twice in a state.
        expect(new Set(calls).size).toBe(calls.length);
        // With a look at where runs can remain first, the answers are the same in all parts.
        const forever = questions.map((question) => ({ ...question, isForever: true }));
        for (const some of [questions, forever]) {
          const [looking, plain] = [true, false].map((first) =>
            runToEnd(judgeLeadsTo(stateGraph, obligations, some, first)).map(inFull),
          );
          expect(looking).toEqual(plain);
        }
        const violated = together.map(({ fair }) => fair !== null);
        const alone = asked.map((question) => shortestPrefixByRemoval({ ...graph, ...question }));
        expect(violated).toEqual(alone.map((length) => length !== null));
        expect(together.map(({ triggered }) => triggered)).toEqual(
          asked.map(({ trigger }) => trigger.slice(0, graph.states).filter(Boolean).length),
        );
      },
    ),
    { numRuns: 150 },
  );
});

/** Sets as lists, so that they can be compared. */
function inFull({ triggered, fair }: LeadsToJudgement) {
  const members = (set: BitSet) =>
    Array.from({ length: 24 }, (_, state) => state).filter((state) => set.has(state));
  return fair === null
    ? { triggered }
    : { triggered, stuttering: members(fair.stuttering), recurring: members(fair.recurring) };
}

function expectAnswer(
  graph: ExplicitGraph,
  shortest: number | null,
  seen: { holds: number; stutters: number; cycles: number },
): void {
  const answer = checkLeadsTo(leadsToQuestion(graph));
  expect(answer.triggered).toBe(graph.trigger.filter(Boolean).length);
  expect(answer.kind === 'violated' ? answer.prefix.length : null).toBe(shortest);
  if (answer.kind === 'holds') {
    if (answer.triggered > 0) seen.holds++;
    return;
  }
  if (answer.cycle.length > 0) seen.cycles++;
  else seen.stutters++;
  expectRealCounterexample(graph, answer);
}
