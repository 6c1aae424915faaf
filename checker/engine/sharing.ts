import type { RowCanonicalizer } from '../reductions/reduction.ts';
import type { Encoding } from './encoding.ts';
import type { Firing } from './firing.ts';
import type { Learner } from './learner.ts';
import { LearningLog } from './learning-log.ts';
import type { ObservedStep } from './observed-step.ts';
import type { StoreMemory } from './state-store.ts';
import type { StepSieve } from './step-sieve.ts';

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
}

/** What a replica needs to follow its engine, since the update before. It can be sent to a thread. */
export interface EngineUpdate {
  /** Events of a `LearningLog`. */
  readonly learnt: Int32Array;
  /** Null: rows, table and layout are where and as they were. */
  readonly store: {
    readonly memory: StoreMemory;
    /** Bits by slot, and the slots of each word. */
    readonly bits: readonly number[];
    readonly slots: readonly (readonly number[])[];
  } | null;
  /** How much the engine knows: see `amountKnown`. */
  readonly known: readonly number[];
  /** See `EngineSharing.generation`. */
  readonly generation: number;
  /** See `StepSieve.notQuiet`. */
  readonly notQuiet: Int32Array;
}

/** What a replica has found out about a state, in `words`. */
export interface Foreseen {
  /** How many transitions the state has; their instances begin at `instances`. */
  readonly fired: number;
  readonly instances: number;
  /** How many targets the replica did not know; each is a hash and a row, from `targets` on. */
  readonly unknown: number;
  readonly targets: number;
}

/**
 * An engine that others follow. Only this engine learns and stores. A replica learns the same again,
 * in the same order, so that all numbers mean the same in both. What a replica says of a state is true
 * for good, as knowledge is only added, but for two things that the generation counts.
 */
export class EngineSharing<State> {
  private readonly parts: EngineParts<State>;
  private readonly log: LearningLog;
  private sentWords = 0;
  private sentChanges = 0;
  private sentRows: Int32Array | null = null;
  private sentTable: Int32Array | null = null;

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
    parts.learner.log ??= new LearningLog();
    this.log = parts.learner.log;
  }

  /**
   * Another number after rows were re-encoded, or after tries may have been dropped. Then what
   * replicas have found out before does not count: rows do not fit, and the engine itself would learn.
   */
  get generation(): number {
    return this.parts.encoding.layoutChanges + this.parts.learner.presences;
  }

  /** Whether the engine is about to learn, whatever state it expands next. */
  get isBehind(): boolean {
    return this.parts.canonicalizer?.isBehind === true;
  }

  /** Whether replicas need an update before they read the states that were stored since the last one. */
  get hasUpdate(): boolean {
    const isLouder = this.parts.sieve.changes !== this.sentChanges;
    return isLouder || this.log.words.length !== this.sentWords || this.hasMoved;
  }

  private get hasMoved(): boolean {
    const { memory } = this.parts.encoding.store;
    return memory.rows !== this.sentRows || memory.table !== this.sentTable;
  }

  /** What was added since the last call. */
  update(): EngineUpdate {
    const { encoding, learner, sieve } = this.parts;
    const { words } = this.log;
    const { memory } = encoding.store;
    const { hasMoved } = this;
    const learnt = Int32Array.from(words.slice(this.sentWords));
    this.sentWords = words.length;
    this.sentChanges = sieve.changes;
    this.sentRows = memory.rows;
    this.sentTable = memory.table;
    const { mask, slots } = encoding.layout;
    const bits = Array.from(mask, (one) => 32 - Math.clz32(one));
    const store = hasMoved ? { memory, bits, slots } : null;
    return {
      learnt,
      store,
      known: amountKnown(learner),
      generation: this.generation,
      notQuiet: sieve.notQuiet,
    };
  }

  /** Of a hash and a row. */
  get targetWords(): number {
    return 1 + this.parts.encoding.store.width;
  }

  /**
   * Fetches where `adopt` will look for a target with this hash. Called for many targets, it waits for
   * the memory only once.
   */
  readonly touch = (hash: number): void => this.parts.encoding.store.touch(hash);

  /** Takes over what a replica has found out about a state. Throws `LimitHitError`. */
  adopt(state: number, { fired, instances, unknown, targets }: Foreseen, words: Int32Array): void {
    const { transitions } = this.parts;
    const { store } = this.parts.encoding;
    let at = targets;
    for (let index = 0; index < unknown; index++) {
      store.put(index, words[at]!, words, at + 1);
      at += 1 + store.width;
    }
    store.insertAll(unknown, state, fired);
    for (let index = 0; index < fired; index++) transitions[words[instances + index]!]!++;
  }
}

/** The numbers of slots and values, interned values, effects, columns. */
export function amountKnown<State>({ slots, effects, columns }: Learner<State>): readonly number[] {
  return [slots.version, slots.interner.values.length, effects.list.length, columns.count];
}
