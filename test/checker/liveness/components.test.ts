import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ComponentSearch } from '../../../checker/liveness/components.ts';
import type { StateGraph } from '../../../checker/liveness/graph.ts';
import { runToEnd } from '../../../checker/liveness/resumable.ts';
import { BitSet } from '../../../checker/values/bit-set.ts';
import { type ExplicitGraph, explicitGraphs, leadsToQuestion } from '../support/explicit-graph.ts';
import { reachable } from '../support/liveness-oracle.ts';

it('finds the strongly connected components, with any memory for targets', () => {
  const graphs = explicitGraphs({ states: 24, actions: 7, edges: 70 });
  fc.assert(
    fc.property(graphs, fc.constantFrom(1, 8, 1000), (explicit, remembered) => {
      const { graph } = leadsToQuestion(explicit);
      const { components } = search(graph, (state) => !explicit.goal[state]!, remembered);
      const sorted = components.map((members) => members.join(' ')).sort();
      expect(sorted).toEqual(mutuallyReachable(explicit).sort());
    }),
    { numRuns: 1000 },
  );
});

it('finds a component as deep as it is large', () => {
  const length = 300_000;
  const { components, done } = search(ring(length), () => true, 1000);
  expect(components.map((members) => members.length)).toEqual([length]);
  expect(done.length).toBeGreaterThan(length / 10_000);
});

function search(
  graph: StateGraph,
  includes: (state: number) => boolean,
  remembered: number,
): { components: number[][]; done: number[] } {
  const roots = new BitSet(graph.stateCount);
  for (let state = 0; state < graph.stateCount; state++) if (includes(state)) roots.add(state);
  const components: number[][] = [];
  const done: number[] = [];
  const run = new ComponentSearch(graph, remembered);
  const steps = run.run({ roots, includes }, function* (members, from, to, component) {
    yield 0;
    const list = [...members.subarray(from, to)].sort((one, other) => one - other);
    let numbered = 0;
    for (let state = 0; state < graph.stateCount; state++) {
      if (run.numberOf(state) === component) numbered++;
    }
    expect(list.length).toBe(numbered);
    components.push(list);
  });
  runToEnd(steps, (states) => done.push(states));
  return { components, done };
}

function mutuallyReachable(graph: ExplicitGraph): string[] {
  const edges = graph.edges.filter(({ from, to }) => !graph.goal[from] && !graph.goal[to]);
  const states = Array.from({ length: graph.states }, (_, state) => state);
  const reach = states.map((state) => reachable(state, edges));
  const groups = states.map((state) =>
    states.filter((other) => reach[state]!.has(other) && reach[other]!.has(state)),
  );
  return [...new Set(groups.filter((group) => group.length > 1).map((group) => group.join(' ')))];
}

function ring(length: number): StateGraph {
  return {
    stateCount: length,
    initialCount: 1,
    actionCount: 1,
    successors(state, into) {
      into.actions[0] = 0;
      into.targets[0] = (state + 1) % length;
      return 1;
    },
  };
}
