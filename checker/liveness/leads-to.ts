import type { Fairness } from '../model.ts';
import { BitSet, RememberedPredicate } from '../values/bit-set.ts';
import type { Region } from './components.ts';
import { type FairStates, recurringStates } from './fairness.ts';
import type { StateGraph } from './graph.ts';
import { fairClosedWalk } from './lasso.ts';
import { type GroupObligation, type Obligations, obligationsOf } from './obligations.ts';
import { type LeadsTo, MOST_QUESTIONS, pendingStates, triggeredStates } from './pending.ts';
import { shortestPrefix, type TransitionStep } from './prefix.ts';
import { missedIn, restingStates } from './resting.ts';
import { type Resumable, runToEnd, UNITS_PER_YIELD } from './resumable.ts';

export type { LeadsTo } from './pending.ts';
export type { TransitionStep } from './prefix.ts';

/**
 * Asks whether, on every fair run, each state with the trigger is followed by (or is) one with the
 * goal.
 */
export interface LeadsToQuestion extends LeadsTo {
  readonly graph: StateGraph;
  /** By action instance number. */
  readonly fairness: readonly Fairness[];
  readonly groups?: readonly GroupObligation[];
}

export type LeadsToAnswer =
  | { readonly kind: 'holds'; readonly triggered: number }
  | ({ readonly kind: 'violated'; readonly triggered: number } & LeadsToCounterexample);

export interface LeadsToCounterexample {
  readonly initial: number;
  /** A shortest one. */
  readonly prefix: readonly TransitionStep[];
  /** From the end of the prefix back to it. Empty: the run may stutter there for ever. */
  readonly cycle: readonly TransitionStep[];
}

export interface LeadsToJudgement {
  /** Number of states with the trigger. */
  readonly triggered: number;
  /**
   * Where a fair run can remain while the goal is missing after a trigger; null: nowhere, so it
   * holds.
   */
  readonly fair: FairStates | null;
}

/**
 * Judges leads-tos under fairness on the finished graph.
 *
 * A run takes transitions or stutters. On a fair run, no weak obligation is continuously enabled
 * from some point on but taken finitely often, and no strong one is enabled infinitely often but
 * taken finitely often. A counterexample misses the goal from a trigger on. It ends in a state in
 * which no obligation is enabled, or on a closed walk that meets all of them.
 *
 * @param restingFirst whether goals that are true in all `restingStates` are asked for nowhere
 * else. The answers are the same.
 */
export function* judgeLeadsTo(
  graph: StateGraph,
  obligations: Obligations,
  questions: readonly LeadsTo[],
  restingFirst = true,
): Resumable<readonly LeadsToJudgement[]> {
  const judgements: LeadsToJudgement[] = [];
  let resting: BitSet | null = null;
  for (let first = 0; first < questions.length; first += MOST_QUESTIONS) {
    const some = questions.slice(first, first + MOST_QUESTIONS);
    const triggers = yield* triggeredStates(graph.stateCount, some);
    let open = triggers.all;
    if (restingFirst && open !== 0) {
      resting ??= yield* restingStates(graph, obligations, null);
      open = yield* missedIn(resting, some, open);
    }
    const pending = yield* pendingStates(graph, obligations, some, triggers, open);
    // A closed walk without one of the goals lies in a component of states with some pending
    // goal.
    const somePending = yield* statesWhere(graph.stateCount, (state) => pending.bits[state] !== 0);
    const recurring = yield* recurringStates(graph, obligations, within(somePending));
    for (let question = 0; question < some.length; question++) {
      const triggered = triggers.counts[question]!;
      const isPending = (state: number) => ((pending.bits[state]! >>> question) & 1) === 1;
      const stuttering = yield* membersWhere(pending.stuttering, graph.stateCount, isPending);
      const rest = yield* membersWhere(recurring, graph.stateCount, isPending);
      const { goal, metBy, isForever = false } = some[question]!;
      const around =
        rest === recurring && metBy === undefined
          ? rest
          : yield* recurringStates(graph, obligations, { ...within(rest), avoids: metBy });
      const fair = isForever
        ? yield* unsettledIn(graph, { stuttering, recurring: around }, goal)
        : { stuttering, recurring: around };
      const holds = fair.stuttering.isEmpty && fair.recurring.isEmpty;
      judgements.push({ triggered, fair: holds ? null : fair });
    }
  }
  return judgements;
}

/**
 * Where a fair run can return for ever to states without the goal. Each of these states is on a
 * closed walk through its whole component, which may have the goal elsewhere.
 */
function* unsettledIn(
  { stateCount }: StateGraph,
  { stuttering, recurring }: FairStates,
  goal: (state: number) => boolean,
): Resumable<FairStates> {
  const lacksGoal = (state: number): boolean => !goal(state);
  return {
    stuttering: yield* membersWhere(stuttering, stateCount, lacksGoal),
    recurring: yield* membersWhere(recurring, stateCount, lacksGoal),
    around: recurring,
  };
}

/**
 * A counterexample for a question whose judgement found these fair states. Evaluates its predicates
 * again.
 */
export function* counterexample(
  graph: StateGraph,
  obligations: Obligations,
  question: LeadsTo,
  fair: FairStates,
): Resumable<LeadsToCounterexample> {
  const trigger = new RememberedPredicate(question.trigger, graph.stateCount);
  const goal = new RememberedPredicate(question.goal, graph.stateCount);
  const { isForever = false, metBy } = question;
  const pending = {
    triggered: (state: number) => trigger.holds(state) && (isForever || !goal.holds(state)),
    goal: (state: number) => !isForever && goal.holds(state),
    metBy: isForever ? undefined : metBy,
  };
  const prefix = yield* shortestPrefix(graph, pending, fair);
  const region = { ...fair, recurring: fair.around ?? fair.recurring };
  const cycle = prefix.stutters
    ? []
    : yield* fairClosedWalk(graph, obligations, region, prefix.end, metBy);
  return { initial: prefix.initial, prefix: prefix.steps, cycle };
}

/** Judges a single question without pauses. */
export function checkLeadsTo(
  question: LeadsToQuestion,
  onProgress?: (done: number) => void,
): LeadsToAnswer {
  const { graph } = question;
  const obligations = obligationsOf(question.fairness, question.groups);
  const [judgement] = runToEnd(judgeLeadsTo(graph, obligations, [question]), onProgress);
  const { triggered, fair } = judgement!;
  if (fair === null) return { kind: 'holds', triggered };
  const run = runToEnd(counterexample(graph, obligations, question, fair), onProgress);
  return { kind: 'violated', triggered, ...run };
}

export function within(states: BitSet): Region {
  return { roots: states, includes: (state) => states.has(state) };
}

export function* statesWhere(
  stateCount: number,
  holds: (state: number) => boolean,
): Resumable<BitSet> {
  const states = new BitSet(stateCount);
  for (let state = 0; state < stateCount; state++) {
    if (state % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield state;
    if (holds(state)) states.add(state);
  }
  return states;
}

/** Returns the set itself if the predicate is true of all members. */
export function* membersWhere(
  set: BitSet,
  stateCount: number,
  holds: (state: number) => boolean,
): Resumable<BitSet> {
  const some = new BitSet(stateCount);
  let isSame = true;
  let looked = 0;
  for (let state = set.next(0); state !== -1; state = set.next(state + 1)) {
    if (++looked % UNITS_PER_YIELD === 0) yield looked;
    if (holds(state)) some.add(state);
    else isSame = false;
  }
  return isSame ? set : some;
}
