import type { RowCanonicalizer, SelectorNotes } from '../reductions/reduction.ts';
import { Layout } from '../values/layout.ts';
import type { Encoding } from './encoding.ts';
import type { Firing } from './firing.ts';
import type { Learner } from './learner.ts';
import { LearningLog } from './learning-log.ts';
import { relearn } from './relearning.ts';
import { type EngineHead, type EnginePart, type EngineSaver, MisfitError } from './saved.ts';

/**
 * Saves an engine in parts, and restores it. Only rows, predecessors and the order of learning are
 * saved: the engine learns everything again, by running reducers and predicates in the same states
 * in the same order. So the restored engine goes on exactly as the saved one would have.
 */
export class EngineSaving<State> implements EngineSaver {
  private readonly learner: Learner<State>;
  private readonly encoding: Encoding<State>;
  private readonly firing: Firing<State>;
  private readonly canonicalizer: RowCanonicalizer | null;
  private readonly transitions: Float64Array;
  private readonly log = new LearningLog();
  /** As they were at the last mark. */
  private markedStates = 0;
  private markedWords = 0;
  private readonly markedTransitions: Float64Array;
  private readonly markedKnown = [0, 0, 0, 0, 0];
  private markedNotes: readonly SelectorNotes[] = [];
  /** In the parts so far. */
  private savedStates = 0;
  private savedWords = 0;

  constructor(
    learner: Learner<State>,
    encoding: Encoding<State>,
    firing: Firing<State>,
    canonicalizer: RowCanonicalizer | null,
    transitions: Float64Array,
  ) {
    this.learner = learner;
    this.encoding = encoding;
    this.firing = firing;
    this.canonicalizer = canonicalizer;
    this.transitions = transitions;
    this.markedTransitions = transitions.slice();
  }

  begin(): void {
    this.learner.log = this.log;
  }

  mark(): void {
    this.markedStates = this.encoding.store.count;
    this.markedWords = this.log.words.length;
    this.markedTransitions.set(this.transitions);
    this.noteKnown();
    const { selectors } = this.firing;
    if (selectors.length > 0) this.markedNotes = selectors.map((selector) => selector.notes());
  }

  part(): EnginePart {
    const { layout, store } = this.encoding;
    const { savedStates, savedWords, markedStates, markedWords } = this;
    this.savedStates = markedStates;
    this.savedWords = markedWords;
    const { width } = store;
    return {
      head: {
        states: markedStates,
        layout: {
          slots: layout.slots,
          bits: Array.from(layout.mask, (mask) => 32 - Math.clz32(mask)),
        },
        tableBits: store.bitsOfTable,
        transitions: [...this.markedTransitions],
        selectors: this.markedNotes,
        known: [...this.markedKnown],
      },
      rows: store.rows.subarray(savedStates * width, markedStates * width),
      parents: store.parentsOf(savedStates, markedStates),
      learnt: Int32Array.from(this.log.words.slice(savedWords, markedWords)),
    };
  }

  restore(parts: Iterable<EnginePart>): void {
    const { encoding, learner, log } = this;
    let last: EngineHead | null = null;
    for (const { head, rows, parents, learnt } of parts) {
      const layout = new Layout(head.layout.bits, head.layout.slots);
      if (last === null) encoding.clear(layout);
      const isWhole = rows.length === parents.length * layout.width;
      if (!isWhole || encoding.store.count + parents.length !== head.states) {
        throw new MisfitError('the rows of a part are not those that it counts');
      }
      encoding.append(layout, rows, parents);
      for (const word of learnt) log.words.push(word);
      learner.guard.look();
      last = head;
    }
    if (last === null) return;
    this.relearn();
    const { slots } = learner.slots;
    const fits = slots.every(({ number, values }) =>
      encoding.layout.fits(number, Math.max(0, values.length - 1)),
    );
    this.noteKnown();
    if (!fits || last.known.join() !== this.markedKnown.join()) {
      throw new MisfitError('the model does not do again what it did');
    }
    encoding.relearnt(last.tableBits);
    this.firing.recompile();
    this.transitions.set(last.transitions);
    this.firing.selectors.forEach((selector, index) => {
      selector.restore(last.selectors[index]!);
    });
    this.savedStates = last.states;
    this.savedWords = log.words.length;
  }

  private relearn(): void {
    const { learner, encoding, canonicalizer } = this;
    const localIn = (state: number, slot: number): number => encoding.localIn(state, slot);
    try {
      relearn(Int32Array.from(this.log.words), { learner, canonicalizer, localIn });
    } catch (error) {
      throw error instanceof RangeError || error instanceof TypeError
        ? new MisfitError(error.message)
        : error;
    }
  }

  private noteKnown(): void {
    const { slots, effects, columns, columnsAfter } = this.learner;
    const { markedKnown } = this;
    markedKnown[0] = slots.version;
    markedKnown[1] = slots.interner.values.length;
    markedKnown[2] = effects.list.length;
    markedKnown[3] = columns.count;
    markedKnown[4] = columnsAfter.count;
  }
}
