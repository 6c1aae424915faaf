import type { Draft } from 'immer';
import { defectOf, LimitHitError, NondeterminismError } from '../errors.ts';
import { type Guard, UNGUARDED } from '../guard.ts';
import type { Parameters } from '../model.ts';
import type { AmpleSelector } from '../reductions/reduction.ts';
import { ColumnTable, NO_SLOT_COLUMN } from '../values/columns.ts';
import { QueueOperations } from '../values/queue-operations.ts';
import { type Section, type Slot, SlotTable } from '../values/slots.ts';
import { type Readings, Tries } from '../values/tries.ts';
import { AfterSource, localsAfter } from './after-source.ts';
import { Dependencies } from './dependencies.ts';
import { baseOf, DraftRun, type Outcome } from './draft-run.ts';
import { Effects, NO_EFFECT } from './effects.ts';
import type { Question } from './engine.ts';
import type { LearningLog } from './learning-log.ts';
import { isSameReading, type Locals, Recording } from './recording.ts';
import { RenamedRuns } from './renamed-runs.ts';
import { isRunTwice, viewsOf, withoutChance } from './second-runs.ts';
import { WatchedAction } from './seeking/watched-action.ts';
import type { LearntPath, LessonNotes } from './sharing/lessons.ts';
import { Independence } from './sleep/independence.ts';
import { viewState } from './view.ts';

/** Leaves of predicate tries. */
export const FALSE = 0;
export const TRUE = 1;
/** Of a step predicate that throws if it is asked of a step that changes nothing. */
export const THREW = 2;
/** As stored in a node. */
export const TRUE_LEAF = ~TRUE;
export const THREW_LEAF = ~THREW;

/** In the tries of step predicates, the number of the action instance. */
export const INSTANCE_COLUMN = NO_SLOT_COLUMN;
/** In the tries of step predicates, the number of the effect; only if selectors are told of it. */
export const EFFECT_COLUMN = ~NO_SLOT_COLUMN;

/**
 * What is known about the model so far. Where the tries have no answer, it runs reducers and
 * predicates and adds what they read and did. It runs the first views of each action and property
 * twice, and a sample of the others, which finds most nondeterminism and leaked drafts. That the
 * tries do not contradict what is learnt later finds more.
 */
export class Learner<State> {
  readonly guard: Guard;
  /** Null: nobody wants to know in which order it learns. */
  log: LearningLog | null = null;
  /** Null: no replica takes over what it learns. */
  notes: LessonNotes | null = null;
  readonly slots: SlotTable;
  readonly operations: QueueOperations;
  readonly columns: ColumnTable;
  /** Of the state after a step. */
  readonly columnsAfter: ColumnTable;
  readonly effects: Effects;
  readonly independence: Independence;
  readonly tries: Tries;
  /** Of the state predicates. */
  readonly dependencies: Dependencies;
  /** Of the step predicates: what they read of the state before or after a step. */
  readonly stepDependencies: Dependencies;
  /** By instance: its action for step predicates, once it was needed. */
  private readonly actions: WatchedAction[] = [];
  /** By step predicate: 1 if it has ever looked at the action. */
  readonly readsAction: Uint8Array;
  /** They receive what reducers and step predicates read. */
  readers: readonly Pick<AmpleSelector<State>, 'actionLearnt' | 'stepPredicateRead'>[] = [];
  private readonly views: ReturnType<typeof viewsOf>;
  /** Runs of reducers, by action instance. */
  readonly reducerRuns: Float64Array;
  private readonly question: Question<State>;
  /** Tries that depend on the set of keys of a section. */
  private readonly enumerators = new Map<Section, Set<number>>();
  private readonly outdated = new Set<Section>();
  /** How often a trie was dropped. What was compiled from the tries before then may be wrong. */
  drops = 0;
  /** How many entries have been present for a first time: tries may have been dropped then. */
  presences = 0;
  /** Of the state that reducers are run in. It has all slots, so it is made once for a state. */
  private base: readonly unknown[] | null = null;
  /** Null: no renamings are audited. */
  private readonly renamed: RenamedRuns<State> | null;

