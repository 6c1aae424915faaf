/** The client of a watch. */
export interface Reader {
  /** Bytes that it has not read yet. */
  readonly waiting: () => number;
  /** Ends its watch. It can begin another one, as after any broken connection. */
  readonly close: () => void;
}

/** A client that has not read so many bytes does not read any more. */
const MOST_OF_ONE = 16 * 1024 * 1024;
/** So many bytes may wait for all clients together. */
const MOST_OF_ALL = 128 * 1024 * 1024;

/**
 * What the clients of watches have not read yet is kept in memory. Of too much, the watches end
 * that have read the least.
 */
export class Backlog {
  /** The bytes that waited for each reader when something was written for it last. */
  readonly #waiting = new Map<Reader, number>();
  #sum = 0;
  readonly #mostOfOne: number;
  readonly #mostOfAll: number;

  constructor(mostOfOne = MOST_OF_ONE, mostOfAll = MOST_OF_ALL) {
    this.#mostOfOne = mostOfOne;
    this.#mostOfAll = mostOfAll;
  }

  /** Something was written for this reader. */
  wrote(reader: Reader): void {
    this.#note(reader, reader.waiting());
    if ((this.#waiting.get(reader) ?? 0) > this.#mostOfOne) this.#end(reader);
    if (this.#sum <= this.#mostOfAll) return;
    // Many have read since.
    for (const known of [...this.#waiting.keys()]) this.#note(known, known.waiting());
    const slowest = [...this.#waiting].sort(([, one], [, other]) => other - one);
    for (const [known] of slowest) {
      if (this.#sum <= this.#mostOfAll) return;
      this.#end(known);
    }
  }

  forget(reader: Reader): void {
    this.#note(reader, 0);
    this.#waiting.delete(reader);
  }

  #note(reader: Reader, bytes: number): void {
    this.#sum += bytes - (this.#waiting.get(reader) ?? 0);
    this.#waiting.set(reader, bytes);
  }

  #end(reader: Reader): void {
    this.forget(reader);
    reader.close();
  }
}
