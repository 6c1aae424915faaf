import type { RowCanonicalizer } from '../reductions/reduction.ts';
import { everySlotAWord } from '../values/layout.ts';
import type { Learner } from './learner.ts';
import { EVENT } from './learning-log.ts';

/** Where the events of a log are learnt again. */
export interface Relearning<State> {
  readonly learner: Learner<State>;
  readonly canonicalizer: RowCanonicalizer | null;
  /** The local number of a slot in a stored state. */
  readonly localIn: (state: number, slot: number) => number;
}

/**
 * Learns the events of a log again. Throws `RangeError` if the words are no log of this model, and
 * `LimitHitError`.
 */
export function relearn<State>(words: Int32Array, engine: Relearning<State>): void {
  const { learner, canonicalizer, localIn } = engine;
  let at = 0;
  let before = -1;
  const next = (): number => {
    const word = words[at++];
    if (word === undefined || word < 0) throw new RangeError('the log of what was learnt is cut');
    return word;
  };
  const localsIn = (state: number) => {
    if (state !== before) learner.leaveState();
    before = state;
    return (slot: number): number => localIn(state, slot);
  };
  const images = (): RowCanonicalizer => {
    if (canonicalizer === null) throw new RangeError('the log has renamings, the model has none');
    return canonicalizer;
  };
  while (at < words.length) {
    const kind = next();
    switch (kind) {
      case EVENT.action: {
        const locals = localsIn(next());
        learner.learnAction(next(), locals);
        break;
      }
      case EVENT.predicate: {
        const locals = localsIn(next());
        learner.learnPredicate(next(), locals);
        break;
      }
      case EVENT.step: {
        const locals = localsIn(next());
        learner.learnStep(next(), next(), next(), locals);
        break;
      }
      case EVENT.operation:
        learner.operations.apply(next(), next());
        break;
      case EVENT.images:
        images().takeIn();
        break;
      case EVENT.row: {
        const row = Int32Array.from({ length: next() }, next);
        images().canonicalize(row, 0, everySlotAWord(row.length));
        break;
      }
      default:
        throw new RangeError(`the log of what was learnt has the unknown event ${kind}`);
    }
  }
  learner.leaveState();
}