  constructor(question: Question<State>) {
    const { instances, statePredicates, stepPredicates, model } = question;
    this.question = question;
    this.guard = question.guard ?? UNGUARDED;
    this.views = viewsOf(model.family);
    this.slots = new SlotTable(model.slots);
    this.operations = new QueueOperations(this.slots);
    this.columns = new ColumnTable(this.slots);
    this.columnsAfter = new ColumnTable(this.slots);
    this.effects = new Effects(this.operations, this.guard);
    this.independence = new Independence(instances.length, this.guard);
    this.dependencies = new Dependencies(statePredicates.length, this.guard);
    this.stepDependencies = new Dependencies(stepPredicates.length, this.guard);
    this.readsAction = new Uint8Array(stepPredicates.length);
    this.tries = new Tries(
      instances.length + statePredicates.length + stepPredicates.length,
      this.guard,
    );
    this.reducerRuns = new Float64Array(instances.length);
    this.renamed = RenamedRuns.of(question, this.slots, this.columns);
    this.slots.onFirstPresence = (section) => {
      this.presences++;
      this.outdated.add(section);
      this.dependencies.sectionGrew(section);
      this.stepDependencies.sectionGrew(section);
      this.independence.sectionGrew(section);
      for (const trie of this.enumerators.get(section) ?? []) {
        this.tries.drop(trie);
        this.notes?.dropped(trie);
        this.drops++;
      }
      this.enumerators.delete(section);
    };
  }

  /** From now on, notes what it learns. */
  noteLessons(notes: LessonNotes): void {
    this.notes = notes;
    this.operations.onNewResult = (operation, local) => notes.operation(operation, local);
  }

  /** Takes over what another learner of the same question has learnt. Its slots must be known. */
  takePath(path: LearntPath): void {
    const { instances, statePredicates } = this.question;
    const enumerated = path.sections.map((section) => this.slots.sections[section]!);
    if (!path.isDropped) this.learnPath(path.trie, path, path.leaf, enumerated);
    const predicate = path.trie - instances.length;
    if (predicate < 0) return;
    const step = predicate - statePredicates.length;
    const read = this.slotsRead(path);
    if (step < 0) this.dependencies.add(predicate, read, enumerated);
    else {
      if (path.columns.includes(INSTANCE_COLUMN)) this.readsAction[step] = 1;
      this.stepDependencies.add(step, read, enumerated);
    }
  }

  /** Call this before reducers are run in another state. */
  leaveState(): void {
    this.base = null;
  }

  /** The tries of action instances have the numbers of the instances. */
  predicateTrie(predicate: number): number {
    return this.question.instances.length + predicate;
  }

  stepTrie(predicate: number): number {
    const { instances, statePredicates } = this.question;
    return instances.length + statePredicates.length + predicate;
  }

  /** Runs a reducer and returns the number of its effect. */
  learnAction(number: number, locals: Locals): number {
    this.slots.demandLearning();
    const instance = this.question.instances[number]!;
    const { name, parameters } = instance.identity;
    this.reducerRuns[number]!++;
    return this.attributed(name, parameters, () =>
      this.untilStable(number, () => {
        const run = () => {
          const recording = new Recording(this.slots, this.columns, locals, this.guard);
          this.base ??= baseOf(this.slots, recording);
          const outcome = new DraftRun(this.slots, recording, this.base).run((draft) =>
            instance.reduce(draft as Draft<State>),
          );
          return { recording, outcome };
        };
        const { recording, outcome } = this.twice(name, run, ({ outcome }) => outcomeKey(outcome));
        const operations = outcome.queueChanges.map(([slot, change]) =>
          this.operations.number(slot, change),
        );
        const told = (): void => {
          const { columns, answers, enumerated } = recording;
          const view = { columns, answers, writes: outcome.writes, operations };
          for (const reader of this.readers) reader.actionLearnt(number, view, enumerated);
        };
        const leaf = this.effects.number(number, outcome.writes, operations);
        this.noteFootprint(number, recording, leaf === NO_EFFECT ? null : outcome);
        const read = this.renamed?.readings(number, recording, locals, this.base!) ?? recording;
        return { recording: read, leaf, told };
      }),
    );
  }

