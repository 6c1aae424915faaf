import { emptyTransitionBuffer, type StateGraph } from '../../liveness/graph.ts';
import type { Resumable } from '../../liveness/resumable.ts';
import type { Section } from '../../values/slots.ts';
import {
  ALL_STEPS,
  type AmpleSelector,
  type EngineView,
  type Reads,
  type Reduction,
  type Revision,
  type SelectorNotes,
  type View,
} from '../reduction.ts';
import { auditIndependence } from './audit.ts';
import { Dependence } from './dependence.ts';
import { Footprints } from './footprints.ts';
import { has, type InstanceSet } from './instance-set.ts';
import { wantingStates } from './proviso.ts';
import type { ReducedQuestion } from './question.ts';
import { StubbornSets } from './stubborn-sets.ts';
import { Visibility } from './visibility.ts';

/** Choices of states; larger ones are sets of instances. */
const UNKNOWN = 0;
const ALL = 1;
const FIRST_SET = 2;

const STATES_PER_YIELD = 256;
/** Each revision is a pass over the graph. */
const MOST_REVISIONS = 16;

/**
 * Expands the enabled members of a stubborn set. What is known of the instances grows during the
 * search, so in the end all choices are checked again, and where they no longer do, more is
 * expanded.
 */
export class StubbornSteps<State> implements AmpleSelector<State> {
  reducedStates = 0;
  readonly reducing: readonly boolean[];
  readonly reduction: Reduction<State>;
  private readonly question: ReducedQuestion<State>;
  private readonly engine: EngineView;
  private readonly footprints: Footprints;
  private readonly sets: StubbornSets;
  private readonly visibility: Visibility;
  private readonly isUseful: (instance: number) => boolean;
  /** By state: what is expanded. */
  private choices = new Int32Array(1 << 10);
  /** By state: how much was known when its choice was made or checked. */
  private versions = new Int32Array(1 << 10);
  private readonly expandedSets: InstanceSet[] = [];
  private readonly numbers = new Map<string, number>();
  private revisions = 0;
  private readonly buffer = emptyTransitionBuffer();

  constructor(reduction: Reduction<State>, question: ReducedQuestion<State>, engine: EngineView) {
    const { instances, properties, isLive } = question;
    this.reduction = reduction;
    this.question = question;
    this.engine = engine;
    this.reducing = instances.map(() => false);
    this.footprints = new Footprints(engine.learnt, instances.length);
    const dependence = new Dependence(engine.learnt, this.footprints, instances.length);
    const { footprints } = this;
    this.visibility = new Visibility(properties, engine, footprints, instances.length);
    const { visibility } = this;
    this.sets = new StubbornSets({ engine, footprints, dependence, visibility }, instances.length);
    this.isUseful = isLive ? (instance) => instances[instance]!.fairness !== 'none' : () => true;
  }

