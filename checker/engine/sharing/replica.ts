import { NondeterminismError } from '../../errors.ts';
import { Layout } from '../../values/layout.ts';
import { takeOver } from './knowledge.ts';
import { amountKnown, type EngineParts, type EngineUpdate } from './sharing.ts';

const NOTHING = new Int32Array(0);

/**
 * The other side of `EngineSharing`, in another thread: an engine that reads the states of the
 * engine that it follows. It stores nothing, and where it would have to learn, it throws
 * `UnlearntError`.
 */
export class EngineReplica<State> {
  private readonly parts: EngineParts<State>;
  private notQuiet: Int32Array = new Int32Array(0);

  constructor(parts: EngineParts<State>) {
    this.parts = parts;
  }

  /**
   * Takes over what the engine has learnt. Throws `NondeterminismError` if numbers then mean
   * something else: the model's renamings, which run in both, do not do again what they did.
   */
  follow({ learnt, store, asleep, known, notQuiet }: EngineUpdate): void {
    const { learner, encoding, firing, canonicalizer, sleep } = this.parts;
    if (store !== null) {
      encoding.follow(new Layout(store.bits, store.slots), store.memory);
    }
    if (asleep !== null) {
      if (sleep.sets() === null) sleep.use();
      sleep.sets()!.follow(asleep);
    }
    learner.slots.isFrozen = false;
    takeOver(learnt, learner, canonicalizer);
    learner.slots.isFrozen = true;
    if (amountKnown(learner).join() !== known.join()) {
      throw new NondeterminismError(
        'in another thread it has read or done different things; it must depend on its arguments only',
      );
    }
    encoding.caughtUp();
    firing.caughtUp(learnt.lessons.paths.length);
    this.notQuiet = notQuiet;
  }

  /** Call this before a state is foreseen: a new judge has asked anew. */
  enter(): void {
    this.parts.sieve.follow(this.notQuiet);
  }

  /** After `foresee`: by step that is to be looked up, its instance. */
  get fired(): Int32Array {
    return this.parts.firing.fired;
  }

  /** After `foresee`: puts the hash and the row of each target into `words`, from `at` on. */
  writeTargets(count: number, words: Int32Array, at: number): void {
    const { store } = this.parts.encoding;
    const { next, width } = store;
    let to = at;
    for (let index = 0; index < count; index++) {
      words[to++] = store.hashOf(index);
      const start = index * width;
      for (let word = 0; word < width; word++) words[to++] = next[start + word]!;
    }
  }

  /** Of a row with its hash in `words`. */
  get targetWords(): number {
    return 1 + this.parts.encoding.store.width;
  }

  /** After `foresee`: the set of the steps that are not to be looked up. */
  get asleep(): Int32Array {
    return this.parts.sleep.sets()?.asleep ?? NOTHING;
  }
}
