import type { Draft } from 'immer';
import { defectOf, NondeterminismError } from '../errors.ts';
import { type Guard, UNGUARDED } from '../guard.ts';
import type { Parameters } from '../model.ts';
import type { ActionInstance } from '../property.ts';
import type { AmpleSelector } from '../reductions/reduction.ts';
import { ColumnTable, EFFECT_COLUMN } from '../values/columns.ts';
import { QueueOperations } from '../values/queue-operations.ts';
import { type Section, type Slot, SlotTable } from '../values/slots.ts';
import { Tries } from '../values/tries.ts';
import { AfterSource } from './after-source.ts';
import { Dependencies } from './dependencies.ts';
import { baseOf, DraftRun, type Outcome } from './draft-run.ts';
import { Effects } from './effects.ts';
import type { Question } from './engine.ts';
import type { LearningLog } from './learning-log.ts';
import { Recording } from './recording.ts';
import { viewState } from './view.ts';

/** Leaves of predicate tries. */
export const FALSE = 0;
export const TRUE = 1;
/** As stored in a node. */
export const TRUE_LEAF = ~TRUE;

/** The local numbers of the current state, by slot. */
export type Locals = (slot: number) => number;

/**
 * What is known about the model so far. Where the tries have no answer, it runs reducers and
 * predicates and adds what they read and did. It runs everything twice, which finds most
 * nondeterminism and leaked drafts.
 */
export class Learner<State> {
  readonly guard: Guard;
  /** Null: nobody wants to know in which order it learns. */
  log: LearningLog | null = null;
  readonly slots: SlotTable;
  readonly operations: QueueOperations;
  readonly columns: ColumnTable;
  readonly effects: Effects;
  readonly tries: Tries;
  /** Of the state predicates. */
  readonly dependencies: Dependencies;
  /** They receive what step predicates read. */
  readers: readonly Pick<AmpleSelector<State>, 'stepPredicateRead'>[] = [];
  /** Runs of reducers, by action instance. */
  readonly reducerRuns: Float64Array;
  private readonly question: Question<State>;
  /** Tries that depend on the set of keys of a section. */
  private readonly enumerators = new Map<Section, Set<number>>();
  private readonly outdated = new Set<Section>();
  private dropped = false;
  /** How many entries have been present for a first time: tries may have been dropped then. */
  presences = 0;
  /** Of the state that reducers are run in. It has all slots, so it is made once for a state. */
  private base: readonly unknown[] | null = null;

  constructor(question: Question<State>) {
    const { instances, statePredicates, stepPredicates, model } = question;
    this.question = question;
    this.guard = question.guard ?? UNGUARDED;
    this.slots = new SlotTable(model.slots);
    this.operations = new QueueOperations(this.slots);
    this.columns = new ColumnTable(this.slots, this.operations);
    this.effects = new Effects(this.operations, this.guard);
    this.dependencies = new Dependencies(statePredicates.length, this.columns, this.guard);
    this.tries = new Tries(
      instances.length + statePredicates.length + stepPredicates.length * instances.length,
      this.guard,
    );
    this.reducerRuns = new Float64Array(instances.length);
    this.slots.onFirstPresence = (section) => {
      this.presences++;
      this.outdated.add(section);
      this.dependencies.sectionGrew(section);
      for (const trie of this.enumerators.get(section) ?? []) {
        this.tries.drop(trie);
        this.dropped = true;
      }
      this.enumerators.delete(section);
    };
  }

  /** Call this before reducers are run in another state. */
  leaveState(): void {
    this.base = null;
  }

  /** Whether tries were dropped since the last call. */
  takeDropped(): boolean {
    const { dropped } = this;
    this.dropped = false;
    return dropped;
  }

  /** The tries of action instances have the numbers of the instances. */
  predicateTrie(predicate: number): number {
    return this.question.instances.length + predicate;
  }

