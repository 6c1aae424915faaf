import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { milliseconds } from './engine/second-runs.ts';

/** The share of the machine's memory that one process may take. Others need some, too. */
const SHARE = 0.75;

/** Megabytes (10^6) of resident memory of the process. */
export function residentMegabytes(): number {
  return process.memoryUsage.rss() / 1e6;
}

/** For so many milliseconds it is not measured again: that takes longer than a small search. */
const KNOWN_MS = 20;

let known = 0;
let knownUntil = 0;

function measured(): number {
  known = residentMegabytes();
  knownUntil = milliseconds() + KNOWN_MS;
  return known;
}

/** Garbage counts as soon as the memory is this full. */
const NEARLY_FULL = 0.8;
/** Garbage is collected after the memory has grown by this share of the limit. */
const GROWN = 0.05;
/** At most one part in so many of the time goes into this. */
const PART_OF_TIME = 10;

let collect: (() => void) | null = null;
let nextCollection = 0;
let afterCollection = 0;

/**
 * Resident megabytes, for a comparison with a limit. Near the limit it collects garbage first: V8
 * puts that off as long as the machine has memory, and knows nothing of the limit.
 *
 * @param coming megabytes that the next step takes as well.
 */
export function megabytesWithin(most: number, coming = 0): number {
  const begun = milliseconds();
  const before = coming + (begun < knownUntil ? known : measured());
  // Other work may have ended since then, and left as much as is new.
  const isDue = before > most || before > afterCollection + GROWN * most;
  if (before < NEARLY_FULL * most || !isDue || begun < nextCollection) return before;
  collectGarbage();
  // V8 frees tables beside its work. Only the next collection waits until they are freed.
  if (coming + residentMegabytes() >= NEARLY_FULL * most) collectGarbage();
  const ended = milliseconds();
  nextCollection = ended + PART_OF_TIME * (ended - begun);
  afterCollection = measured();
  return coming + afterCollection;
}

/** Once work has ended at the limit: what it leaves would stay while its result is made. */
export function releaseMemory(most: number): void {
  if (measured() < NEARLY_FULL * most) return;
  collectGarbage();
  afterCollection = measured();
}

function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    const found: unknown = runInNewContext('typeof gc === "function" ? gc : () => {}');
    collect = found as () => void;
  }
  collect();
}

/**
 * How much of the heap of JavaScript is in use, from 0 to 1. Tables of words are outside of it.
 *
 * @param coming megabytes that the next step takes as well.
 */
export function usedShareOfHeap(coming = 0): number {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  return (used + coming * 1e6) / most;
}

/**
 * The limit of megabytes (10^6) where none is given: a share of what the machine has, or of what
 * its control group (a container) allows.
 *
 * @param constrained bytes that the control group allows; 0 or more than the machine has: no bound.
 */
export function machineMegabytes(
  total = totalmem(),
  constrained: number | undefined = process.constrainedMemory(),
): number {
  const bound = constrained === undefined || constrained === 0 ? total : constrained;
  return Math.floor((SHARE * Math.min(total, bound)) / 1e6);
}
