import { allocateSharedWords, allocateWords, type Guard, UNGUARDED } from '../../guard.ts';
import type { Independence } from './independence.ts';

/** Sets of states that wait for their expansion: a power of two. */
const FIRST_CAPACITY = 1 << 10;
const NO_PLACE = -1;

/**
 * Steps whose targets are stored for certain, so that they need not be looked up: the sleep sets of
 * P. Godefroid (1996). Here they leave out no step, only the work to find where it leads.
 *
 * Say step `a` leads from a state to a new one, and step `b` leads from the same state to a state
 * that was stored before it. If the two are independent, `b` leads from the new state to where `a`
 * leads from the other one. That one is expanded first, as states are expanded in the order in
 * which they are stored. So when the new state is expanded, the target of `b` is stored. `b` leads
 * to a state that was stored before if its instance has the lower number, or if `b` was asleep
 * itself.
 *
 * And instances that have no step for certain, so that they need not be asked. Say `b` has no step
 * in a state, and `a` leads from it to another one, and has written nothing of what `b` reads or
 * writes. Then `b` does there what it has done before, which is nothing, and all that it reads was
 * learnt. When an entry is present for the first time, some of it may have to be learnt again: so
 * the sets are emptied. Where that happens in the middle of an expansion, the instances that it has
 * skipped are learnt again in a later state, not in this one.
 */
export class SleepSets {
  /**
   * Of the state entered last, without the instances that are watched there: bit `i % 32` of word
   * `i / 32` is set for instance `i`. Each of them has a step, and its target is stored.
   */
  readonly asleep: Int32Array;
  /** The same with the instances that have no step in the state entered last, as far as known. */
  readonly skipped: Int32Array;
  /** As `asleep`, with those that are watched. */
  private readonly all: Int32Array;
  /** The instances that have no step in the state whose successors are stored. */
  private readonly idle: Int32Array;
  private readonly before: Int32Array;
  /** The instances that are watched. */
  private readonly watched: Int32Array;
  private readonly words: number;
  private readonly independence: Independence;
  private readonly guard: Guard;
  private readonly most: number;
  private readonly allocateEmpty: (length: number, guard: Guard) => Int32Array;
  /** By state modulo the capacity: the number of the state, and its two sets. */
  private waiting: Int32Array;
  private readonly size: number;
  private capacity = FIRST_CAPACITY;
  /** What `independence.presences` was when the sets were emptied last. */
  private presences: number;
  /** The same when the state entered last was entered: see `since`. */
  private presencesThen = 0;
  /** States up to this one need no set any more. */
  private entered = -1;
  /** Whether the sets are those of another thread. */
  private isFollower = false;

  /**
   * @param most of so many states that wait, the sets are kept: a power of two. Steps of others are
   * looked up.
   * @param isShared whether other threads may read the sets.
   */
  constructor(
    independence: Independence,
    guard: Guard = UNGUARDED,
    most: number = Number.POSITIVE_INFINITY,
    isShared = false,
  ) {
    this.most = most;
    this.allocateEmpty = isShared ? allocateSharedWords : allocateWords;
    const { words } = independence;
    this.words = words;
    this.size = 1 + 2 * words;
    this.asleep = new Int32Array(words);
    this.skipped = new Int32Array(words);
    this.idle = new Int32Array(words);
    this.all = new Int32Array(words);
    this.before = new Int32Array(words);
    this.watched = new Int32Array(words);
    this.independence = independence;
    this.presences = independence.presences;
    this.guard = guard;
    this.waiting = this.allocate(FIRST_CAPACITY);
  }

  /** @param watched by instance, 1 if its steps are reported from now on. */
  watch(watched: ArrayLike<number>): void {
    this.watched.fill(0);
    for (let instance = 0; instance < watched.length; instance++) {
      if (watched[instance] === 1) this.watched[instance >> 5]! |= 1 << (instance & 31);
    }
  }

  /** Fetches the set of a state, which is about to be expanded. */
  enter(state: number): void {
    this.enterExpanded(state);
    const { all, asleep, skipped, watched, words, waiting } = this;
    const start = this.placeOf(state);
    const isKnown = waiting[start] === state;
    for (let word = 0; word < words; word++) {
      const sleeping = all[word]! & ~watched[word]!;
      asleep[word] = sleeping;
      skipped[word] = isKnown ? sleeping | waiting[start + 1 + words + word]! : 0;
    }
  }

