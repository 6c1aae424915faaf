import { LimitHitError } from './errors.ts';

/**
 * Looks at the limits inside of a unit of work that may take long, such as one expansion or one run
 * of a reducer.
 */
export interface Guard {
  /** Throws `LimitHitError` if a limit is hit. Cheap enough to call it every microsecond. */
  look(): void;
  /**
   * Throws `LimitHitError` unless so many bytes fit into the memory. Call it before a table grows,
   * and before anything is changed.
   */
  room(bytes: number): void;
  /** Throws `LimitHitError` if `look` or `room` has thrown before. User code may have caught it. */
  confirm(): void;
}

/** Without any limit. */
export const UNGUARDED: Guard = { look: () => {}, room: () => {}, confirm: () => {} };

/** Smaller tables are seen by the next look at the resident memory. */
const ASKED_FROM_BYTES = 1 << 20;

/** Zeroed words. Throws `LimitHitError` if the memory has no room for them. */
export function allocateWords(length: number, guard: Guard): Int32Array<ArrayBuffer> {
  return allocated(length, guard, () => new Int32Array(length));
}

/** The same, for several threads. */
export function allocateSharedWords(length: number, guard: Guard): Int32Array<SharedArrayBuffer> {
  const bytes = Int32Array.BYTES_PER_ELEMENT * length;
  return allocated(length, guard, () => new Int32Array(new SharedArrayBuffer(bytes)));
}

function allocated<Words>(length: number, guard: Guard, allocate: () => Words): Words {
  const bytes = Int32Array.BYTES_PER_ELEMENT * length;
  if (bytes >= ASKED_FROM_BYTES) guard.room(bytes);
  try {
    return allocate();
  } catch (error) {
    if (error instanceof RangeError) throw new LimitHitError('memory');
    throw error;
  }
}
