import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { isSystemError } from '../../input/documents/source.ts';
import { MESSAGES } from '../../text/messages.ts';

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/**
 * Hands on the whole lines that an API server adds to its audit log from now on, also across a
 * rotation by renaming. It only reads the log.
 */
export class AuditTail {
  readonly #file: string;
  readonly #write: (line: string) => void;
  readonly #onGap: (what: string) => void;
  #descriptor: number;
  #position: number;
  /** The beginning of a line whose end is not written yet. */
  #rest: Uint8Array = Buffer.alloc(0);
  /** Whether the first line began before the recording. */
  #skipsFirst: boolean;

  /** Throws `InputError` if the log cannot be read. */
  constructor(file: string, write: (line: string) => void, onGap: (what: string) => void) {
    this.#file = file;
    this.#write = write;
    this.#onGap = onGap;
    try {
      this.#descriptor = openSync(file, 'r');
      this.#position = fstatSync(this.#descriptor).size;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw error.code === 'ENOENT'
        ? MESSAGES.noSuchFile(file)
        : MESSAGES.unreadable(file, error.code);
    }
    const last = Buffer.alloc(1);
    const isInLine =
      this.#position > 0 &&
      readSync(this.#descriptor, last, 0, 1, this.#position - 1) === 1 &&
      last[0] !== NEWLINE;
    this.#skipsFirst = isInLine;
  }

  /** Copies what is new. */
  poll(): void {
    this.#readOn();
    let current: { readonly ino: number } | null = null;
    try {
      current = statSync(this.#file);
    } catch {
      // It is being rotated: the new file comes later.
      return;
    }
    if (current.ino === fstatSync(this.#descriptor).ino) return;
    this.#readOn();
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.#file, 'r');
    this.#begin();
    this.#readOn();
  }

  close(): void {
    this.poll();
    closeSync(this.#descriptor);
  }

  #begin(): void {
    if (this.#rest.length > 0) this.#onGap('the audit log was rotated within a line');
    this.#position = 0;
    this.#rest = Buffer.alloc(0);
    this.#skipsFirst = false;
  }

  #readOn(): void {
    if (fstatSync(this.#descriptor).size < this.#position) {
      this.#onGap('the audit log was cut: requests are missing');
      this.#begin();
    }
    const chunk = Buffer.alloc(CHUNK);
    for (;;) {
      const count = readSync(this.#descriptor, chunk, 0, CHUNK, this.#position);
      if (count === 0) return;
      this.#position += count;
      this.#take(Buffer.concat([this.#rest, chunk.subarray(0, count)]));
    }
  }

  #take(bytes: Buffer): void {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end < 0) break;
      if (!this.#skipsFirst) this.#write(bytes.subarray(start, end).toString('utf8'));
      this.#skipsFirst = false;
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
  }
}