  stepTrie(predicate: number, instance: number): number {
    const { instances, statePredicates } = this.question;
    return instances.length * (predicate + 1) + statePredicates.length + instance;
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
        const { recording, outcome } = this.twice(run, ({ outcome }) => outcomeKey(outcome));
        const operations = outcome.queueChanges.map(([slot, change]) =>
          this.operations.number(slot, change),
        );
        return { recording, leaf: this.effects.number(number, outcome.writes, operations) };
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
        const answer = this.twice(run, ({ leaf }) => String(leaf));
        this.dependencies.add(number, answer.recording);
        return answer;
      }),
    );
  }

  /**
   * Evaluates a step predicate for an effect of an instance; `locals` are those of the state
   * before.
   */
  learnStep(number: number, instance: number, effect: number, locals: Locals): number {
    this.slots.demandLearning();
    const { name, parameters, evaluate } = this.question.stepPredicates[number]!;
    const { identity } = this.question.instances[instance]!;
    const trie = this.stepTrie(number, instance);
    return this.attributed(name, parameters, () =>
      this.untilStable(trie, () => {
        const run = () => {
          const recording = new Recording(this.slots, this.columns, locals, this.guard);
          const after = new AfterSource(
            recording,
            this.slots,
            this.operations,
            this.effects,
            effect,
          );
          const beforeState = viewState(this.slots, recording) as State;
          const afterState = viewState(this.slots, after) as State;
          let readsAction = false;
          const action: ActionInstance = {
            get name() {
              readsAction = true;
              return identity.name;
            },
            get parameters() {
              readsAction = true;
              return identity.parameters;
            },
          };
          const holds = Boolean(evaluate(beforeState, action, afterState));
          recording.close();
          this.tellReaders(number, instance, recording, readsAction);
          return { recording, leaf: holds ? TRUE : FALSE };
        };
        return this.twice(run, ({ leaf }) => String(leaf));
      }),
    );
  }

  /** The slot that a reducer reads first; null if it was not run yet. */
  firstRead(instance: number): Slot | null {
    const { roots, nodes } = this.tries;
    const root = roots[instance]!;
    return root > 0 ? this.columns.slot(nodes[root]!) : null;
  }

  private tellReaders(
    predicate: number,
    instance: number,
    recording: Recording,
    action: boolean,
  ): void {
    if (this.readers.length === 0) return;
    const slots = recording.columns
      .filter((column) => column !== EFFECT_COLUMN)
      .map((column) => this.columns.slot(column));
    const reads = { slots, sections: recording.enumerated, action };
    for (const reader of this.readers) reader.stepPredicateRead(predicate, instance, reads);
  }

  /**
   * Repeats the run if it has made a key present for the first time: an enumeration that it made
   * before is incomplete.
   */
  private untilStable(
    trie: number,
    run: () => { readonly recording: Recording; readonly leaf: number },
  ): number {
    for (;;) {
      this.outdated.clear();
      this.guard.look();
      const { recording, leaf } = run();
      if ([...recording.enumerated].some((section) => this.outdated.has(section))) continue;
      this.tries.learn(trie, recording, leaf);
      for (const section of recording.enumerated) {
        const known = this.enumerators.get(section);
        if (known === undefined) this.enumerators.set(section, new Set([trie]));
        else known.add(trie);
      }
      return leaf;
    }
  }

  private twice<Result extends { readonly recording: Recording }>(
    run: () => Result,
    key: (result: Result) => string,
  ): Result {
    const first = run();
    const firstReadings = readingsKey(first.recording);
    // A new key makes the second run enumerate more. The caller then repeats both.
    const keysKnown = this.outdated.size;
    const second = run();
    this.guard.confirm();
    if (keysKnown > 0) return second;
    if (firstReadings !== readingsKey(second.recording) || key(first) !== key(second)) {
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

function readingsKey({ columns, answers }: Recording): string {
  return `${columns.join()} ${answers.join()}`;
}

function outcomeKey({ writes, queueChanges }: Outcome): string {
  return JSON.stringify([writes, queueChanges.map(([slot, change]) => [slot.number, change])]);
}
