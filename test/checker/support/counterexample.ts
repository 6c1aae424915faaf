import { expect } from 'vitest';
import type { LeadsToAnswer } from '../../../checker/liveness/leads-to.ts';
import type { Edge, ExplicitGraph } from './explicit-graph.ts';
import { isFair } from './liveness-oracle.ts';

type Counterexample = Omit<Extract<LeadsToAnswer, { kind: 'violated' }>, 'kind' | 'triggered'>;

/**
 * Each step must be an edge, the goal must be missing from a trigger on, and a fair run must be
 * able to continue from the end.
 */
export function expectRealCounterexample(graph: ExplicitGraph, answer: Counterexample): void {
  expect(answer.initial).toBeLessThan(graph.initial);
  const prefix = follow(graph, answer.initial, answer.prefix);
  const end = prefix.at(-1)?.to ?? answer.initial;
  const prefixStates = [answer.initial, ...answer.prefix.map(({ state }) => state)];
  const lastGoal = prefixStates.findLastIndex((state) => graph.goal[state]);
  expect(prefixStates.slice(lastGoal + 1).some((state) => graph.trigger[state])).toBe(true);

  const cycle = follow(graph, end, answer.cycle);
  const cycleStates = [end, ...answer.cycle.map(({ state }) => state)];
  expect(cycleStates.at(-1)).toBe(end);
  expect(cycleStates.some((state) => graph.goal[state])).toBe(false);
  expect(isFair(graph, [...new Set(cycleStates)], cycle)).toBe(true);
}

function follow(
  graph: ExplicitGraph,
  start: number,
  steps: readonly { readonly action: number; readonly state: number }[],
): readonly Edge[] {
  let from = start;
  return steps.map(({ action, state }) => {
    const edge = { from, action, to: state };
    expect(graph.edges).toContainEqual(edge);
    from = state;
    return edge;
  });
}
