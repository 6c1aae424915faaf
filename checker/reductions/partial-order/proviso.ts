import { ComponentSearch, type ComponentVisitor } from '../../liveness/components.ts';
import { emptyTransitionBuffer, type StateGraph } from '../../liveness/graph.ts';
import type { Resumable } from '../../liveness/resumable.ts';
import { BitSet } from '../../values/bit-set.ts';

export interface ProvisoQuestion {
  readonly graph: StateGraph;
  /** Whether leads-tos are judged. */
  readonly isLive: boolean;
  /** Whether not all enabled steps of the state were expanded. */
  readonly isReduced: (state: number) => boolean;
  /** The enabled instances of the state whose successors were asked for last. */
  readonly enabled: () => Int32Array;
}

/**
 * The states that have to be expanded in full so that cycles ignore no step.
 *
 * For leads-tos, these are all reduced states on a cycle. Otherwise it is enough that in each
 * strong component without an exit, every step that is enabled in some state is taken in some state
 * (A. Valmari, *A stubborn attack on state explosion*, Formal Methods in System Design 1, 1992).
 */
export function* wantingStates(question: ProvisoQuestion): Resumable<readonly number[]> {
  const { graph, isLive, isReduced } = question;
  const wanting: number[] = [];
  const components = new ComponentSearch(graph);
  const visit: ComponentVisitor = function* (members, from, to, component) {
    const reduced: number[] = [];
    for (let position = from; position < to; position++) {
      if (isReduced(members[position]!)) reduced.push(members[position]!);
    }
    if (reduced.length === 0) return;
    if (isLive) wanting.push(...reduced);
    else {
      const all = members.subarray(from, to);
      const isInside = (state: number): boolean => components.numberOf(state) === component;
      if (yield* hasExit(graph, all, isInside)) return;
      wanting.push(...(yield* ignoring(question, all, reduced)));
    }
  };
  const initial = new BitSet(graph.stateCount);
  for (let state = 0; state < graph.initialCount; state++) initial.add(state);
  yield* components.run({ roots: initial, includes: () => true }, visit);
  return wanting.sort((one, other) => one - other);
}

function* hasExit(
  graph: StateGraph,
  members: Int32Array,
  isInside: (state: number) => boolean,
): Resumable<boolean> {
  const transitions = emptyTransitionBuffer();
  for (const [index, state] of members.entries()) {
    if (index % 256 === 255) yield index;
    const count = graph.successors(state, transitions);
    if (!transitions.targets.subarray(0, count).every(isInside)) return true;
  }
  return false;
}

/** Reduced states of a component that have steps which are taken nowhere in it. */
function* ignoring(
  { graph, enabled, isReduced }: ProvisoQuestion,
  members: Int32Array,
  reduced: readonly number[],
): Resumable<readonly number[]> {
  const transitions = emptyTransitionBuffer();
  const taken = new Set<number>();
  for (const [index, state] of members.entries()) {
    if (index % 256 === 255) yield index;
    const count = graph.successors(state, transitions);
    for (const instance of transitions.actions.subarray(0, count)) taken.add(instance);
    if (!isReduced(state)) for (const instance of enabled()) taken.add(instance);
  }
  const found: number[] = [];
  for (const [index, state] of reduced.entries()) {
    if (index % 256 === 255) yield index;
    graph.successors(state, transitions);
    const ignored = enabled().filter((instance) => !taken.has(instance));
    if (ignored.length === 0) continue;
    found.push(state);
    for (const instance of ignored) taken.add(instance);
  }
  return found;
}
