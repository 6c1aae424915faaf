import type { RowCanonicalizer } from '../reductions/reduction.ts';
import { Layout } from '../values/layout.ts';
import type { Learner } from './learner.ts';

/** What an engine learnt, as the first word of an event in the log. */
const ACTION = 0;
const PREDICATE = 1;
const STEP = 2;
const OPERATION = 3;
const IMAGES = 4;
const ROW = 5;

const WORD_BITS = 31;

/**
 * In which order an engine has learnt what it knows of the model. Numbers of slots, values, columns,
 * effects and shapes depend on that order alone, so an engine that learns the same again, in the same
 * order, knows the same afterwards. A log is short: an engine learns from few of the states.
 */
export class LearningLog {
  /** Events, one after the other: the kind, then its words. */
  readonly words: number[] = [];

  action(state: number, instance: number): void {
    this.words.push(ACTION, state, instance);
  }

  predicate(state: number, predicate: number): void {
    this.words.push(PREDICATE, state, predicate);
  }

  step(state: number, predicate: number, instance: number, effect: number): void {
    this.words.push(STEP, state, predicate, instance, effect);
  }

  /** A queue operation met this value of its slot. */
  operation(operation: number, local: number): void {
    this.words.push(OPERATION, operation, local);
  }

  /** The canonicalizer took in slots and values. */
  images(): void {
    this.words.push(IMAGES);
  }

  /** The canonicalizer learnt something from a row that is not stored. */
  row(locals: readonly number[]): void {
    this.words.push(ROW, locals.length, ...locals);
  }
}

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
      case ACTION: {
        const locals = localsIn(next());
        learner.learnAction(next(), locals);
        break;
      }
      case PREDICATE: {
        const locals = localsIn(next());
        learner.learnPredicate(next(), locals);
        break;
      }
      case STEP: {
        const locals = localsIn(next());
        learner.learnStep(next(), next(), next(), locals);
        break;
      }
      case OPERATION:
        learner.operations.apply(next(), next());
        break;
      case IMAGES:
        images().takeIn();
        break;
      case ROW: {
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

/** The layout of rows that are plain lists of local numbers. */
export function everySlotAWord(slots: number): Layout {
  const numbers = Array.from({ length: slots }, (_, slot) => slot);
  return new Layout(
    numbers.map(() => WORD_BITS),
    numbers.map((slot) => [slot]),
  );
}
