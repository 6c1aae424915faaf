import { BlockError } from './errors.ts';
import { ByteReader, bytesOf, DIGEST_BYTES, Digest, packNumbers } from './numbers.ts';

/**
 * The order of the states of a layer. A search in one process numbers states as it finds them: by
 * the number of the first state that leads there, and the instance of that transition. This pair is
 * the key of a state. No two states of a layer have the same.
 *
 * So the keys say how each state was found first: with them, all states can be found again, and the
 * run to each of them is known.
 */

/** Keys in a block, at most. */
export const BLOCK_KEYS = 1 << 16;
const HALF = 2 ** 31;

/** What has keys, in their order. */
export interface Keyed {
  readonly count: number;
  readonly numbers: Float64Array;
  readonly instances: ArrayLike<number>;
}

/** Ascending. */
export class Keys implements Keyed {
  numbers: Float64Array;
  instances: Int32Array;
  count = 0;

  constructor(capacity = 64) {
    this.numbers = new Float64Array(capacity);
    this.instances = new Int32Array(capacity);
  }

  add(number: number, instance: number): void {
    const { count } = this;
    if (count === this.instances.length) {
      const numbers = new Float64Array(2 * count);
      numbers.set(this.numbers);
      const instances = new Int32Array(2 * count);
      instances.set(this.instances);
      this.numbers = numbers;
      this.instances = instances;
    }
    this.numbers[count] = number;
    this.instances[count] = instance;
    this.count++;
  }

  /** Whether the key at this index is before another one. */
  isBefore(index: number, number: number, instance: number): boolean {
    const own = this.numbers[index]!;
    return own < number || (own === number && this.instances[index]! < instance);
  }
}

/** The keys in blocks, which are the same in every process. */
export function* packKeys(keys: Keys): Iterable<Uint8Array> {
  for (let from = 0; from < keys.count; from += BLOCK_KEYS) {
    const to = Math.min(from + BLOCK_KEYS, keys.count);
    const first = keys.numbers[from]!;
    const steps = stepsOf(keys.numbers, from, to);
    const instances = keys.instances.subarray(from, to);
    const digest = new Digest();
    for (let index = 0; index < steps.length; index++) {
      digest.add(steps[index]!);
      digest.add(instances[index]!);
    }
    const head = Int32Array.of(to - from, first % HALF, Math.floor(first / HALF));
    digest.add(head[1]!);
    digest.add(head[2]!);
    yield Buffer.concat([
      ...[digest.bytes, bytesOf(head), packNumbers(steps), packNumbers(instances)],
    ]);
  }
}

/** What is to be added, by index, to the number before it. */
export function stepsOf(numbers: Float64Array, from: number, to: number): Float64Array {
  const steps = new Float64Array(to - from);
  for (let index = from + 1; index < to; index++) {
    steps[index - from] = numbers[index]! - numbers[index - 1]!;
  }
  return steps;
}

/** The numbers of `stepsOf`. */
export function numbersFrom(first: number, steps: ArrayLike<number>): Float64Array {
  const numbers = new Float64Array(steps.length);
  let number = first;
  for (let index = 0; index < steps.length; index++) {
    number += steps[index]!;
    numbers[index] = number;
  }
  return numbers;
}

/** Reads keys that anybody may have written. Throws `BlockError`. */
export function readKeys(bytes: Uint8Array): Keyed {
  const reader = new ByteReader(bytes);
  reader.take(DIGEST_BYTES);
  const [count, low, high] = reader.words(3);
  if (count! < 1 || count! > BLOCK_KEYS || low! < 0 || high! < 0) {
    throw new BlockError('of keys has another length');
  }
  const steps = reader.numbers(count!);
  const instances = reader.numbers(count!);
  reader.end();
  return { count: count!, numbers: numbersFrom(high! * HALF + low!, steps), instances };
}