  /** Evaluates a state predicate; returns `TRUE` or `FALSE`. */
  learnPredicate(number: number, locals: Locals): number {
    this.slots.demandLearning();
    const { name, parameters, evaluate } = this.question.statePredicates[number]!;
    const trie = this.predicateTrie(number);
    return this.attributed(name, parameters, () =>
      this.untilStable(trie, () => {
        const run = () => {
          const recording = new Recording(this.slots, this.columns, locals, this.guard);
          const holds = Boolean(evaluate(viewState(this.slots, recording) as State));
          recording.close();
          return { recording, leaf: holds ? TRUE : FALSE };
        };
        const answer = this.twice(name, run, ({ leaf }) => String(leaf));
        const { recording } = answer;
        this.dependencies.add(number, this.slotsRead(recording), recording.enumerated);
        return answer;
      }),
    );
  }

  /**
   * Evaluates a step predicate for an effect of an instance; `locals` are those of the state
   * before. Returns `TRUE` or `FALSE`; or `THREW`, if it throws for a step that changes nothing: no
   * search has such steps, so that is no defect.
   */
  learnStep(number: number, instance: number, effect: number, locals: Locals): number {
    this.slots.demandLearning();
    const { name, parameters, evaluate } = this.question.stepPredicates[number]!;
    const { identity } = this.question.instances[instance]!;
    this.actions[instance] ??= new WatchedAction(identity, INSTANCE_COLUMN, instance);
    const watched = this.actions[instance]!;
    const after = localsAfter(effect, this.effects, this.operations, locals);
    return this.attributed(name, parameters, () =>
      this.untilStable(this.stepTrie(number), () => {
        const run = () => {
          const recording = new Recording(this.slots, this.columns, locals, this.guard);
          const source = new AfterSource(recording, this.slots, this.columnsAfter, after);
          if (this.readers.length > 0) {
            // What was read is told by instance and effect, so they share nothing.
            recording.noteAnswer(INSTANCE_COLUMN, instance);
            recording.noteAnswer(EFFECT_COLUMN, effect);
          }
          const beforeState = viewState(this.slots, recording) as State;
          const afterState = viewState(this.slots, source) as State;
          const action = watched.enter(recording);
          let leaf: number;
          try {
            leaf = evaluate(beforeState, action, afterState) ? TRUE : FALSE;
          } catch (error) {
            this.guard.confirm();
            if (effect !== NO_EFFECT || error instanceof LimitHitError) throw error;
            leaf = THREW;
          }
          recording.close();
          return { recording, leaf, readsAction: watched.wasRead };
        };
        const answer = this.twice(name, run, ({ leaf }) => String(leaf));
        this.noteStep(number, instance, effect, answer);
        return answer;
      }),
    );
  }

  /** The slot that a reducer reads first; null if it was not run yet. */
  firstRead(instance: number): Slot | null {
    const { roots, nodes } = this.tries;
    const root = roots[instance]!;
    return root > 0 ? this.columns.slot(nodes[root]!) : null;
  }

  /** @param outcome null: there is no effect. */
  private noteFootprint(instance: number, recording: Recording, outcome: Outcome | null): void {
    const { independence } = this;
    const read = this.slotsRead(recording).map((slot) => slot.number);
    if (outcome === null) {
      independence.noteSeen(instance, read);
      return;
    }
    const written = outcome.writes.map(([slot]) => slot);
    for (const [slot] of outcome.queueChanges) written.push(slot.number);
    independence.note(instance, read, recording.enumerated, written);
  }

