import { NondeterminismError } from '../errors.ts';
import { Layout } from '../values/layout.ts';
import { relearn } from './relearning.ts';
import { amountKnown, type EngineParts, type EngineUpdate } from './sharing.ts';
import type { StateStore } from './state-store.ts';

/**
 * The other side of `EngineSharing`, in another thread: an engine that reads the states of the engine
 * that it follows. It stores nothing, and where it would have to learn, it throws `UnlearntError`.
 */
export class EngineReplica<State> {
  /** That of the last update. */
  generation = 0;
  private readonly parts: EngineParts<State>;
  private listed = new ListedTargets(1);
  private notQuiet: Int32Array = new Int32Array(0);

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
  }

  /**
   * Throws `NondeterminismError` if the model does not do again what it did, and what the model
   * throws.
   */
  follow({ learnt, store, known, generation, notQuiet }: EngineUpdate): void {
    const { learner, encoding, firing, canonicalizer } = this.parts;
    if (store !== null) {
      encoding.follow(new Layout(store.bits, store.slots), store.memory);
      this.listed = new ListedTargets(encoding.store.width);
    }
    const localIn = (state: number, slot: number): number => encoding.localIn(state, slot);
    learner.slots.isFrozen = false;
    relearn(learnt, { learner, canonicalizer, localIn });
    learner.slots.isFrozen = true;
    if (amountKnown(learner).join() !== known.join()) {
      throw new NondeterminismError(
        'in another thread it has read or done different things; it must depend on its arguments only',
      );
    }
    encoding.caughtUp();
    firing.caughtUp(learnt.length);
    this.generation = generation;
    this.notQuiet = notQuiet;
  }

  /** Call this before a state is foreseen: a new judge has asked anew. */
  enter(): void {
    this.parts.sieve.follow(this.notQuiet);
  }

  /** The states from this number on are unknown: they may not be stored as a whole. */
  set known(states: number) {
    this.parts.encoding.store.count = states;
  }

  /** After `foresee`: by transition, its instance. */
  get fired(): Int32Array {
    return this.parts.firing.fired;
  }

  /**
   * After `foresee`: puts the hash and the row of each target that is unknown into `words`, from `at`
   * on. Returns where they end; -1: there is no room. It leaves out targets that an earlier state has as
   * well: by the time that this state is taken over, the engine has stored them.
   */
  targets(count: number, words: Int32Array, at: number): number {
    const { store, loaded } = this.parts.encoding;
    const { found, next, width } = store;
    let end = at;
    for (let index = 0; index < count; index++) {
      if (found[index]! >= 0 || this.listed.has(store, index, loaded)) continue;
      if (end + 1 + width > words.length) return -1;
      words[end++] = store.hashOf(index);
      const start = index * width;
      for (let word = 0; word < width; word++) words[end++] = next[start + word]!;
    }
    return end;
  }

  /** Of a row with its hash in `words`. */
  get targetWords(): number {
    return 1 + this.parts.encoding.store.width;
  }
}

/** A power of two. The rows of so many targets fit into the cache of a processor. */
const LISTED = 1 << 12;

/** Some of the targets that were listed last, each with the first state that was seen to have it. */
class ListedTargets {
  private readonly width: number;
  private readonly rows: Int32Array;
  private readonly sources = new Int32Array(LISTED).fill(-1);

  constructor(width: number) {
    this.width = width;
    this.rows = new Int32Array(LISTED * width);
  }

  /** Whether a state before this one has the target at this index of `next`. Else it is noted. */
  has(store: StateStore, index: number, state: number): boolean {
    const { width, rows, sources } = this;
    const place = store.hashOf(index) & (LISTED - 1);
    const start = index * width;
    const kept = place * width;
    let word = 0;
    while (word < width && rows[kept + word] === store.next[start + word]) word++;
    if (word === width && sources[place]! >= 0 && sources[place]! < state) return true;
    for (word = 0; word < width; word++) rows[kept + word] = store.next[start + word]!;
    sources[place] = state;
    return false;
  }
}
