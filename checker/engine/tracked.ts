import type { TransitionBuffer } from '../liveness/graph.ts';
import { reserve } from '../liveness/graph.ts';
import type { AmpleSelector } from '../reductions/reduction.ts';
import { Lookahead } from './ahead/lookahead.ts';
import { NO_EFFECT } from './effects.ts';
import { Encoding, internStates } from './encoding.ts';
import type { Engine, Question, SoughtAnswers, TransitionObserver } from './engine.ts';
import { EngineExchange } from './exchange/exchange.ts';
import { Firing } from './firing.ts';
import { Learner } from './learner.ts';
import { ObservedStep } from './observed-step.ts';
import { initialPlainState } from './plain.ts';
import type { EngineSaver } from './saved.ts';
import { EngineSaving } from './saving.ts';
import { FoundNothing } from './seeking/found-nothing.ts';
import { PredicateList } from './seeking/predicate-list.ts';
import { EngineReplica } from './sharing/replica.ts';
import { EngineSharing } from './sharing/sharing.ts';
import { countMembers, SleepSets } from './sleep/sleep-sets.ts';
import { StepSieve } from './step-sieve.ts';

/** Of a search whose states are in files, sets of so many states that wait are in memory. */
const MOST_ASLEEP = 1 << 20;
/** The target of a step that is not looked up. */
const UNKNOWN_STATE = -1;

/**
 * The fast engine. Reducers and predicates run once for each distinct view that they have of the
 * state; after that, decision tries give their answers. A successor takes a few mask operations on
 * the packed row.
 *
 * Learning may replace arrays and re-encode rows. After it, loops fetch everything again and
 * continue.
 */
export class TrackedEngine<State> implements Engine<State> {
  readonly kind = 'tracked';
  readonly actionCount: number;
  readonly initialCount: number;
  readonly transitions: Float64Array;
  private readonly question: Question<State>;
  private readonly learner: Learner<State>;
  private readonly encoding: Encoding<State>;
  private readonly firing: Firing<State>;
  private readonly step: ObservedStep<State>;
  private readonly sieve: StepSieve<State>;
  readonly saving: EngineSaver | null;
  /** Lets replicas in other threads follow this engine. It must share its states. */
  readonly share: () => EngineSharing<State>;
  /** Makes this engine a replica: it follows another engine of the same question. */
  readonly replicate: () => EngineReplica<State>;
  /** Lets states come from engines in other processes, and go to them. */
  readonly exchange: () => EngineExchange<State>;
  /** Null: each step is looked up. */
  private sleep: SleepSets | null = null;
  /** Null: each state is expanded by itself. */
  private ahead: Lookahead<State> | null = null;
  /** The instances that the sleep sets know as watched; null: none. */
  private watched: ArrayLike<number> | null = null;
  /** What was sought last; null: nothing so far. */
  private listed: PredicateList | null = null;
  private readonly foundNothing: FoundNothing;

  constructor(question: Question<State>) {
    const { model, instances, reductions, storage = null } = question;
    this.question = question;
    this.actionCount = instances.length;
    this.transitions = new Float64Array(this.actionCount);
    this.learner = new Learner(question);
    this.foundNothing = new FoundNothing(this.learner.dependencies, this.learner.guard);
    const { slots, guard } = this.learner;
    const plain = model.initial.map((state) => {
      guard.look();
      return initialPlainState(model, state);
    });
    let initial = internStates(slots, plain, guard);
    const canonicalizer = reductions.orbits?.canonicalizer(slots) ?? null;
    if (canonicalizer !== null) {
      canonicalizer.takeIn();
      initial = initial.map((state) => canonicalizer.representative(state));
    }
    const sharesStates = question.sharesStates ?? false;
    this.encoding = new Encoding(this.learner, initial, storage, sharesStates);
    this.initialCount = this.encoding.store.count;
    this.firing = new Firing(
      this.actionCount,
      this.learner,
      this.encoding,
      canonicalizer,
      reductions.applied,
    );
    const { learner, encoding, firing, transitions } = this;
    this.step = new ObservedStep(learner, encoding);
    this.sieve = new StepSieve(learner, encoding, this.step);
    this.saving =
      storage === null
        ? new EngineSaving(learner, encoding, firing, canonicalizer, transitions)
        : null;
    const { sieve, step } = this;
    const sleep = { sets: () => this.sleep, use: () => this.expandInOrder() };
    const parts = { learner, encoding, firing, canonicalizer, transitions, sieve, step, sleep };
    this.share = () => new EngineSharing(parts);
    this.replicate = () => new EngineReplica(parts);
    this.exchange = () => new EngineExchange(parts);
  }

  get stateCount(): number {
    return this.encoding.store.count;
  }

  get bytes(): number {
    return this.encoding.store.bytes;
  }

  get reducerRuns(): Float64Array {
    return this.learner.reducerRuns;
  }

  get renamings(): Int32Array {
    return this.firing.renamings;
  }

  get selectors(): readonly AmpleSelector<State>[] {
    return this.firing.selectors;
  }

  get reducedBy(): AmpleSelector<State> | null {
    return this.firing.reducedBy;
  }

  get loaded(): number {
    return this.encoding.loaded;
  }

  load(state: number): void {
    this.encoding.load(state);
  }

  test(predicate: number): boolean {
    return this.firing.test(predicate);
  }