  /** The slots that were read, of the state before or after a step. */
  private slotsRead({ columns }: Pick<Readings, 'columns'>): readonly Slot[] {
    const slots: Slot[] = [];
    for (const column of columns) {
      if (column === INSTANCE_COLUMN || column === EFFECT_COLUMN) continue;
      slots.push(column > 0 ? this.columns.slot(column) : this.columnsAfter.slot(~column));
    }
    return slots;
  }

  private noteStep(
    predicate: number,
    instance: number,
    effect: number,
    { recording, readsAction }: { readonly recording: Recording; readonly readsAction: boolean },
  ): void {
    if (readsAction) this.readsAction[predicate] = 1;
    this.stepDependencies.add(predicate, this.slotsRead(recording), recording.enumerated);
    if (this.readers.length === 0) return;
    // The effect alone determines the slots that it writes.
    const written = new Set(this.effects.list[effect]!.writes.map(([slot]) => slot));
    const unwritten = recording.columns.filter(
      (column) =>
        column !== INSTANCE_COLUMN &&
        column !== EFFECT_COLUMN &&
        (column > 0 || !written.has(this.columnsAfter.slot(~column).number)),
    );
    const slots = unwritten.map((column) =>
      column > 0 ? this.columns.slot(column) : this.columnsAfter.slot(~column),
    );
    const reads = { slots, sections: recording.enumerated, action: readsAction };
    for (const reader of this.readers) reader.stepPredicateRead(predicate, instance, reads);
  }

  /**
   * Repeats the run if it has made a key present for the first time: an enumeration that it made
   * before is incomplete.
   */
  private untilStable(
    trie: number,
    run: () => {
      readonly recording: Recording;
      readonly leaf: number;
      readonly told?: () => void;
    },
  ): number {
    for (;;) {
      this.outdated.clear();
      this.guard.look();
      const { recording, leaf, told } = run();
      const { columns, answers, enumerated } = recording;
      const isDropped =
        this.outdated.size > 0 && [...enumerated].some((section) => this.outdated.has(section));
      this.notes?.path({
        ...{ trie, columns, answers, leaf, isDropped },
        sections: Array.from(enumerated, ({ number }) => number),
      });
      if (isDropped) continue;
      this.learnPath(trie, recording, leaf, enumerated);
      told?.();
      return leaf;
    }
  }

  private learnPath(
    trie: number,
    readings: Readings,
    leaf: number,
    enumerated: Iterable<Section>,
  ): void {
    this.tries.learn(trie, readings, leaf);
    for (const section of enumerated) {
      const known = this.enumerators.get(section);
      if (known === undefined) this.enumerators.set(section, new Set([trie]));
      else known.add(trie);
    }
  }

  /** Runs it a second time if that is due, to compare. */
  private twice<Result extends { readonly recording: Recording }>(
    culprit: string,
    run: () => Result,
    key: (result: Result) => string,
  ): Result {
    const view = this.views.next(culprit);
    const first = run();
    if (!isRunTwice(view)) {
      this.guard.confirm();
      return first;
    }
    // A new key makes the second run enumerate more. The caller then repeats both.
    const keysKnown = this.outdated.size;
    const second = withoutChance(run);
    this.guard.confirm();
    if (keysKnown > 0) return second;
    if (!isSameReading(first.recording, second.recording) || key(first) !== key(second)) {
      throw new NondeterminismError(
        'two runs in the same state read or did different things; it must depend on its arguments only',
      );
    }
    return second;
  }

  private attributed<Result>(culprit: string, parameters: Parameters, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      this.guard.confirm();
      throw defectOf(error, culprit, parameters);
    }
  }
}

function outcomeKey({ writes, queueChanges }: Outcome): string {
  return JSON.stringify([writes, queueChanges.map(([slot, change]) => [slot.number, change])]);
}
