import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** The share of the machine's memory that one process may take. Others need some, too. */
const SHARE = 0.75;

/** Megabytes (10^6) of resident memory of the process. */
export function residentMegabytes(): number {
  return process.memoryUsage.rss() / 1e6;
}

/** How much of the heap of JavaScript is in use, from 0 to 1. Tables of words are outside of it. */
export function usedShareOfHeap(): number {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics();
  return used / most;
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
