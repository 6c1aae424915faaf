import { ComponentSearch, type ComponentVisitor } from '../../liveness/components.ts';
import type { StateGraph } from '../../liveness/graph.ts';
import { transitionBuffer } from '../../liveness/graph.ts';
import type { Resumable } from '../../liveness/resumable.ts';
import { BitSet } from '../../values/bit-set.ts';

/**
 * Whether a confluent step lies on a cycle. If none does, every run takes finitely many of them and
 * goes, from the last one on, through states in which everything that is enabled is looked at: so
 * its fairness is what it is in the full graph. If one does, they could be preferred for ever.
 *
 * @param isReduced asked after `successors`: whether that state's one transition is such a step.
 */
export function* hasReducedCycle(graph: StateGraph, isReduced: () => boolean): Resumable<boolean> {
  let found = false;
  // Where states stand for others a transition may lead back to where it comes from.
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
