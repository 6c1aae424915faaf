import { type ObligationOrbits, recurringStates } from '../../liveness/fairness.ts';
import type { StateGraph } from '../../liveness/graph.ts';
import { transitionBuffer } from '../../liveness/graph.ts';
import {
  type LeadsToJudgement,
  membersWhere,
  statesWhere,
  within,
} from '../../liveness/leads-to.ts';
import type { Obligations } from '../../liveness/obligations.ts';
import {
  type LeadsTo,
  MOST_QUESTIONS,
  pendingStates,
  triggeredStates,
} from '../../liveness/pending.ts';
import { missedIn, restingStates } from '../../liveness/resting.ts';
import { type Resumable, UNITS_PER_YIELD } from '../../liveness/resumable.ts';
import { BitSet } from '../../values/bit-set.ts';

/**
 * A quotient graph: the graph of representatives, with the orbits of obligations and the images of
 * questions.
 */
export interface Quotient {
  /** By transition of the last call of `successors`: the renaming that leads to its target. */
  readonly renamings: () => Int32Array;
  readonly orbits: ObligationOrbits;
  /** By question: its images under all renamings, itself included. */
  readonly questions: readonly (readonly number[])[];
  /** By question: its image under the renaming. */
  image(renaming: number): Int32Array;
}

/**
 * Judges leads-tos on the quotient graph. Pending goals are passed on exactly: along an edge, they
 * are renamed by the renaming of the edge. The set of states in which a fair run can remain may
 * come out too large, but never too small, since it considers orbits of obligations instead of
 * obligations:
 *
 * - A weak orbit makes a component unfair if the component has none of its edges and every state
 *   enables the whole orbit. Each of its obligations is then enabled all along every real cycle in
 *   the component, and never taken. A group that no renaming changes is an orbit of its own.
 * - A strong orbit without an edge in a component removes the states that enable any of it.
 * - A state with a transition into its own orbit is on a real cycle, which counts as fair.
 *
 * So an answer `fair: null` is right, and any other answer means that it is unknown. All these sets
 * can only grow with the set of states that they are looked for in, so `restingStates` has them
 * all.
 *
 * @param restingFirst as for `judgeLeadsTo`.
 */
export function* judgeOnQuotient(
  graph: StateGraph,
  obligations: Obligations,
  questions: readonly LeadsTo[],
  quotient: Quotient,
  restingFirst: boolean,
): Resumable<readonly LeadsToJudgement[]> {
  const judgements: LeadsToJudgement[] = [];
  const recurringOrbits = function* (states: BitSet): Resumable<BitSet> {
    const recurring = yield* recurringStates(graph, obligations, within(states), quotient.orbits);
    yield* addOwnOrbits(graph, states, recurring);
    return recurring;
  };
  let resting: BitSet | null = null;
  const { batches, tooLarge } = batchesOf(quotient.questions, questions);
  for (const question of tooLarge) judgements[question] = unknownIn(graph);
  for (const batch of batches) {
    const some = batch.map((question) => questions[question]!);
    const place = new Map(batch.map((question, index) => [question, index]));
    const known: (readonly number[])[] = [];
    const image = (renaming: number): readonly number[] => {
      known[renaming] ??= batch.map((question) => place.get(quotient.image(renaming)[question]!)!);
      return known[renaming]!;
    };
    const renamed = { renamings: quotient.renamings, image };
    const triggers = yield* triggeredStates(graph.stateCount, some);
    const orbits = batch.map((question) =>
      quotient.questions[question]!.reduce((bits, other) => bits | (1 << place.get(other)!), 0),
    );
    /** The orbits of these questions. */
    const whole = (bits: number): number =>
      orbits.reduce((all, orbit) => ((orbit & bits) === 0 ? all : all | orbit), 0);
    let open = whole(triggers.all);
    if (restingFirst && open !== 0) {
      resting ??= yield* restingStates(graph, obligations, quotient.orbits);
      open = whole(yield* missedIn(resting, some, open));
    }
    const pending = yield* pendingStates(graph, obligations, some, triggers, open, renamed);
    const somePending = yield* statesWhere(graph.stateCount, (state) => pending.bits[state] !== 0);
    const recurring = yield* recurringOrbits(somePending);
    for (let question = 0; question < some.length; question++) {
      const triggered = triggers.counts[question]!;
      const mask = orbits[question]!;
      const isPending = (state: number) => (pending.bits[state]! & mask) !== 0;
      const stuttering = yield* membersWhere(pending.stuttering, graph.stateCount, isPending);
      const rest = yield* membersWhere(recurring, graph.stateCount, isPending);
      const fair = {
        stuttering,
        recurring: rest === recurring ? rest : yield* recurringOrbits(rest),
      };
      const holds = fair.stuttering.isEmpty && fair.recurring.isEmpty;
      judgements[batch[question]!] = { triggered, fair: holds ? null : fair };
    }
  }
  return judgements;
}

/** Adds the states of the set that have a transition into their own orbit. */
function* addOwnOrbits(graph: StateGraph, somePending: BitSet, recurring: BitSet): Resumable<void> {
  const transitions = transitionBuffer(graph);
  let looked = 0;
  for (let state = somePending.next(0); state !== -1; state = somePending.next(state + 1)) {
    if (++looked % UNITS_PER_YIELD === 0) yield looked;
    const count = graph.successors(state, transitions);
    for (let position = 0; position < count; position++) {
      if (transitions.targets[position] === state) recurring.add(state);
    }
  }
}

/**
 * Puts questions that are images of each other into the same batch. Those with more images than a
 * batch has room for are not judged here, nor are goals that must stay true: a run may lack the
 * goal for another member each time around. Nor are those that steps meet: these are judged on real
 * states.
 */
function batchesOf(
  images: Quotient['questions'],
  questions: readonly LeadsTo[],
): {
  readonly batches: readonly (readonly number[])[];
  readonly tooLarge: readonly number[];
} {
  const batches: number[][] = [];
  const tooLarge: number[] = [];
  const placed = new Set<number>();
  images.forEach((orbit, question) => {
    if (placed.has(question)) return;
    for (const member of orbit) placed.add(member);
    const last = batches.at(-1);
    const { isForever = false, metBy } = questions[question]!;
    if (orbit.length > MOST_QUESTIONS || isForever || metBy !== undefined) tooLarge.push(...orbit);
    else if (last !== undefined && last.length + orbit.length <= MOST_QUESTIONS)
      last.push(...orbit);
    else batches.push([...orbit]);
  });
  return { batches, tooLarge };
}

/** Any state may be one in which a fair run remains. */
function unknownIn({ stateCount }: StateGraph): LeadsToJudgement {
  const all = new BitSet(stateCount);
  for (let state = 0; state < stateCount; state++) all.add(state);
  return { triggered: 0, fair: { stuttering: all, recurring: all } };
}
