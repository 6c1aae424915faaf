import { defectOf, LimitHitError } from '../errors.ts';
import { type Guard, UNGUARDED } from '../guard.ts';
import type { TransitionBuffer } from '../liveness/graph.ts';
import { reserve } from '../liveness/graph.ts';
import type { Engine, Question, SoughtAnswers, TransitionObserver } from './engine.ts';
import { initialPlainState, type PlainState, plainSuccessor } from './plain.ts';

/** The capacity of a JavaScript `Map`. */
const MOST_STATES = 2 ** 24;

/** A state and the renaming that leads to it. */
interface Representative<State> extends PlainState<State> {
  readonly renaming: number;
}

/**
 * The slow reference engine: plain `produce` for every state and instance, and canonical texts as
 * keys.
 */
export class NaiveEngine<State> implements Engine<State> {
  readonly kind = 'naive';
  readonly bytes = 0;
  readonly reducedBy = null;
  readonly saving = null;
  readonly selectors = [];
  readonly actionCount: number;
  readonly initialCount: number;
  readonly reducerRuns: Float64Array;
  readonly transitions: Float64Array;
  readonly renamings: Int32Array;
  private readonly question: Question<State>;
  private readonly states: State[] = [];
  private readonly parents: number[] = [];
  private readonly numbers = new Map<string, number>();
  loaded = 0;
  private readonly guard: Guard;
  private asked: readonly (SoughtAnswers | null)[] = [];
  private observed: { readonly instance: number; readonly after: State } | null = null;

  constructor(question: Question<State>) {
    this.question = question;
    this.guard = question.guard ?? UNGUARDED;
    this.actionCount = question.instances.length;
    this.reducerRuns = new Float64Array(this.actionCount);
    this.transitions = new Float64Array(this.actionCount);
    this.renamings = new Int32Array(this.actionCount);
    for (const state of question.model.initial) {
      this.guard.look();
      this.insert(this.representative(initialPlainState(question.model, state)), -1);
    }
    this.initialCount = this.states.length;
  }

  get stateCount(): number {
    return this.states.length;
  }

  load(state: number): void {
    this.loaded = state;
  }

  test(predicate: number): boolean {
    const { name, parameters, evaluate } = this.question.statePredicates[predicate]!;
    try {
      return Boolean(evaluate(this.states[this.loaded]!));
    } catch (error) {
      throw defectOf(error, name, parameters);
    }
  }

  seek({ predicates, sought }: SoughtAnswers, found: Int32Array): number {
    let count = 0;
    for (let index = 0; index < predicates.length; index++) {
      if (this.test(predicates[index]!) === (sought[index] === 1)) found[count++] = index;
    }
    return count;
  }

  differing(): Int32Array {
    return new Int32Array(Math.ceil(this.question.statePredicates.length / 32)).fill(-1);
  }

  askSteps(questions: readonly (SoughtAnswers | null)[]): void {
    this.asked = questions;
  }

  seekStep(found: Int32Array): number {
    const asked = this.asked[this.observed!.instance] ?? null;
    if (asked === null) return 0;
    const { predicates, sought } = asked;
    let count = 0;
    for (let index = 0; index < predicates.length; index++) {
      if (this.testStep(predicates[index]!) === (sought[index] === 1)) found[count++] = index;
    }
    return count;
  }

  testStep(predicate: number): boolean {
    const { name, parameters, evaluate } = this.question.stepPredicates[predicate]!;
    const { instance, after } = this.observed!;
    const { identity } = this.question.instances[instance]!;
    try {
      return Boolean(evaluate(this.states[this.loaded]!, identity, after));
    } catch (error) {
      throw defectOf(error, name, parameters);
    }
  }

  testStutter(predicate: number, instance: number): boolean {
    this.observed = { instance, after: this.states[this.loaded]! };
    return this.testStep(predicate);
  }

  /** It looks up each successor. */
  expandInOrder(): void {}

  expand(observer: TransitionObserver): number {
    const state = this.loaded;
    let fired = 0;
    for (let instance = 0; instance < this.actionCount; instance++) {
      const after = this.successor(state, instance);
      if (after === null) continue;
      const target = this.insert(this.representative(after), state);
      fired++;
      this.transitions[instance]!++;
      if (observer.watched[instance] === 1) {
        this.observed = { instance, after: after.state };
        observer.transition(instance, target);
      }
    }
    return fired;
  }

  successors(state: number, into: TransitionBuffer): number {
    reserve(into, this.actionCount);
    let count = 0;
    for (let instance = 0; instance < this.actionCount; instance++) {
      const after = this.successor(state, instance);
      if (after === null) continue;
      const { text, renaming } = this.representative(after);
      into.actions[count] = instance;
      into.targets[count] = this.numbers.get(text) ?? -1;
      this.renamings[count] = renaming;
      count++;
    }
    return count;
  }

  predecessor(state: number): number {
    return this.parents[state]!;
  }

  decode(state: number): State {
    return this.states[state]!;
  }

  /** Null if the instance changes nothing. */
  private successor(state: number, number: number): PlainState<State> | null {
    const instance = this.question.instances[number]!;
    this.reducerRuns[number]!++;
    this.guard.look();
    try {
      const after = plainSuccessor(this.question.model, this.states[state]!, instance);
      return after === null || this.numbers.get(after.text) === state ? null : after;
    } catch (error) {
      throw defectOf(error, instance.identity.name, instance.identity.parameters);
    }
  }

  /** The state of the orbit whose text comes first. */
  private representative({ state, text }: PlainState<State>): Representative<State> {
    const { orbits } = this.question.reductions;
    let least: Representative<State> = { state, text, renaming: 0 };
    if (orbits === null) return least;
    for (let renaming = 1; renaming < orbits.size; renaming++) {
      const other = orbits.text(renaming, state);
      if (other < least.text) least = { state, text: other, renaming };
    }
    return { ...least, state: orbits.state(least.renaming, state) };
  }

  private insert({ state, text }: PlainState<State>, parent: number): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.states.length;
    if (number === MOST_STATES) throw new LimitHitError('memory');
    this.states.push(state);
    this.parents.push(parent);
    this.numbers.set(text, number);
    return number;
  }
}
