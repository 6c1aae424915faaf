import type { Guard } from '../guard.ts';
import type { Instance, StatePredicate } from '../instances.ts';
import type {
  CompiledProperties,
  CompiledProperty,
  JudgedPredicates,
  Judgement,
} from '../judgements.ts';
import type { StateGraph } from '../liveness/graph.ts';
import type { LeadsToJudgement } from '../liveness/leads-to.ts';
import type { Obligations } from '../liveness/obligations.ts';
import type { LeadsTo } from '../liveness/pending.ts';
import type { Resumable } from '../liveness/resumable.ts';
import type { Model, SlotKind } from '../model.ts';
import type { CheckOptions } from '../options.ts';
import type { CheckResult, SymmetryReport } from '../result.ts';
import type { ColumnTable } from '../values/columns.ts';
import type { Layout } from '../values/layout.ts';
import type { QueueOperations } from '../values/queue-operations.ts';
import type { Section, Slot, SlotTable } from '../values/slots.ts';

/**
 * A way to search fewer states and still find the right verdicts. Each is a folder beside this file
 * and a row of the table in `table.ts`; the rest of the checker knows these interfaces only.
 *
 * There are two ways to reduce, and a reduction may do either:
 *
 * - `orbits`: states are canonicalised, so that one representative is stored for each orbit.
 * - `ample`: in some states a subset of the enabled steps is expanded, an ample set.
 */
export interface ReductionKind {
  /** Its name in messages and reports. */
  readonly name: string;
  /**
   * Decides whether, and how far, one check can use it. Throws `CheckerError` if what the model
   * declares does not fit the model or the options.
   */
  decide<State>(context: ReductionContext<State>): Decision<State>;
  /** The options of a second search, which does without it. */
  without<State>(options: CheckOptions<State>): CheckOptions<State>;
  /** What the user may try if a limit was hit, as the end of "..., or ..."; null: nothing. */
  advice<State>(options: CheckOptions<State>): string | null;
  /** What a result says about it. */
  undecided(result: CheckResult): UndecidedProperties;
}

/** What a reduction is decided on. */
export interface ReductionContext<State> {
  readonly options: CheckOptions<State>;
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
  readonly compiled: CompiledProperties<State>;
  /** Large models have many images, so looks at the limits meanwhile. */
  readonly guard: Guard;
  /** Reductions of the table's earlier rows. */
  readonly applied: readonly Reduction<State>[];
  /** Lets engines evaluate a predicate of the reduction; returns its number. */
  addStatePredicate(predicate: StatePredicate<State>): number;
}

export interface Decision<State> {
  /** Null: this check does without it. */
  readonly reduction: Reduction<State> | null;
  /** Its fields of the result. */
  report(outcome: ReductionOutcome): ReductionFields;
}

/** Names of the properties that the reduced graph did not decide. */
export interface UndecidedProperties {
  /** Decided by a second search without the reduction. */
  readonly judgedWithout: readonly string[];
  /** Not decided, as no second search was wanted. */
  readonly leftOpen: readonly string[];
}

export interface ReductionOutcome extends UndecidedProperties {
  /** States in which an ample set was expanded. */
  readonly reducedStates: number;
}

export type SymmetryShown = NonNullable<SymmetryReport['shown']>;

export type ReductionFields = Partial<
  Pick<CheckResult, 'symmetry' | 'confluence' | 'partialOrder'>
>;

/** A reduction in one check. */
export interface Reduction<State> {
  readonly kind: ReductionKind;
  /** Null: states are stored as they are. */
  readonly orbits: Orbits<State> | null;
  /** Makes the selector of an engine. Null: all enabled steps are expanded. */
  readonly ample: ((engine: EngineView) => AmpleSelector<State>) | null;
  /** Null: a second search decides what this one leaves undecided. Else why nothing does. */
  readonly leavesOpen: string | null;
}

/** The reductions that one check applies. */
export interface Reductions<State> {
  /** In the order of the table. */
  readonly applied: readonly Reduction<State>[];
  /** Those of the one reduction that has some. */
  readonly orbits: Orbits<State> | null;
}

export const NO_REDUCTIONS: Reductions<never> = { applied: [], orbits: null };

/**
 * A group of renamings, by number; number 0 renames nothing. A search stores one representative of
 * each orbit. A renaming takes runs to runs, and violations to violations.
 */
