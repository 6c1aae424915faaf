import { DefectError } from '../errors.ts';
import { BitSet } from '../values/bit-set.ts';
import { type ObligationOrbits, recurringStates } from './fairness.ts';
import type { StateGraph, TransitionBuffer } from './graph.ts';
import type { Obligations } from './obligations.ts';
import type { LeadsTo } from './pending.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/**
 * The states in which some fair run can remain for ever, whatever is pending there: no obligation
 * is enabled, or they are on a closed walk that meets all of them. In a quotient graph there may be
 * more.
 *
 * A run that breaks a leads-to ends in some of them, with a pending goal. So a goal that is true in
 * all of them is never missed for ever, and where it is pending before makes no difference. Mostly
 * they are few: the states in which a system has come to rest.
 */
export function* restingStates(
  graph: StateGraph,
  obligations: Obligations,
  orbits: ObligationOrbits | null,
): Resumable<BitSet> {
  const initial = new BitSet(graph.stateCount);
  for (let state = 0; state < graph.initialCount; state++) initial.add(state);
  const noting = new NotingGraph(graph, obligations);
  const everywhere = { roots: initial, includes: () => true };
  const resting = yield* recurringStates(noting, obligations, everywhere, orbits);
  for (const state of noting.noted) resting.add(state);
  return resting;
}

/** Notes the states that may stutter, and those with a transition into their own orbit. */
class NotingGraph implements StateGraph {
  readonly noted = new Set<number>();
  readonly stateCount: number;
  readonly initialCount: number;
  readonly actionCount: number;
  private readonly graph: StateGraph;
  private readonly obligations: Obligations;

  constructor(graph: StateGraph, obligations: Obligations) {
    this.graph = graph;
    this.obligations = obligations;
    this.stateCount = graph.stateCount;
    this.initialCount = graph.initialCount;
    this.actionCount = graph.actionCount;
  }

  successors(state: number, into: TransitionBuffer): number {
    const count = this.graph.successors(state, into);
    const { of } = this.obligations;
    let mayStutter = true;
    for (let position = 0; position < count; position++) {
      if (of[into.actions[position]!]!.length > 0) mayStutter = false;
      if (into.targets[position] === state) this.noted.add(state);
    }
    if (mayStutter) this.noted.add(state);
    return count;
  }
}

/** The questions, as bits, whose goals are false, or cannot be asked, in one of these states. */
export function* missedIn(
  states: BitSet,
  questions: readonly LeadsTo[],
  asked: number,
): Resumable<number> {
  let missed = 0;
  let looked = 0;
  for (let state = states.next(0); state !== -1; state = states.next(state + 1)) {
    for (let open = asked & ~missed; open !== 0; open &= open - 1) {
      if (++looked % UNITS_PER_YIELD === 0) yield looked;
      const bit = open & -open;
      if (!isMet(questions[31 - Math.clz32(bit)]!, state)) missed |= bit;
    }
    if ((asked & ~missed) === 0) break;
  }
  return missed;
}

/** A goal may fail in a state in which it is never pending: that is no defect. */
function isMet({ goal }: LeadsTo, state: number): boolean {
  try {
    return goal(state);
  } catch (error) {
    if (error instanceof DefectError) return false;
    throw error;
  }
}
