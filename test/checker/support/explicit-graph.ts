import fc from 'fast-check';
import type { StateGraph } from '../../../checker/liveness/graph.ts';
import type { LeadsToQuestion } from '../../../checker/liveness/leads-to.ts';
import type { GroupObligation } from '../../../checker/liveness/obligations.ts';
import type { Fairness } from '../../../checker/model.ts';

export interface Edge {
  readonly from: number;
  readonly action: number;
  readonly to: number;
}

/** A leads-to question on an explicit graph. The first states are the initial ones. */
export interface ExplicitGraph {
  readonly states: number;
  readonly initial: number;
  /** By action instance. */
  readonly fairness: readonly Fairness[];
  readonly groups?: readonly GroupObligation[];
  readonly edges: readonly Edge[];
  /** By state. */
  readonly trigger: readonly boolean[];
  readonly goal: readonly boolean[];
}

export function leadsToQuestion(graph: ExplicitGraph): LeadsToQuestion {
  return {
    graph: stateGraph(graph),
    fairness: graph.fairness,
    ...(graph.groups === undefined ? {} : { groups: graph.groups }),
    trigger: (state) => graph.trigger[state]!,
    goal: (state) => graph.goal[state]!,
  };
}

function stateGraph({ states, initial, fairness, edges }: ExplicitGraph): StateGraph {
  return {
    stateCount: states,
    initialCount: initial,
    actionCount: fairness.length,
    successors(state, into) {
      const outgoing = edges.filter((edge) => edge.from === state);
      into.actions.set(outgoing.map((edge) => edge.action));
      into.targets.set(outgoing.map((edge) => edge.to));
      return outgoing.length;
    },
  };
}

export interface GraphSize {
  readonly states: number;
  readonly actions: number;
  readonly edges: number;
}

/**
 * Random questions on graphs of at most this size in which every state is reachable. Most have a
 * ring through their first states, since random edges alone seldom make cycles that depend on
 * fairness.
 */
export function explicitGraphs(size: GraphSize): fc.Arbitrary<ExplicitGraph> {
  const number = fc.nat(1_000_000);
  const sparse = fc.nat(5).map((value) => value === 0);
  const kind = fc.constantFrom<Fairness>('none', 'weak', 'weak', 'strong', 'strong');
  return fc
    .record({
      states: fc.integer({ min: Math.ceil(size.states / 3), max: size.states }),
      initial: fc.integer({ min: 1, max: 2 }),
      fairness: fc.array(kind, { minLength: 1, maxLength: size.actions, size: 'max' }),
      ring: fc.nat(size.states),
      ringActions: fc.array(number, { minLength: size.states, maxLength: size.states }),
      edges: fc.array(fc.tuple(number, number, number), {
        maxLength: size.edges - size.states,
        size: 'max',
      }),
      trigger: fc.array(fc.boolean(), { minLength: size.states, maxLength: size.states }),
      goal: fc.array(fc.oneof(sparse, sparse, fc.boolean()), {
        minLength: size.states,
        maxLength: size.states,
      }),
    })
    .map(({ edges, ring, ringActions, ...rest }) => {
      const length = Math.min(ring, rest.states);
      const around = Array.from(
        { length },
        (_, state) => [state, ringActions[state]!, (state + 1) % length] as const,
      );
      return reachablePart({ ...rest, edges: wellFormed([...around, ...edges], rest) });
    });
}

/** The same with up to three groups of one to three actions, and few promises to single actions. */
export function groupedGraphs(size: GraphSize): fc.Arbitrary<ExplicitGraph> {
  const group = fc.record({
    kind: fc.constantFrom<'weak' | 'strong'>('weak', 'weak', 'strong'),
    members: fc.uniqueArray(fc.nat(size.actions - 1), { minLength: 1, maxLength: 3, size: 'max' }),
  });
  return fc
    .tuple(
      explicitGraphs(size),
      fc.array(group, { minLength: 1, maxLength: 3 }),
      fc.array(fc.boolean(), { minLength: size.actions, maxLength: size.actions }),
    )
    .map(([graph, groups, alone]) => {
      const { length } = graph.fairness;
      const some = groups.map(({ kind, members }) => ({
        kind,
        members: [...new Set(members.map((member) => member % length))],
      }));
      const fairness = graph.fairness.map((kind, action) => (alone[action] ? kind : 'none'));
      return { ...graph, fairness, groups: some };
    });
}

function wellFormed(
  triples: readonly (readonly [number, number, number])[],
  { states, fairness }: { readonly states: number; readonly fairness: readonly Fairness[] },
): readonly Edge[] {
  const byPlace = new Map<string, Edge>();
  for (const [first, second, third] of triples) {
    const edge = { from: first % states, action: second % fairness.length, to: third % states };
    const place = `${edge.from} ${edge.action}`;
    if (edge.from !== edge.to && !byPlace.has(place)) byPlace.set(place, edge);
  }
  return [...byPlace.values()];
}

/** Drops unreachable states and numbers the rest breadth-first. */
function reachablePart(graph: ExplicitGraph): ExplicitGraph {
  const initial = Math.min(graph.initial, graph.states);
  const order = Array.from({ length: initial }, (_, state) => state);
  for (const state of order) {
    for (const { from, to } of graph.edges) {
      if (from === state && !order.includes(to)) order.push(to);
    }
  }
  const edges = graph.edges
    .filter(({ from }) => order.includes(from))
    .map((edge) => ({ ...edge, from: order.indexOf(edge.from), to: order.indexOf(edge.to) }));
  return {
    ...graph,
    states: order.length,
    initial,
    edges,
    trigger: order.map((state) => graph.trigger[state]!),
    goal: order.map((state) => graph.goal[state]!),
  };
}
