import { BlockError } from './errors.ts';
import type { Blocks } from './found-rows.ts';
import { Keys } from './keys.ts';
import { type Numbered, numbered } from './merge.ts';

/** The states of one partition in one layer, in the order of their keys. */
export class LayerStates {
  /** States of a layer that all partitions know need none. */
  readonly keys: Keys;
  readonly count: number;
  private readonly first: number;
  /** By position, the state. Null: they ascend from the first one. */
  private readonly order: Int32Array | null;

  private constructor(keys: Keys, count: number, first: number, order: Int32Array | null) {
    this.keys = keys;
    this.count = count;
    this.first = first;
    this.order = order;
  }

  /**
   * States that all partitions have found as one process does: their numbers are those of the whole
   * search.
   */
  static common(own: readonly number[]): LayerStates {
    return new LayerStates(new Keys(), own.length, 0, Int32Array.from(own));
  }

  static ascending(first: number, keys: Keys): LayerStates {
    return new LayerStates(keys, keys.count, first, null);
  }

  static ordered(order: Int32Array, keys: Keys): LayerStates {
    return new LayerStates(keys, keys.count, 0, order);
  }

  /** The state at a position. */
  at(position: number): number {
    return this.order === null ? this.first + position : this.order[position]!;
  }

  /** See `numbered`. */
  async numbered(first: number, others: readonly Blocks[]): Promise<Numbered> {
    const { keys, count, order } = this;
    if (keys.count === count) return numbered(first, keys, others);
    return { numbers: Float64Array.from(order!), others: [] };
  }
}

/**
 * Puts the states of a layer into the order of their keys. A partition has found some of them for
 * itself: `found`, from the state `first` on. Others have found the rest, and some of the former
 * with a lesser key.
 */
export function inKeyOrder(
  first: number,
  own: { readonly found: Keys; readonly isForeign: Uint8Array },
  others: { readonly foreign: Keys; readonly foreignStates: readonly number[] },
): LayerStates {
  const { found, isForeign } = own;
  const { foreign, foreignStates } = others;
  if (foreign.count === 0) return LayerStates.ascending(first, found);
  const twice = isForeign.reduce((sum, one) => sum + one, 0);
  const count = found.count - twice + foreign.count;
  const keys = new Keys(count);
  const order = new Int32Array(count);
  let at = 0;
  for (let index = 0; index <= foreign.count; index++) {
    // At the end there is none: all of its own states are before that.
    const isEnd = index === foreign.count;
    const number = isEnd ? Number.POSITIVE_INFINITY : foreign.numbers[index]!;
    const instance = isEnd ? 0 : foreign.instances[index]!;
    for (; at < found.count && found.isBefore(at, number, instance); at++) {
      if (isForeign[at] === 1) continue;
      order[keys.count] = first + at;
      keys.add(found.numbers[at]!, found.instances[at]!);
    }
    if (isEnd) break;
    order[keys.count] = foreignStates[index]!;
    keys.add(number, instance);
  }
  return LayerStates.ordered(order, keys);
}

/**
 * Goes through the keys of a layer again. A key with the number of a state that the partition owns
 * is one that it has found for itself; it is taken by that step. All others must be among what was
 * sent.
 */
export class ReplayedLayer {
  private readonly goal: Keys;
  private readonly numbers: Float64Array;
  private readonly take: (position: number, from: number, to: number) => boolean;
  /** The next key. */
  private at = 0;
  /** A position among its states of the layer before. */
  private position = 0;

  /**
   * @param numbers those of its states of the layer before.
   * @param take stores where steps of such a state lead: those of the keys from one to before
   * another. False: they do not exist.
   */
  constructor(
    goal: Keys,
    numbers: Float64Array,
    take: (position: number, from: number, to: number) => boolean,
  ) {
    this.goal = goal;
    this.numbers = numbers;
    this.take = take;
  }

  /**
   * Takes all keys before this one. Returns whether this one is next, which the caller then must
   * take.
   */
  goTo(number: number, instance: number): boolean {
    const { goal } = this;
    while (this.at < goal.count && goal.isBefore(this.at, number, instance)) this.step();
    const { at } = this;
    if (at === goal.count) return false;
    const isNext = goal.numbers[at] === number && goal.instances[at] === instance;
    if (isNext) this.at++;
    return isNext;
  }

  /** Takes all keys that are left. */
  end(): void {
    while (this.at < this.goal.count) this.step();
  }

  private step(): void {
    const { goal, numbers, at } = this;
    const number = goal.numbers[at]!;
    while (this.position < numbers.length && numbers[this.position]! < number) this.position++;
    if (numbers[this.position] !== number) throw new BlockError('is missing: a key has no state');
    let to = at + 1;
    while (to < goal.count && goal.numbers[to] === number) to++;
    if (!this.take(this.position, at, to)) throw new BlockError('names a step that does not exist');
    this.at = to;
  }
}