export interface Orbits<State> {
  /** How many renamings there are, or the largest safe integer if there are more. */
  readonly size: number;
  /** Renamings below this number can be tried one by one. They are all if there are few. */
  readonly listed: number;
  /** A renaming other than number 0, another one for another seed. */
  any(seed: number): number;
  /** The renaming that does what the first one does, and then what the second one does. */
  product(first: number, second: number): number;
  /** The number of the renamed instance. */
  instance(renaming: number, instance: number): number;
  /** The renamed judgement; its property is the same. */
  judgement(renaming: number, judgement: Judgement): Judgement;
  /** The judgement under all renamings. */
  imagesOf(judgement: Judgement): ReadonlySet<Judgement>;
  /** The renamed key of an entry of a section, and the renamed value of an entry or section. */
  key(renaming: number, section: string, key: string): string;
  value(renaming: number, section: string, value: unknown): unknown;
  /** The canonical text of the renamed state. */
  text(renaming: number, state: State): string;
  state(renaming: number, state: State): State;
  /**
   * Renamings that take the one state to the other, none if there are none. If not all renamings
   * are listed, these differ by exchanges of members that are alike.
   */
  between(one: State, other: State): Iterable<number>;
  /** Canonicalises packed rows, for the tracked engine. */
  canonicalizer(slots: SlotTable): RowCanonicalizer;
  /**
   * From now on renamings of rows have numbers, as liveness needs them. A search needs less memory.
   */
  numberRenamings(): void;
  /**
   * Judges leads-tos on the graph of representatives. `fair: null` is always right; other answers
   * mean that the quotient graph does not decide it.
   */
  judgeLeadsTo(task: QuotientTask): Resumable<readonly LeadsToJudgement[]>;
  /**
   * The predicates of the properties. They throw `DefectError` where they depend on names that the
   * renamings exchange.
   */
  readonly audited: JudgedPredicates<State>;
  /**
   * Those under which an engine is to run reducers again. None: they are known to make no
   * difference.
   */
  readonly renamedSteps: readonly RenamedSteps<State>[];
  /** How it is known that the model has the symmetry, as far as steps of this search show it. */
  readonly shown: SymmetryShown;
  /** Executes a renamed transition by plain `produce`. Throws `DefectError` if it differs. */
  audit(transition: AuditedTransition<State>): void;
}

/** One renaming of the names in a state, and the way back. */
export interface NameMap {
  readonly slots: Readonly<Record<string, SlotKind>>;
  renameKey(section: string, key: string): string;
  /** The key that `renameKey` takes to this one. */
  originalKey(section: string, key: string): string;
  renameValue(section: string, value: unknown): unknown;
}

/** A renaming under which reducers are run again. */
export interface RenamedSteps<State> {
  readonly names: NameMap;
  /** The number of the renamed instance. */
  instance(instance: number): number;
  /**
   * By plain `produce`: throws `DefectError` unless what the instance does in the state, renamed,
   * is what the renamed instance does in the renamed state, or what one does that is as good.
   */
  audit(state: State, instance: number): void;
}

export interface RowCanonicalizer {
  /** Whether `canonicalize` learns from the rows that it is given. Else only `takeIn` learns. */
  readonly learnsFromRows: boolean;
  /** Grows whenever `canonicalize` learns something. */
  readonly learnt: number;
  /** Whether slots and values were added that it has not taken in. */
  readonly isBehind: boolean;
  /** Takes in slots and values that were added; false if there were none. */
  takeIn(): boolean;
  /**
   * Replaces the row at `row` by its representative; returns the renaming that leads there. If it
   * has added slots or values, it returns -1 instead and leaves the row as it is; call `takeIn`
   * then.
   */
  canonicalize(rows: Int32Array, row: number, layout: Layout): number;
  /** The representative of a state given as local numbers by slot. */
  representative(state: readonly number[]): readonly number[];
}

export interface QuotientTask {
  readonly graph: StateGraph;
  readonly obligations: Obligations;
  readonly questions: ReadonlyMap<Judgement, LeadsTo>;
  /** By transition of the last call of `successors`: the renaming that leads to its target. */
  readonly renamings: () => Int32Array;
  /** As for `judgeLeadsTo`. */
  readonly restingFirst: boolean;
}

export interface AuditedTransition<State> {
  readonly before: State;
  readonly instance: number;
  readonly after: State;
  /** Transitions audited so far: picks the renaming to be tried. */
  readonly audited: number;
  readonly images: StateImages<State>;
}

/** Deep-frozen states in canonical form under renamings. */
export interface StateImages<State> {
  image(renaming: number, state: State): State;
  /** Whether the renaming takes the one state to the other. */
  takes(renaming: number, one: State, other: State): boolean;
}

/** What a selector may ask the engine about the loaded state. */
export interface EngineView {
  /** Evaluates a state predicate. */
  test(predicate: number): boolean;
  /** The slots that an effect writes. */
  writes(effect: number): readonly Slot[];
  /** The slot that an instance reads first; null if it was not run yet. */
  firstRead(instance: number): Slot | null;
  /** Whether a state predicate has ever read anything in these sections. */
  dependsOn(predicate: number, sections: ReadonlySet<string>): boolean;
  /** The slots that a state predicate has ever read. */
  reads(predicate: number): ReadonlySet<Slot>;
  /** Grows whenever a state predicate has read something new. */
  readonly readings: number;
  /** The number of that state. */
  readonly loaded: number;
  /**
   * The instances with an effect in it, which may change nothing there. Valid until the next call.
   */
  enabled(): Int32Array;
  /**
   * A number for what the instance has read, and did, in the loaded state: the same number means
   * the same view. 0: it is not known.
   */
  place(instance: number): number;
  /** What that number stands for. */
  view(instance: number): View;
  /** The local number of a slot in the loaded state. */
  local(slot: number): number;
  readonly learnt: Learnt;
}

