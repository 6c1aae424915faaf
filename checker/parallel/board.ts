/**
 * Which chunk of the states each thread expands, in memory that all threads share. One thread, the
 * owner, goes through all chunks in order. The others, its helpers, prepare chunks ahead of it.
 * What nobody has prepared in time, the owner does itself: it never depends on a helper.
 */

/** Consecutive states that one thread expands. */
export const CHUNK_STATES = 32;
/** How many chunks can be prepared ahead. Each has a buffer. */
const WINDOW = 256;
/** Of each buffer: 256 kilobytes. The memory is taken when it is used. */
const BUFFER_WORDS = 1 << 16;

const STOPPED = 0;
const VERSION = 1;
const STATES = 2;
const OWNER = 3;
const SIGNAL = 4;
/** How many threads wait: the owner for a chunk, or helpers for a signal. */
const OWNER_WAITS = 5;
const HELPERS_WAIT = 6;
const HEAD = 8;

/** The places of the window. A chunk has place `chunk % WINDOW`, and the buffer of that number. */
const FREE = 0;
const IN_WORK = 1;
const READY = 2;
const OWNED = 3;
/** The owner did not wait for the helper, which still uses the buffer. */
const ABANDONED = 4;

const IDLE_MS = 20;
/** To sleep and be woken takes longer than to look so often. */
const LOOKS = 500;
/**
 * Helpers that wait are woken once in so many chunks: then there is something to do for a while.
 */
const CHUNKS_PER_SIGNAL = 16;

export interface BoardMemory {
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly buffers: Int32Array<SharedArrayBuffer>;
}

export function boardMemory(): BoardMemory {
  const words = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length));
  return { control: words(HEAD + WINDOW), buffers: words(WINDOW * BUFFER_WORDS) };
}

function bufferOf({ buffers }: BoardMemory, chunk: number): Int32Array {
  const start = (chunk % WINDOW) * BUFFER_WORDS;
  return buffers.subarray(start, start + BUFFER_WORDS);
}

/** The side of the thread that goes through all chunks. */
export class OwnerBoard {
  readonly memory = boardMemory();
  private place = HEAD;
  private isOwned = false;

  /** The buffer of a chunk that a helper has prepared; null: the owner is to do it itself. */
  enter(chunk: number, patienceMs: number): Int32Array | null {
    const { control } = this.memory;
    this.leave();
    this.place = HEAD + (chunk % WINDOW);
    Atomics.store(control, OWNER, chunk);
    const { place } = this;
    let found = Atomics.compareExchange(control, place, FREE, OWNED);
    if (found === IN_WORK) {
      this.await(place, patienceMs);
      found = Atomics.compareExchange(control, place, IN_WORK, ABANDONED);
    }
    this.isOwned = found === FREE || found === READY;
    return found === READY ? bufferOf(this.memory, chunk) : null;
  }

  private await(place: number, patienceMs: number): void {
    const { control } = this.memory;
    for (let looks = 0; looks < LOOKS; looks++) {
      if (Atomics.load(control, place) !== IN_WORK) return;
    }
    Atomics.store(control, OWNER_WAITS, 1);
    Atomics.wait(control, place, IN_WORK, patienceMs);
    Atomics.store(control, OWNER_WAITS, 0);
  }

  private leave(): void {
    if (this.isOwned) Atomics.store(this.memory.control, this.place, FREE);
    this.isOwned = false;
  }

  /**
   * All states below this number may be read, by helpers that know the updates up to the version.
   */
  publish(states: number, version: number): void {
    const { control } = this.memory;
    Atomics.store(control, VERSION, version);
    Atomics.store(control, STATES, states);
  }

  /** Wakes helpers that wait, now and then. Call this for each chunk. */
  signal(chunk: number): void {
    if (chunk % CHUNKS_PER_SIGNAL === 0) this.wake();
  }

  private wake(): void {
    const { control } = this.memory;
    Atomics.add(control, SIGNAL, 1);
    if (Atomics.load(control, HELPERS_WAIT) > 0) Atomics.notify(control, SIGNAL);
  }

  stop(): void {
    Atomics.store(this.memory.control, STOPPED, 1);
    this.wake();
  }
}

/** What a helper is to prepare. */
export interface Claim {
  readonly chunk: number;
  readonly buffer: Int32Array;
}

/** The side of a helper. */
export class HelperBoard {
  private readonly memory: BoardMemory;
  /** How far ahead of the owner it works: the owner should not come before it is ready. */
  private readonly lead: number;

  constructor(memory: BoardMemory, lead: number) {
    this.memory = memory;
    // Many helpers would begin at the end of the window, and leave what the owner meets first.
    this.lead = Math.min(lead, WINDOW / 2);
  }

  get isStopped(): boolean {
    return Atomics.load(this.memory.control, STOPPED) === 1;
  }

  /** How many states may be read. Ask for `version` afterwards. */
  get states(): number {
    return Atomics.load(this.memory.control, STATES);
  }

  get version(): number {
    return Atomics.load(this.memory.control, VERSION);
  }

  /** Claims a chunk of these states. Null: there is none. */
  claim(states: number): Claim | null {
    const { control } = this.memory;
    const owner = Atomics.load(control, OWNER);
    const end = Math.min(owner + WINDOW, Math.floor(states / CHUNK_STATES));
    for (let chunk = owner + this.lead; chunk < end; chunk++) {
      if (this.claimOne(chunk)) return { chunk, buffer: bufferOf(this.memory, chunk) };
    }
    for (let chunk = Math.min(owner + this.lead, end) - 1; chunk > owner + 1; chunk--) {
      if (this.claimOne(chunk)) return { chunk, buffer: bufferOf(this.memory, chunk) };
    }
    return null;
  }

  private claimOne(chunk: number): boolean {
    const { control } = this.memory;
    const place = HEAD + (chunk % WINDOW);
    if (Atomics.load(control, place) !== FREE) return false;
    if (Atomics.compareExchange(control, place, FREE, IN_WORK) !== FREE) return false;
    // The owner may have passed the chunk meanwhile: then the place is already that of a later one.
    if (Atomics.load(control, OWNER) < chunk) return true;
    this.release(place);
    return false;
  }

  private release(place: number): void {
    Atomics.store(this.memory.control, place, FREE);
    this.tell(place);
  }

  private tell(place: number): void {
    const { control } = this.memory;
    if (Atomics.load(control, OWNER_WAITS) === 1) Atomics.notify(control, place);
  }

  /** Hands the prepared chunk over. */
  handOver(chunk: number): void {
    const { control } = this.memory;
    const place = HEAD + (chunk % WINDOW);
    if (Atomics.compareExchange(control, place, IN_WORK, READY) !== IN_WORK) this.release(place);
    else this.tell(place);
  }

  get signals(): number {
    return Atomics.load(this.memory.control, SIGNAL);
  }

  /** Waits until the owner signals again, or for a short time. */
  wait(signals: number): void {
    const { control } = this.memory;
    Atomics.add(control, HELPERS_WAIT, 1);
    Atomics.wait(control, SIGNAL, signals, IDLE_MS);
    Atomics.sub(control, HELPERS_WAIT, 1);
  }
}
