import { NondeterminismError } from '../errors.ts';
import { Layout } from '../values/layout.ts';
import { relearn } from './relearning.ts';
import { amountKnown, type EngineParts, type EngineUpdate } from './sharing.ts';

/**
 * The other side of `EngineSharing`, in another thread: an engine that reads the states of the engine
 * that it follows. It stores nothing, and where it would have to learn, it throws `UnlearntError`.
 */
export class EngineReplica<State> {
  /** That of the last update. */
  generation = 0;
  private readonly parts: EngineParts<State>;

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
  }

  /**
   * Throws `NondeterminismError` if the model does not do again what it did, and what the model
   * throws.
   */
  follow({ learnt, store, known, generation }: EngineUpdate): void {
    const { learner, encoding, firing, canonicalizer } = this.parts;
    if (store !== null) encoding.follow(new Layout(store.bits, store.slots), store.memory);
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
   * on. Returns where they end; -1: there is no room.
   */
  targets(count: number, words: Int32Array, at: number): number {
    const { store } = this.parts.encoding;
    const { found, next, width } = store;
    let end = at;
    for (let index = 0; index < count; index++) {
      if (found[index]! >= 0) continue;
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