  select(instances: Int32Array, effects: Int32Array, count: number): number {
    const state = this.engine.loaded;
    this.reserve(state);
    if (this.choices[state] === UNKNOWN) this.choose(state, instances, count);
    const choice = this.choices[state]!;
    if (choice === ALL) return ALL_STEPS;
    const set = this.expandedSets[choice - FIRST_SET]!;
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const instance = instances[index]!;
      if (!has(set, instance)) continue;
      instances[index] = instances[kept]!;
      instances[kept] = instance;
      const effect = effects[index]!;
      effects[index] = effects[kept]!;
      effects[kept] = effect;
      kept++;
    }
    return kept;
  }

  /**
   * After many revisions, steps must lead to a state that was not expanded before: then nothing is
   * ignored for ever, as numbers of states grow along such steps.
   */
  accepts(targets: Int32Array, count: number): boolean {
    if (this.revisions < MOST_REVISIONS) return true;
    const state = this.engine.loaded;
    for (let index = 0; index < count; index++) if (targets[index]! > state) return true;
    this.expandAll(state);
    return false;
  }

  actionLearnt(instance: number, view: View, sections: ReadonlySet<Section>): void {
    this.footprints.learn(instance, view, sections);
  }

  stepPredicateRead(_predicate: number, instance: number, { slots, sections }: Reads): void {
    this.footprints.learnRule(instance, slots, sections);
  }

  *revise(graph: StateGraph): Resumable<readonly Revision[]> {
    this.revisions++;
    const { choices, engine, question, buffer } = this;
    const parts = {
      ...{ graph, isLive: question.isLive, enabled: () => engine.enabled() },
      isReduced: (state: number) => choices[state]! >= FIRST_SET,
    };
    let wanting: readonly number[] = yield* this.outdated(graph);
    if (wanting.length === 0) wanting = yield* wantingStates(parts);
    return wanting.map((state) => {
      const count = graph.successors(state, buffer);
      this.expandAll(state);
      return { state, known: [...buffer.actions.subarray(0, count)] };
    });
  }

  stepRuleJudged(): void {}

  expanded(): void {}

  /** Visible steps are expanded in every order that properties can tell from others. */
  isVisibleTo(): boolean {
    return false;
  }

  /** No state on a cycle is reduced: see `revise`. */
  // biome-ignore lint/correctness/useYield: there is nothing to do.
  *violatesCycleProviso(): Resumable<boolean> {
    return false;
  }

  notes(): SelectorNotes {
    throw new Error('a search with stubborn sets is not saved');
  }

  restore(): void {
    throw new Error('a search with stubborn sets is not saved');
  }

  audit(state: State): void {
    const choice = this.choices[this.engine.loaded]!;
    if (choice < FIRST_SET) return;
    const set = this.expandedSets[choice - FIRST_SET]!;
    auditIndependence(this.question, state, (instance) => has(set, instance));
  }

  private choose(state: number, instances: Int32Array, count: number): void {
    for (const predicate of this.visibility.unasked) this.engine.test(predicate);
    const size = count < 2 ? -1 : this.sets.find(instances, count, this.isUseful);
    if (size < 0) {
      this.choices[state] = ALL;
      return;
    }
    this.setChoice(state, this.sets.found);
  }

  private setChoice(state: number, set: InstanceSet): void {
    if (this.choices[state]! < FIRST_SET) this.reducedStates++;
    this.choices[state] = FIRST_SET + this.numberOf(set);
    this.versions[state] = this.version;
  }

  private expandAll(state: number): void {
    if (this.choices[state]! >= FIRST_SET) this.reducedStates--;
    this.choices[state] = ALL;
  }

  private get version(): number {
    return this.engine.readings + this.footprints.version;
  }

  /** The states whose choices, made when less was known, are no longer right. */
  private *outdated(graph: StateGraph): Resumable<readonly number[]> {
    const outdated: number[] = [];
    const { buffer, sets, engine, isUseful } = this;
    for (let state = 0; state < graph.stateCount; state++) {
      const choice = this.choices[state]!;
      if (choice < FIRST_SET || this.versions[state] === this.version) continue;
      if (state % STATES_PER_YIELD === 0) yield state;
      graph.successors(state, buffer);
      const enabled = engine.enabled();
      const expanded = this.expandedSets[choice - FIRST_SET]!;
      if (sets.find(enabled, enabled.length, isUseful, expanded) > 0) {
        this.versions[state] = this.version;
      } else outdated.push(state);
    }
    return outdated;
  }

  private numberOf(set: InstanceSet): number {
    const key = set.join();
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.expandedSets.push(set.slice());
    this.numbers.set(key, this.expandedSets.length - 1);
    return this.expandedSets.length - 1;
  }

  private reserve(state: number): void {
    if (state < this.choices.length) return;
    const length = 2 * state;
    const choices = new Int32Array(length);
    choices.set(this.choices);
    this.choices = choices;
    const versions = new Int32Array(length);
    versions.set(this.versions);
    this.versions = versions;
  }
}
