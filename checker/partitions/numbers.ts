import { BlockError } from './errors.ts';

/** Whole numbers from 0 on, as bytes: as few for each as the largest of them needs. */
export type Numbers = Uint8Array | Uint16Array | Int32Array;

const WORD = 4;

/** A byte that says how many bytes a number takes, and the numbers, little-endian. */
export function packNumbers(numbers: Int32Array | Float64Array): Uint8Array {
  let most = 0;
  for (let index = 0; index < numbers.length; index++) most = Math.max(most, numbers[index]!);
  const Packed = most < 1 << 8 ? Uint8Array : most < 1 << 16 ? Uint16Array : Int32Array;
  if (most >= 2 ** 31) throw new Error('a number does not fit a block');
  return Buffer.concat([Buffer.of(Packed.BYTES_PER_ELEMENT), bytesOf(new Packed(numbers))]);
}

/** All machines that Node.js runs on are little-endian, but for one that nobody uses. */
export function bytesOf(numbers: Numbers): Uint8Array {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Reads bytes that anybody may have written, one part after the other. Throws `BlockError`. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  take(length: number): Uint8Array {
    const end = this.at + length;
    if (!(length >= 0 && end <= this.bytes.length)) throw new BlockError('has another length');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  word(): number {
    return this.words(1)[0]!;
  }

  words(count: number): Int32Array {
    // A copy, as the bytes need not lie where words may.
    return new Int32Array(new Uint8Array(this.take(WORD * count)).buffer);
  }

  /** Of `packNumbers`: so many numbers, none of them negative. */
  numbers(count: number): Int32Array {
    const [size] = this.take(1);
    switch (size) {
      // Always the same kind of array: for each other kind, what reads it is compiled once more.
      case 1:
        return new Int32Array(this.take(count));
      case 2:
        return new Int32Array(new Uint16Array(new Uint8Array(this.take(2 * count)).buffer));
      case WORD: {
        const words = this.words(count);
        if (words.some((word) => word < 0)) throw new BlockError('has a negative number');
        return words;
      }
      default:
        throw new BlockError('has numbers of no known size');
    }
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new BlockError('has another length');
  }
}

/**
 * What a block says, in 64 bits. The bytes of a block that is sent again by another process may
 * differ, as each process numbers values as it meets them; what they say must not.
 */
export class Digest {
  private one = 0;
  private other = 0;

  add(word: number): void {
    this.one = Math.imul(this.one ^ word, 0x9e3779b1);
    this.one ^= this.one >>> 15;
    this.other = Math.imul(this.other + word, 0x85ebca6b);
    this.other ^= this.other >>> 13;
  }

  get bytes(): Uint8Array {
    return bytesOf(Int32Array.of(this.one, this.other));
  }
}

export const DIGEST_BYTES = 8;

/** Whether two blocks say the same. */
export function isSameBlock(one: Uint8Array, other: Uint8Array): boolean {
  const digest = (bytes: Uint8Array): Buffer => Buffer.from(bytes.subarray(0, DIGEST_BYTES));
  return digest(one).equals(digest(other));
}
