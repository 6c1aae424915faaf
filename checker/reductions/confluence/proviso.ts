import { ComponentSearch, type ComponentVisitor } from '../../liveness/components.ts';
import type { StateGraph } from '../../liveness/graph.ts';
import { transitionBuffer } from '../../liveness/graph.ts';
import type { Resumable } from '../../liveness/resumable.ts';
import { BitSet } from '../../values/bit-set.ts';

/**
 * The cycle proviso: whether a confluent step lies on a cycle. If none does, every run takes
 * finitely many of them and then goes through fully expanded states only, so its fairness is that
 * of the full graph. If one does, the search may have ignored the other steps for ever.
 *
 * @param isReduced asked after `successors`: whether that state's one transition is such a step.
 */
export function* hasReducedCycle(graph: StateGraph, isReduced: () => boolean): Resumable<boolean> {
  let found = false;
  // In a quotient graph a transition may lead back to its source.
  const watched: StateGraph = {
    ...graph,
    successors(state, into) {
      const count = graph.successors(state, into);
      if (isReduced() && into.targets[0] === state) found = true;
      return count;
    },
  };
  const transitions = transitionBuffer(graph);
  const visit: ComponentVisitor = function* (members, from, to) {
    for (let position = from; position < to && !found; position++) {
      if ((position - from) % 1024 === 1023) yield position;
      graph.successors(members[position]!, transitions);
      if (isReduced()) found = true;
    }
  };
  const all = new BitSet(graph.stateCount);
  for (let state = 0; state < graph.initialCount; state++) all.add(state);
  yield* new ComponentSearch(watched).run({ roots: all, includes: () => true }, visit);
  return found;
}
