import type { Foreseen } from '../engine/sharing/sharing.ts';

/**
 * The buffer of a prepared chunk: a head, then a record for each state, in order.
 *
 * - Head: the chunk, the generation of the helper, how many states have records, where these end.
 * - Record: its length, what it is, the numbers of steps that are to be looked up and of triggers;
 *   then the instances of these steps, the properties whose triggers are true, the set of the steps
 *   that are not to be looked up, and the targets. A property that was triggered several times
 *   occurs as often.
 */
const CHUNK = 0;
const GENERATION = 1;
const COUNT = 2;
const END = 3;
const HEAD = 4;

const LENGTH = 0;
const KIND = 1;
const FIRED = 2;
const TRIGGERED = 3;
const RECORD_HEAD = 4;

/** The state has to be expanded by the engine itself. */
const LEFT = 0;
const EXPANDED = 1;
/** The state is outside of the constraint. */
const OUTSIDE = 2;

/** Memory moves between threads in lines of at least so many words. */
const LINE_WORDS = 16;

/** The steps of a state: see `EngineReplica`. */
export interface Steps {
  readonly fired: Int32Array;
  readonly asleep: Int32Array;
  readonly targetWords: number;
  writeTargets(count: number, words: Int32Array, at: number): void;
}

export class RecordWriter {
  private readonly words: Int32Array;
  private end = HEAD;
  private count = 0;

  constructor(words: Int32Array, chunk: number, generation: number) {
    this.words = words;
    words[CHUNK] = chunk;
    words[GENERATION] = generation;
    words[COUNT] = 0;
    words[END] = HEAD;
  }

  /** Leaves the next state to the engine. False: there is no room. */
  leave(): boolean {
    const { words, end } = this;
    if (end + RECORD_HEAD > words.length) return false;
    words[end + KIND] = LEFT;
    this.finish(end + RECORD_HEAD);
    return true;
  }

  /**
   * Writes what is known of the next state. False: there is no room.
   *
   * @param fired how many steps are to be looked up; null: it is outside of the constraint.
   */
  write(fired: number | null, steps: Steps, triggered: readonly number[]): boolean {
    const { words, end } = this;
    const { asleep, targetWords } = steps;
    const count = fired ?? 0;
    let at = end + RECORD_HEAD;
    const last = at + count + triggered.length + asleep.length + count * targetWords;
    if (last > words.length) return false;
    for (let index = 0; index < count; index++) words[at++] = steps.fired[index]!;
    for (let index = 0; index < triggered.length; index++) words[at++] = triggered[index]!;
    for (let index = 0; index < asleep.length; index++) words[at++] = asleep[index]!;
    steps.writeTargets(count, words, at);
    words[end + KIND] = fired === null ? OUTSIDE : EXPANDED;
    words[end + FIRED] = count;
    words[end + TRIGGERED] = triggered.length;
    this.finish(last);
    return true;
  }

  private finish(end: number): void {
    this.words[this.end + LENGTH] = end - this.end;
    this.end = end;
    this.count++;
    this.words[COUNT] = this.count;
    this.words[END] = end;
  }
}

export class RecordReader {
  private words: Int32Array = new Int32Array(HEAD);
  private at = HEAD;
  private index = 0;
  /** Filled by `listHashes`. */
  hashes = new Int32Array(64);
  /** Keeps the compiler from removing the loads of `fetch`. */
  seen = 0;
  /** Filled by `read`, which must not allocate. */
  readonly foreseen = { fired: 0, instances: 0, asleep: 0, targets: 0 } satisfies Foreseen;
  isOutside = false;
  /** Where the triggered properties of the record begin and end. */
  triggersFrom = 0;
  triggersTo = 0;

  /** False: the buffer holds another chunk. */
  open(words: Int32Array, chunk: number): boolean {
    this.words = words;
    this.at = HEAD;
    this.index = 0;
    return words[CHUNK] === chunk;
  }

  get generation(): number {
    return this.words[GENERATION]!;
  }

  get buffer(): Int32Array {
    return this.words;
  }

  /**
   * Puts the hash of each target in the buffer into `hashes`, and returns how many there are.
   * Targets have so many words each.
   */
  listHashes(targetWords: number): number {
    this.fetch();
    const { words } = this;
    if (this.hashes.length < words[END]!) this.hashes = new Int32Array(2 * words[END]!);
    const { hashes } = this;
    let count = 0;
    let at = HEAD;
    for (let index = words[COUNT]!; index > 0; index--) {
      const end = at + words[at + LENGTH]!;
      if (words[at + KIND] === EXPANDED) {
        for (let target = end - words[at + FIRED]! * targetWords; target < end; ) {
          hashes[count++] = words[target]!;
          target += targetWords;
        }
      }
      at = end;
    }
    return count;
  }

  /**
   * Touches all records. The other thread has written them, so each line has to come from there;
   * where a record begins is known only from the one before, and so the lines would come one after
   * the other.
   */
  private fetch(): void {
    const { words } = this;
    let seen = 0;
    for (let at = HEAD; at < words[END]!; at += LINE_WORDS) seen ^= words[at]!;
    this.seen = seen;
  }

  /**
   * Goes to the record of the state at this index of the chunk; false: it was left to the engine.
   */
  seek(index: number): boolean {
    const { words } = this;
    if (index >= words[COUNT]!) return false;
    for (; this.index < index; this.index++) this.at += words[this.at + LENGTH]!;
    return words[this.at + KIND] !== LEFT;
  }

  /** Reads the record that `seek` has found. Sets have so many words. */
  read(sleepWords: number): void {
    const { words, at, foreseen } = this;
    this.isOutside = words[at + KIND] === OUTSIDE;
    foreseen.fired = words[at + FIRED]!;
    foreseen.instances = at + RECORD_HEAD;
    this.triggersFrom = foreseen.instances + foreseen.fired;
    this.triggersTo = this.triggersFrom + words[at + TRIGGERED]!;
    foreseen.asleep = this.triggersTo;
    foreseen.targets = foreseen.asleep + sleepWords;
  }
}