  seek(answers: SoughtAnswers, found: Int32Array): number {
    if (answers.predicates.length === 0) return 0;
    const { foundNothing } = this;
    if (this.listed?.answers !== answers) {
      this.listed = new PredicateList(answers, this.question.statePredicates.length);
      foundNothing.ask(this.listed.bits);
    }
    const { store, loaded } = this.encoding;
    const { generation } = this.firing;
    if (foundNothing.has(store.rows, store.place(loaded), store.width, generation)) return 0;
    const { set } = this.learner.dependencies;
    this.compare(loaded);
    const { bits, position } = this.listed;
    const { sought } = answers;
    let count = 0;
    for (let word = 0; word < set.length; word++) {
      let open = set[word]! & bits[word]!;
      while (open !== 0) {
        // The lowest bit comes first.
        const bit = open & -open;
        open ^= bit;
        const predicate = 32 * word + 31 - Math.clz32(bit);
        const index = position[predicate]!;
        if (this.test(predicate) !== (sought[index] === 1)) continue;
        found[count++] = index;
        foundNothing.found(predicate);
      }
    }
    if (count === 0) foundNothing.add();
    return count;
  }

  differing(state: number): Int32Array {
    this.compare(state);
    return this.learner.dependencies.set;
  }

  /** Finds the state predicates that may have another answer than in the state's predecessor. */
  private compare(state: number): void {
    const { store } = this.encoding;
    const { dependencies } = this.learner;
    const parent = store.parentOf(state);
    if (parent < 0) dependencies.set.fill(-1);
    else {
      const { rows, width } = store;
      dependencies.touched(rows, store.place(state), store.place(parent), width);
    }
  }

  askSteps(questions: readonly (SoughtAnswers | null)[]): void {
    this.sieve.ask(questions);
  }

  seekStep(found: Int32Array): number {
    return this.sieve.seek(found);
  }

  testStep(predicate: number): boolean {
    return this.step.test(predicate);
  }

  testStutter(predicate: number, instance: number): boolean {
    this.step.observe(instance, NO_EFFECT);
    return this.step.test(predicate);
  }

  expandInOrder(): void {
    const { firing, learner, question, encoding } = this;
    if (firing.reduces) return;
    const isInMemory = (question.storage ?? null) === null;
    const most = isInMemory ? Number.POSITIVE_INFINITY : MOST_ASLEEP;
    this.sleep = new SleepSets(learner.independence, learner.guard, most, question.sharesStates);
    if (isInMemory) this.ahead = new Lookahead(this.actionCount, encoding, firing, this.sleep);
    this.watched = null;
  }

  private watch(watched: ArrayLike<number>): void {
    if (watched === this.watched) return;
    this.watched = watched;
    this.sleep?.watch(watched);
    this.ahead?.forget();
  }

  /**
   * As `expand` without ample sets, but looks up and stores nothing: targets are unknown to the
   * observer. Returns how many steps are to be looked up.
   */
  foresee(observer: TransitionObserver): number {
    this.sieve.enter();
    this.watch(observer.watched);
    const { firing, step, sleep } = this;
    sleep?.enter(this.encoding.loaded);
    const count = firing.fire(sleep?.skipped);
    const { fired, effects } = firing;
    for (let index = 0; index < count; index++) {
      const instance = fired[index]!;
      if (observer.watched[instance] !== 1) continue;
      step.observe(instance, effects[index]!);
      observer.transition(instance, UNKNOWN_STATE);
    }
    return count;
  }

  expand(observer: TransitionObserver, known: readonly number[] = []): number {
    const { transitions, firing, step, sleep, ahead } = this;
    this.sieve.enter();
    this.watch(observer.watched);
    const { store, loaded } = this.encoding;
    let from = 0;
    let count: number;
    if (ahead === null) {
      sleep?.enter(loaded);
      count = firing.fire(sleep?.skipped);
      store.fetch(0, count);
    } else {
      ahead.enter();
      from = ahead.from;
      count = ahead.count;
    }
    const firstNew = store.count;
    store.insertAll(count, loaded, from);
    if (store.count > firstNew) sleep?.pass(firing.fired, from, count, store.found, firstNew);
    const isWhole = firing.reducedBy?.accepts(store.found, count) ?? true;
    const { fired, effects } = firing;
    let taken = 0;
    for (let index = 0; index < count; index++) {
      const instance = fired[from + index]!;
      if (known.length > 0 && known.includes(instance)) continue;
      taken++;
      transitions[instance]!++;
      if (observer.watched[instance] === 1) {
        step.observe(instance, effects[from + index]!);
        observer.transition(instance, store.found[index]!);
      }
    }
    if (sleep !== null) {
      taken += countMembers(sleep.asleep, 0, sleep.asleep.length, transitions);
    }
    if (isWhole) return taken;
    return taken + this.expand(observer, [...known, ...fired.subarray(0, count)]);
  }

  successors(state: number, into: TransitionBuffer): number {
    reserve(into, this.actionCount);
    const { firing } = this;
    const { store } = this.encoding;
    this.load(state);
    const count = firing.fire();
    store.fetch(0, count);
    store.findAll(count);
    for (let index = 0; index < count; index++) {
      into.actions[index] = firing.fired[index]!;
      into.targets[index] = store.found[index]!;
    }
    return count;
  }

  /**
   * Call this right after `successors`: stores the target of the transition at this position and
   * returns its number. The other successors are not stored.
   */
  follow(position: number, observer: TransitionObserver): number {
    const { store, loaded } = this.encoding;
    const instance = this.firing.fired[position]!;
    const effect = this.firing.effects[position]!;
    this.sieve.disorder();
    const target = store.insertOne(position, loaded);
    this.transitions[instance]!++;
    if (observer.watched[instance] === 1) {
      this.step.observe(instance, effect);
      observer.transition(instance, target);
    }
    return target;
  }

  predecessor(state: number): number {
    return this.encoding.store.parentOf(state);
  }

  decode(state: number): State {
    return this.learner.slots.assemble((slot) => this.encoding.localIn(state, slot)) as State;
  }
}
