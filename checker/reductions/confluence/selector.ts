import { DefectError } from '../../errors.ts';
import { type CompiledProperty, NO_PREDICATE } from '../../judgements.ts';
import { emptyTransitionBuffer, type StateGraph } from '../../liveness/graph.ts';
import type { Resumable } from '../../liveness/resumable.ts';
import type { Slot } from '../../values/slots.ts';
import {
  ALL_STEPS,
  type AmpleSelector,
  type EngineView,
  type Reads,
  type ReducedGraph,
  type Reduction,
  type Revision,
  type SelectorNotes,
} from '../reduction.ts';
import { type AppliedConfluence, auditConfluence } from './declared.ts';
import { hasReducedCycle } from './proviso.ts';

/** Selects the first confluent step that is enabled. */
export class ConfluentSteps<State> implements AmpleSelector<State> {
  reducedStates = 0;
  readonly reducing: readonly boolean[];
  readonly reduction: Reduction<State>;
  private readonly applied: AppliedConfluence<State>;
  private readonly engine: EngineView;
  private readonly buffer = emptyTransitionBuffer();
  /** By effect of confluent steps that write declared sections only: the slots that it writes. */
  private readonly validated = new Map<number, readonly Slot[]>();
  /** Step predicates that have read what confluent steps write. */
  private readonly observing = new Set<number>();
  /** By instance: the step predicates that have read the instance's own slot, if it is written. */
  private readonly observingOwnSlot = new Map<number, Set<number>>();
  /** Instances that stay enabled after a confluent step has written their own slot. */
  private readonly dependent = new Set<number>();
  /** Step rules, by property, that were judged on a confluent step. */
  private readonly judging = new Set<number>();

  constructor(reduction: Reduction<State>, applied: AppliedConfluence<State>, engine: EngineView) {
    this.reduction = reduction;
    this.applied = applied;
    this.reducing = [...applied.guards].map((guard) => guard !== NO_PREDICATE);
    this.engine = engine;
  }

  select(instances: Int32Array, effects: Int32Array, count: number): number {
    const { guards } = this.applied;
    for (let index = 0; index < count; index++) {
      if (!this.isConfluent(guards[instances[index]!]!)) continue;
      const effect = effects[index]!;
      const slots = this.validated.get(effect) ?? this.validate(instances[index]!, effect);
      for (let other = 0; other < count; other++) {
        const instance = instances[other]!;
        if (!this.isConfluent(guards[instance]!)) this.noteEnabled(instance, slots);
      }
      instances[0] = instances[index]!;
      effects[0] = effect;
      return 1;
    }
    return ALL_STEPS;
  }

  /**
   * The slot that an instance reads first is its own, such as the state of the worker whose step it
   * is. A confluent step that writes it mostly disables the instance; only where it does not,
   * reading it makes a difference. A predicate that asks whether it judges a confluent action
   * distinguishes runs that take the step at once from runs that put it off.
   */
  stepPredicateRead(predicate: number, instance: number, reads: Reads): void {
    const { written } = this.applied;
    const { slots, sections, action } = reads;
    if (action && this.reducing[instance]) this.observing.add(predicate);
    for (const { key } of sections) if (written.has(key)) this.observing.add(predicate);
    const own = this.engine.firstRead(instance);
    for (const slot of slots) {
      if (!written.has(slot.section.key)) continue;
      if (slot !== own || this.reducing[instance]) {
        this.observing.add(predicate);
        continue;
      }
      const known = this.observingOwnSlot.get(instance);
      if (known === undefined) this.observingOwnSlot.set(instance, new Set([predicate]));
      else known.add(predicate);
    }
  }

  actionLearnt(): void {}

  /** Cycles of confluent steps are found when they are expanded. */
  accepts(): boolean {
    return true;
  }

  // biome-ignore lint/correctness/useYield: there is nothing to do.
  *revise(): Resumable<readonly Revision[]> {
    return [];
  }

  stepRuleJudged(property: number): void {
    this.judging.add(property);
  }

  /**
   * Confluent steps that lead back to where they began would ignore all others for ever. Each such
   * cycle is found once, from the state of it that was found last.
   */
  expanded(graph: ReducedGraph<State>, state: number, foundNewState: boolean): void {
    this.reducedStates++;
    if (foundNewState) return;
    const { buffer } = this;
    let at = state;
    let instance = 0;
    do {
      graph.successors(at, buffer);
      if (graph.reducedBy !== this) return;
      instance = buffer.actions[0]!;
      at = buffer.targets[0]!;
    } while (at >= 0 && at < state);
    if (at !== state) return;
    throw this.defect(instance, 'steps that are declared confluent follow one another without end');
  }

  /** All states without successors are expanded, so a property of those is judged in each. */
  isVisibleTo({ property, judgements }: CompiledProperty<State>): boolean {
    if (property.kind === 'settled') return false;
    const { engine, applied, judging } = this;
    if (judging.has(judgements[0]?.property ?? -1)) return true;
    return judgements
      .flatMap(({ trigger, check }) => [trigger, check])
      .filter((predicate) => predicate !== NO_PREDICATE)
      .some((predicate) =>
        property.kind === 'step'
          ? this.isObserving(predicate)
          : engine.dependsOn(predicate, applied.written),
      );
  }

  violatesCycleProviso(graph: StateGraph, isReduced: () => boolean): Resumable<boolean> {
    return hasReducedCycle(graph, isReduced);
  }

  notes(): SelectorNotes {
    const { reducedStates, dependent, judging } = this;
    return { reducedStates, dependent: [...dependent], judging: [...judging] };
  }

  restore({ reducedStates, dependent, judging }: SelectorNotes): void {
    this.reducedStates = reducedStates;
    for (const instance of dependent) this.dependent.add(instance);
    for (const property of judging) this.judging.add(property);
  }

  audit(state: State): void {
    auditConfluence(this.applied, state);
  }

  private isConfluent(guard: number): boolean {
    return guard !== NO_PREDICATE && this.engine.test(guard);
  }

  private isObserving(predicate: number): boolean {
    return (
      this.observing.has(predicate) ||
      [...this.dependent].some((instance) => this.observingOwnSlot.get(instance)?.has(predicate))
    );
  }

  /** The instance is enabled beside a confluent step that writes these slots. */
  private noteEnabled(instance: number, slots: readonly Slot[]): void {
    if (this.dependent.has(instance)) return;
    const own = this.engine.firstRead(instance);
    if (own === null || slots.includes(own)) this.dependent.add(instance);
  }

  private validate(instance: number, effect: number): readonly Slot[] {
    const slots = this.engine.writes(effect);
    const other = slots.find(({ section }) => !this.applied.written.has(section.key));
    if (other !== undefined) {
      const { key } = other.section;
      throw this.defect(instance, `a step that is declared confluent changes ${key}`);
    }
    this.validated.set(effect, slots);
    return slots;
  }

  private defect(instance: number, message: string): DefectError {
    const { name, parameters } = this.applied.instances[instance]!.identity;
    return new DefectError({ kind: 'notConfluent', culprit: name, parameters, message });
  }
}
