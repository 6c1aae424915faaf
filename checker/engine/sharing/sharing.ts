import type { RowCanonicalizer } from '../../reductions/reduction.ts';
import type { Encoding } from '../encoding.ts';
import type { Firing } from '../firing.ts';
import type { Learner } from '../learner.ts';
import type { ObservedStep } from '../observed-step.ts';
import { countMembers, type SleepSets } from '../sleep/sleep-sets.ts';
import type { StoreMemory } from '../state-store.ts';
import type { StepSieve } from '../step-sieve.ts';
import { type Knowledge, KnowledgeSender } from './knowledge.ts';

/** The parts of an engine that replicas need. */
export interface EngineParts<State> {
  readonly learner: Learner<State>;
  readonly encoding: Encoding<State>;
  readonly firing: Firing<State>;
  readonly canonicalizer: RowCanonicalizer | null;
  /** By instance. */
  readonly transitions: Float64Array;
  readonly sieve: StepSieve<State>;
  readonly step: ObservedStep<State>;
  /**
   * Its sleep sets; null: it looks up each step. `use` lets it have some if steps may be left out.
   */
  readonly sleep: { readonly sets: () => SleepSets | null; readonly use: () => void };
}

/**
 * What a replica needs to follow its engine, since the update before. It can be sent to a thread.
 */
export interface EngineUpdate {
  readonly learnt: Knowledge;
  /** Null: rows and layout are where and as they were. */
  readonly store: {
    readonly memory: StoreMemory;
    /** Bits by slot, and the slots of each word. */
    readonly bits: readonly number[];
    readonly slots: readonly (readonly number[])[];
  } | null;
  /** Memory of its sleep sets; null: there are none. */
  readonly asleep: Int32Array | null;
  /** How much the engine knows: see `amountKnown`. */
  readonly known: readonly number[];
  /** See `StepSieve.notQuiet`. */
  readonly notQuiet: Int32Array;
}

/** What a replica has found out about a state, in `words`. */
export interface Foreseen {
  /**
   * How many steps are to be looked up. Their instances begin at `instances`, and their targets at
   * `targets`: each is a hash and a row.
   */
  readonly fired: number;
  readonly instances: number;
  readonly targets: number;
  /** Where the set of the steps begins that are not to be looked up. */
  readonly asleep: number;
}

/**
 * An engine that others follow. Only this engine learns and stores. A replica takes over what was
 * learnt, in the same order, so that all numbers mean the same in both. What a replica says of a
 * state is true for good, as knowledge is only added, but for two things that the generation
 * counts.
 */
export class EngineSharing<State> {
  private readonly parts: EngineParts<State>;
  private readonly knowledge: KnowledgeSender<State>;
  private sentChanges = 0;
  private sentRows: Int32Array | null = null;
  private sentAsleep: Int32Array | null = null;

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
    this.knowledge = new KnowledgeSender(parts.learner);
  }

  /**
   * Once there is another number, what replicas have found out before does not count: rows do not
   * fit, or the engine itself would learn.
   */
  get generation(): number {
    return this.parts.firing.generation;
  }

  /** Whether the engine is about to learn, whatever state it expands next. */
  get isBehind(): boolean {
    return this.parts.canonicalizer?.isBehind === true;
  }

  /**
   * Whether replicas need an update before they read the states that were stored since the last
   * one.
   */
  get hasUpdate(): boolean {
    const isLouder = this.parts.sieve.changes !== this.sentChanges;
    return isLouder || this.knowledge.hasMore || this.hasMoved;
  }

  private get hasMoved(): boolean {
    const { encoding, sleep } = this.parts;
    // Predecessors move together with the rows.
    return (
      encoding.store.rows !== this.sentRows || (sleep.sets()?.memory ?? null) !== this.sentAsleep
    );
  }

  /** What was added since the last call. Call it only if the engine is not behind. */
  update(): EngineUpdate {
    const { encoding, learner, sieve, sleep } = this.parts;
    const { memory } = encoding.store;
    const { hasMoved } = this;
    const learnt = this.knowledge.take();
    this.sentChanges = sieve.changes;
    this.sentRows = memory.rows;
    this.sentAsleep = sleep.sets()?.memory ?? null;
    const { mask, slots } = encoding.layout;
    const bits = Array.from(mask, (one) => 32 - Math.clz32(one));
    const store = hasMoved ? { memory, bits, slots } : null;
    return {
      learnt,
      store,
      asleep: this.sentAsleep,
      known: amountKnown(learner),
      notQuiet: sieve.notQuiet,
    };
  }

  /** Of a hash and a row. */
  get targetWords(): number {
    return 1 + this.parts.encoding.store.width;
  }

  /** Of a set of steps that are not to be looked up. */
  get sleepWords(): number {
    return this.parts.sleep.sets()?.asleep.length ?? 0;
  }

  /** Fetches where `adopt` will look for targets with the first `count` of these hashes. */
  fetch(hashes: Int32Array, count: number): void {
    this.parts.encoding.store.touch(hashes, 0, count);
  }

  /**
   * Takes over what a replica has found out about a state. Returns the number of its transitions.
   * Throws `LimitHitError`.
   */
  adopt(state: number, foreseen: Foreseen, words: Int32Array): number {
    const { fired, instances, targets, asleep } = foreseen;
    const { transitions, encoding } = this.parts;
    const { store } = encoding;
    const size = 1 + store.width;
    for (let index = 0, at = targets; index < fired; index++, at += size) {
      store.put(index, words[at]!, words, at + 1);
    }
    const firstNew = store.count;
    store.insertAll(fired, state);
    for (let index = 0; index < fired; index++) transitions[words[instances + index]!]!++;
    const sleep = this.parts.sleep.sets();
    if (sleep === null) return fired;
    sleep.enterExpanded(state);
    if (store.count > firstNew) sleep.pass(words, instances, fired, store.found, firstNew);
    return fired + countMembers(words, asleep, sleep.asleep.length, transitions);
  }
}

/** The numbers of slots and values, interned values, effects, columns. */
export function amountKnown<State>({ slots, effects, columns }: Learner<State>): readonly number[] {
  return [slots.version, slots.interner.values.length, effects.list.length, columns.count];
}