  /**
   * The same for a state whose successors are known, so that only `pass` is to be called.
   *
   * @param since what `presences` was before they were found.
   */
  enterExpanded(state: number, since = this.independence.presences): void {
    this.forgetOutdated();
    const { all, words, waiting } = this;
    this.entered = state;
    this.presencesThen = since;
    const start = this.placeOf(state);
    const isKnown = waiting[start] === state;
    for (let word = 0; word < words; word++) all[word] = isKnown ? waiting[start + 1 + word]! : 0;
  }

  /** Another number after an entry was present for the first time. */
  get since(): number {
    return this.independence.presences;
  }

  /**
   * Gives the states that an expansion has stored their sets.
   *
   * @param fired from `from` on: the instances of the steps that were looked up, in order.
   * @param found by step: the state to which it leads.
   * @param firstNew the number of the first state that the expansion has stored.
   */
  pass(fired: Int32Array, from: number, count: number, found: Int32Array, firstNew: number): void {
    const { words, before, independence, idle, all } = this;
    const independent = independence.compiled();
    const { leftAlone } = independence;
    const isOutdated = this.presencesThen !== independence.presences;
    for (let word = 0; word < words; word++) {
      before[word] = all[word]!;
      idle[word] = isOutdated ? 0 : ~all[word]!;
    }
    for (let index = from; index < from + count; index++) {
      const instance = fired[index]!;
      idle[instance >> 5] = idle[instance >> 5]! & ~(1 << (instance & 31));
    }
    let state = firstNew;
    for (let index = 0; index < count; index++) {
      const instance = fired[from + index]!;
      if (found[index] === state) {
        const start = this.makePlace(state);
        const set = independence.startOf(instance);
        const { waiting } = this;
        for (let word = 0; word < words && start !== NO_PLACE; word++) {
          waiting[start + 1 + word] = before[word]! & independent[set + word]!;
          waiting[start + 1 + words + word] = idle[word]! & leftAlone[set + word]!;
        }
        state++;
      }
      before[instance >> 5] = before[instance >> 5]! | (1 << (instance & 31));
    }
  }

  /**
   * The sets of the states that wait, for other threads. It is another array after it has grown.
   */
  get memory(): Int32Array {
    this.forgetOutdated();
    return this.waiting;
  }

  /**
   * From now on, reads the sets of another thread. Those of states that it has expanded may be
   * wrong.
   */
  follow(waiting: Int32Array): void {
    this.isFollower = true;
    this.waiting = waiting;
    this.capacity = waiting.length / this.size;
  }

  private forgetOutdated(): void {
    const { presences } = this.independence;
    if (this.presences === presences || this.isFollower) return;
    this.presences = presences;
    const { waiting, size, words } = this;
    for (let end = size; end <= waiting.length; end += size) waiting.fill(0, end - words, end);
  }

  private placeOf(state: number): number {
    return (state & (this.capacity - 1)) * this.size;
  }

  /** For a new state, in the place of one that is expanded. */
  private makePlace(state: number): number {
    let start = this.placeOf(state);
    while (this.waiting[start]! > this.entered) {
      if (this.capacity >= this.most) return NO_PLACE;
      this.grow();
      start = this.placeOf(state);
    }
    this.waiting[start] = state;
    return start;
  }

  private grow(): void {
    const { waiting: former, size } = this;
    const capacity = 2 * this.capacity;
    this.waiting = this.allocate(capacity);
    this.capacity = capacity;
    for (let start = 0; start < former.length; start += size) {
      const state = former[start]!;
      if (state <= this.entered) continue;
      const place = this.placeOf(state);
      for (let word = 0; word < size; word++) this.waiting[place + word] = former[start + word]!;
    }
  }

  private allocate(capacity: number): Int32Array {
    const waiting = this.allocateEmpty(capacity * this.size, this.guard);
    // No state has this number.
    for (let at = 0; at < waiting.length; at += this.size) waiting[at] = -1;
    return waiting;
  }
}

/**
 * Counts up the entries of all members of a set, whose words begin at `start`. Returns how many
 * there are.
 */
export function countMembers(
  sets: Int32Array,
  start: number,
  words: number,
  counts: Float64Array,
): number {
  let members = 0;
  for (let word = 0; word < words; word++) {
    for (let open = sets[start + word]!; open !== 0; open &= open - 1) {
      counts[32 * word + 31 - Math.clz32(open & -open)]!++;
      members++;
    }
  }
  return members;
}
