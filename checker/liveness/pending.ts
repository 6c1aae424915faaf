import { BitSet } from '../values/bit-set.ts';
import type { EdgePredicate, StateGraph } from './graph.ts';
import { transitionBuffer } from './graph.ts';
import type { Obligations } from './obligations.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/** A leads-to as predicates on state numbers. */
export interface LeadsTo {
  readonly trigger: (state: number) => boolean;
  /**
   * The number of the trigger in the sets of `compared`; without it, the trigger is evaluated in
   * each state.
   */
  readonly compared?: { readonly states: ComparedStates; readonly number: number } | undefined;
  readonly goal: (state: number) => boolean;
  /** The goal must stay true from some point on. */
  readonly isForever?: boolean;
  /** A transition that meets the goal, whatever state it leads to. */
  readonly metBy?: EdgePredicate;
}

/** States compared with an earlier one. One object for all questions of a graph. */
export interface ComparedStates {
  /** The number of the earlier state, which is lower; negative: there is none. */
  predecessor(state: number): number;
  /**
   * A set of numbers: of the predicates that may have another answer in the state than in its
   * predecessor.
   */
  differing(state: number): Int32Array;
}

/** How questions are renamed along the transitions of a quotient graph. */
export interface RenamedQuestions {
  /** By transition of the last call of `successors`. */
  readonly renamings: () => Int32Array;
  /** By question: its image under the renaming. */
  readonly image: (renaming: number) => readonly number[];
}

/** The number of bits in a word. */
export const MOST_QUESTIONS = 32;

/** The triggers of up to `MOST_QUESTIONS` questions. */
export interface Triggered {
  /** By question: the number of states with the trigger. */
  readonly counts: readonly number[];
  /** By state, one bit a question: its trigger is true. */
  readonly bits: Int32Array;
  /** The questions, as bits, whose trigger is true somewhere. */
  readonly all: number;
}

/** Evaluates each trigger at most once a state, and only where its answer may be another one. */
export function* triggeredStates(
  stateCount: number,
  questions: readonly LeadsTo[],
): Resumable<Triggered> {
  const bits = new Int32Array(stateCount);
  const counts = questions.map(() => 0);
  const triggers = new ComparedTriggers(questions);
  let all = 0;
  for (let state = 0; state < stateCount; state++) {
    if (state % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield state;
    const { states } = triggers;
    const other = states === null ? -1 : states.predecessor(state);
    const asked = other < 0 ? triggers.all : triggers.askedOf(states!.differing(state));
    let own = other < 0 ? 0 : bits[other]! & ~asked;
    for (let open = asked; open !== 0; open &= open - 1) {
      const question = 31 - Math.clz32(open & -open);
      if (questions[question]!.trigger(state)) own |= 1 << question;
    }
    bits[state] = own;
    all |= own;
    for (let open = own; open !== 0; open &= open - 1) counts[31 - Math.clz32(open & -open)]!++;
  }
  return { counts, bits, all };
}

/** The triggers of some questions, as bits, by their numbers in the sets of compared states. */
class ComparedTriggers {
  readonly states: ComparedStates | null;
  readonly all: number;
  /** Those that are in no set. */
  private readonly always: number;
  /** By word of a set: the numbers of triggers in it, and by number: the questions. */
  private readonly words: number[] = [];
  private readonly questions: number[] = [];

  constructor(questions: readonly LeadsTo[]) {
    this.states = questions.find(({ compared }) => compared)?.compared?.states ?? null;
    let all = 0;
    let always = 0;
    questions.forEach(({ compared }, question) => {
      const bit = 1 << question;
      all |= bit;
      if (compared === undefined) {
        always |= bit;
        return;
      }
      const { number } = compared;
      this.questions[number] = (this.questions[number] ?? 0) | bit;
      while (this.words.length <= number >> 5) this.words.push(0);
      this.words[number >> 5]! |= 1 << (number & 31);
    });
    this.all = all;
    this.always = always;
  }

  /** Those whose triggers are in the set. */
  askedOf(set: Int32Array): number {
    const { words, questions } = this;
    let asked = this.always;
    for (let word = 0; word < words.length; word++) {
      for (let open = words[word]! & set[word]!; open !== 0; open &= open - 1) {
        asked |= questions[32 * word + 31 - Math.clz32(open & -open)]!;
      }
    }
    return asked;
  }
}

export interface Pending {
  /**
   * By state, one bit a question: some run has met the trigger and not the goal since, so the goal
   * is pending.
   */
  readonly bits: Int32Array;
  /** States with a pending goal and no enabled obligation: the run may stutter there. */
  readonly stuttering: BitSet;
}

/**
 * Finds the states with pending goals for some questions together, so that most states are visited
 * once. Evaluates each goal at most once a state.
 *
 * @param asked the questions, as bits: what the renamings of edges make of them is among them.
 */
export function* pendingStates(
  graph: StateGraph,
  { of }: Obligations,
  questions: readonly LeadsTo[],
  triggered: Triggered,
  asked: number,
  renamed: RenamedQuestions | null = null,
): Resumable<Pending> {
  const { stateCount } = graph;
  const bits = new Int32Array(stateCount);
  /** The questions whose goal is known to be true in the state. */
  const met = new Int32Array(stateCount);
  // States whose bits have changed since they were passed on, each at most once.
  const queue = new Int32Array(stateCount);
  const queued = new BitSet(stateCount);
  let head = 0;
  let waiting = 0;
  const owe = (state: number, question: number) => {
    const bit = 1 << question;
    // A goal that must stay true is asked for in every state after the trigger.
    const { goal, isForever = false } = questions[question]!;
    if (!isForever && goal(state)) {
      met[state] = met[state]! | bit;
      return;
    }
    bits[state] = bits[state]! | bit;
    if (queued.has(state)) return;
    queued.add(state);
    queue[(head + waiting) % stateCount] = state;
    waiting++;
  };

  for (let state = 0; state < stateCount; state++) {
    if (state % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield state;
    for (let open = triggered.bits[state]! & asked; open !== 0; open &= open - 1) {
      owe(state, 31 - Math.clz32(open & -open));
    }
  }

  const stuttering = new BitSet(stateCount);
  const transitions = transitionBuffer(graph);
  let work = 0;
  while (waiting > 0) {
    if (++work % UNITS_PER_YIELD === 0) yield work;
    const state = queue[head]!;
    head = (head + 1) % stateCount;
    waiting--;
    queued.delete(state);
    const own = bits[state]!;
    const count = graph.successors(state, transitions);
    const renamings = renamed?.renamings();
    let mayStutter = true;
    for (let position = 0; position < count; position++) {
      if (of[transitions.actions[position]!]!.length > 0) mayStutter = false;
      const target = transitions.targets[position]!;
      const passed = renamed === null ? own : imageOf(own, renamed.image(renamings![position]!));
      for (let open = passed & ~(bits[target]! | met[target]!); open !== 0; open &= open - 1) {
        const question = 31 - Math.clz32(open & -open);
        const { metBy, isForever = false } = questions[question]!;
        const action = transitions.actions[position]!;
        if (!isForever && metBy?.(state, action, target) === true) continue;
        owe(target, question);
      }
    }
    if (mayStutter) stuttering.add(state);
  }
  return { bits, stuttering };
}

function imageOf(bits: number, image: readonly number[]): number {
  let images = 0;
  for (let open = bits; open !== 0; open &= open - 1) {
    images |= 1 << image[31 - Math.clz32(open & -open)]!;
  }
  return images;
}
