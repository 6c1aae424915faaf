import { createHash } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import type { CheckpointStore } from '../../checker/index.ts';
import { InputError } from '../../text/input-error.ts';
import { CHECKPOINT_ERRORS } from './errors.ts';

/**
 * A file of blocks that only grows. Each block is
 *
 * - a header of 20 bytes: `RCKB`, the CRC-32 of the rest of the header, the number of the block,
 *   and the length of its content in 8 bytes, all with the low byte first;
 * - its content;
 * - 32 bytes of SHA-256 over the SHA-256 of the block before, the header and the content.
 *
 * A process that is killed leaves a last block that is cut. It is left out. The chain of digests
 * finds every other change, also blocks of two writers.
 */
const MAGIC = 0x424b4352;
const HEADER = 20;
const DIGEST = 32;
/** The digest before the first block. */
const NO_DIGEST = Buffer.alloc(DIGEST);
/** The most that one call reads or writes. */
const CHUNK = 1 << 30;

export class BlockFile implements CheckpointStore {
  private readonly file: string;
  private readonly folder: string;
  private readonly handle: number;
  /** Where the next block begins. Known once the blocks were read. */
  private end = 0;
  private count = 0;
  private chain: Buffer = NO_DIGEST;
  private isRead = false;
  /** Bytes of a last block that is cut. */
  leftOut = 0;

  /** Opens or creates the file. Throws `InputError`. */
  constructor(folder: string, file: string) {
    this.folder = folder;
    this.file = file;
    // Read and write; created if it does not exist.
    this.handle = this.attempt(() => openSync(file, 'a+', 0o600));
  }

  /** Throws `InputError` if a block is damaged that is not the last one. */
  *blocks(): Iterable<Uint8Array> {
    const size = this.size();
    this.end = 0;
    this.count = 0;
    this.chain = NO_DIGEST;
    for (;;) {
      const content = this.blockAt(this.end, size);
      if (content === null) break;
      yield content;
    }
    this.leftOut = size - this.end;
    if (this.leftOut > 0) this.attempt(() => ftruncateSync(this.handle, this.end));
    this.isRead = true;
  }

  append(parts: readonly Uint8Array[]): void {
    if (!this.isRead) throw new Error('the blocks are read before one is added');
    if (this.size() !== this.end) throw CHECKPOINT_ERRORS.otherWriter(this.file);
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const header = headerOf(this.count, length);
    const digest = digestOf(this.chain, header, parts);
    this.attempt(() => {
      for (const part of [header, ...parts, digest]) this.write(part);
      fdatasyncSync(this.handle);
    });
    this.end += HEADER + length + DIGEST;
    this.count++;
    this.chain = digest;
  }

  close(): void {
    closeSync(this.handle);
  }

  /** The content of the block, or null if it is the last one and cut, or there is none. */
  private blockAt(start: number, size: number): Uint8Array | null {
    if (size - start < HEADER) return null;
    const header = this.read(start, HEADER);
    const length = lengthIn(header, this.count);
    if (length === null) {
      // After a power cut, a file may end with zeros that were never written.
      if (this.isZero(start, size)) return null;
      throw CHECKPOINT_ERRORS.damaged(this.file, start, 'a block does not begin there');
    }
    const end = start + HEADER + length + DIGEST;
    if (end > size) return null;
    const content = this.read(start + HEADER, length);
    const digest = digestOf(this.chain, header, [content]);
    if (!digest.equals(this.read(end - DIGEST, DIGEST))) {
      if (end === size) return null;
      throw CHECKPOINT_ERRORS.damaged(this.file, start, 'its checksum is wrong');
    }
    this.chain = digest;
    this.count++;
    this.end = end;
    return content;
  }

  private isZero(start: number, size: number): boolean {
    for (let at = start; at < size; at += CHUNK) {
      if (this.read(at, Math.min(CHUNK, size - at)).some((byte) => byte !== 0)) return false;
    }
    return true;
  }

  private size(): number {
    return this.attempt(() => fstatSync(this.handle).size);
  }

  private read(start: number, length: number): Buffer {
    return this.attempt(() => {
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let at = 0; at < length; ) {
        const most = Math.min(CHUNK, length - at);
        const count = readSync(this.handle, bytes, at, most, start + at);
        if (count === 0) throw CHECKPOINT_ERRORS.otherWriter(this.file);
        at += count;
      }
      return bytes;
    });
  }

  private write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(this.handle, bytes, at, Math.min(CHUNK, bytes.length - at));
    }
  }

  private attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof InputError || !(error instanceof Error)) throw error;
      const { code = error.message } = error as NodeJS.ErrnoException;
      throw CHECKPOINT_ERRORS.unwritable(this.folder, code);
    }
  }
}

function headerOf(number: number, length: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt32LE(number, 8);
  header.writeBigUInt64LE(BigInt(length), 12);
  header.writeUInt32LE(crc32(header.subarray(8)), 4);
  return header;
}

/** Null if this is not the header of the block with this number. */
function lengthIn(header: Buffer, number: number): number | null {
  const length = Number(header.readBigUInt64LE(12));
  return header.equals(headerOf(number, length)) ? length : null;
}

function digestOf(before: Buffer, header: Buffer, parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(before).update(header);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