/** What an instance reads in a state, and what it does there. */
export interface View {
  /** Columns, in the order of reading, and what they answered. */
  readonly columns: readonly number[];
  readonly answers: readonly number[];
  /** Slots and the local numbers of their new values. */
  readonly writes: readonly (readonly [slot: number, local: number])[];
  /** Numbers of queue operations. */
  readonly operations: readonly number[];
}

/** The slots, columns and queue operations that an engine knows so far. */
export interface Learnt {
  readonly slots: SlotTable;
  readonly columns: ColumnTable;
  readonly operations: QueueOperations;
}

/** What a predicate has read. */
export interface Reads {
  readonly slots: readonly Slot[];
  /** Sections whose keys were enumerated. */
  readonly sections: ReadonlySet<Section>;
  /** For step predicates: whether it asked which action is judged. */
  readonly action: boolean;
}

/** The graph that a search explores, with ample sets. */
export interface ReducedGraph<State> extends StateGraph {
  /** Of the last state expanded: the selector whose ample set it was; null: all enabled steps. */
  readonly reducedBy: AmpleSelector<State> | null;
}

/** `AmpleSelector.select` has no proper ample set: all enabled steps are needed. */
export const ALL_STEPS = -1;

/** What a selector has noted of a search, for its continuation. */
export interface SelectorNotes {
  readonly reducedStates: number;
  /** Instances that stay enabled after a step that is reduced. */
  readonly dependent: readonly number[];
  /** Step rules, by property, that were judged on steps that are reduced. */
  readonly judging: readonly number[];
}

/** A state that is to be expanded again. */
export interface Revision {
  readonly state: number;
  /** The instances whose steps were taken before. */
  readonly known: readonly number[];
}

/** Selects ample sets for one engine, and notes to which properties the reduction is visible. */
export interface AmpleSelector<State> {
  readonly reduction: Reduction<State>;
  /** States that were expanded by its ample sets. */
  readonly reducedStates: number;
  /**
   * Moves an ample set to the front of the first `count` elements and returns its size, or returns
   * `ALL_STEPS` and leaves them as they are. Runs in the inner loop of the search: it must not
   * allocate. An ample set whose steps all change nothing is ignored by the engine.
   */
  select(instances: Int32Array, effects: Int32Array, count: number): number;
  /**
   * The reducer of an instance was run and had this view; it enumerated the keys of these sections.
   */
  actionLearnt(instance: number, view: View, sections: ReadonlySet<Section>): void;
  /** A step predicate was evaluated for a transition of the instance, and read this. */
  stepPredicateRead(predicate: number, instance: number, reads: Reads): void;
  /** By instance: whether its steps may be ample sets. */
  readonly reducing: readonly boolean[];
  /**
   * A step rule, by the number of its property, is judged on steps of ample sets: it names their
   * action, or it was judged on such a step, or would be if the step were taken in another state.
   */
  stepRuleJudged(property: number): void;
  /**
   * Whether the ample set of the loaded state meets the proviso of the search, now that its steps
   * lead to these states. If not, it gives all enabled steps from now on.
   */
  accepts(targets: Int32Array, count: number): boolean;
  /**
   * States whose ample sets turned out to be too small, when all states were expanded. For these it
   * now gives more steps. The search takes them, and asks again.
   */
  revise(graph: StateGraph): Resumable<readonly Revision[]>;
  /**
   * The search has expanded the state by an ample set. Throws `DefectError` if the other steps are
   * ignored on a cycle.
   */
  expanded(graph: ReducedGraph<State>, state: number, foundNewState: boolean): void;
  /**
   * Whether the reduction is visible to the property: states that were left out may be judged
   * otherwise. Asked after the search.
   */
  isVisibleTo(compiled: CompiledProperty<State>): boolean;
  /**
   * Whether the graph violates the cycle proviso, so that its fair runs may not be those of the
   * full graph. Asked after the search.
   *
   * @param isReduced asked after `graph.successors`: whether it gave an ample set of this selector.
   */
  violatesCycleProviso(graph: StateGraph, isReduced: () => boolean): Resumable<boolean>;
  /**
   * What it has noted during the search, as JSON. What it was told by `stepPredicateRead` is not.
   */
  notes(): SelectorNotes;
  /** Call this before the search, after everything that predicates have read was told again. */
  restore(notes: SelectorNotes): void;
  /** Executes by plain `produce` what the state's ample set left out. Throws `DefectError`. */
  audit(state: State): void;
}
