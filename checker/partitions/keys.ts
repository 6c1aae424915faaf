import { deflateRawSync } from 'node:zlib';
import { bytesOf, inflated, wordsIn } from './block.ts';
import { BlockError } from './errors.ts';

/**
 * The order of the states of a layer. A search in one process numbers states as it finds them: by the number
 * of the first state that leads there, and the instance of that transition. This pair is the key of a
 * state. No two states of a layer have the same, and each partition stores its states in the order of keys.
 */

/** Keys in a block, at most. */
export const BLOCK_KEYS = 1 << 16;
const WORDS = 2;

/** Ascending. */
export class Keys {
  numbers = new Float64Array(64);
  instances = new Int32Array(64);
  count = 0;

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
    const count = Math.min(BLOCK_KEYS, keys.count - from);
    const words = new Int32Array(2 + WORDS * count);
    let before = keys.numbers[from]!;
    words[0] = before % 2 ** 31;
    words[1] = Math.floor(before / 2 ** 31);
    for (let index = 0; index < count; index++) {
      const number = keys.numbers[from + index]!;
      words[2 + index] = number - before;
      words[2 + count + index] = keys.instances[from + index]!;
      before = number;
    }
    yield deflateRawSync(bytesOf(words), { level: 1 });
  }
}

/** Throws `BlockError`. */
export function readKeys(bytes: Uint8Array): Keys {
  const raw = inflated(bytes);
  if (raw.length % 8 !== 0 || raw.length < 16) throw new BlockError('of keys has another length');
  const words = wordsIn(raw);
  const count = (words.length - 2) / WORDS;
  const keys = new Keys();
  let number = words[1]! * 2 ** 31 + words[0]!;
  for (let index = 0; index < count; index++) {
    const more = words[2 + index]!;
    if (more < 0) throw new BlockError('of keys is not in order');
    number += more;
    keys.add(number, words[2 + count + index]!);
  }
  return keys;
}
