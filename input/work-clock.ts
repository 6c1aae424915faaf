import {
  type Limits,
  machineMegabytes,
  megabytesWithin,
  residentMegabytes,
  usedShareOfHeap,
} from '../checker/index.ts';
import type { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';

/**
 * The limit of an answer includes the time to read the dump and to plan. It does not include the
 * time in which this process waits for its input, for instance for kubectl.
 */

/** Seconds for which this process has worked since the clock was made. */
export type WorkClock = () => number;

/**
 * Starts a clock that stands still while this process waits.
 *
 * @param worked seconds of earlier work that count as well.
 */
export function workClock(worked = 0): WorkClock {
  const { active: before } = performance.eventLoopUtilization();
  return () => worked + (performance.eventLoopUtilization().active - before) / 1000;
}

/**
 * What is left of a limit.
 *
 * @param seconds of the limit.
 */
export function secondsLeft(seconds: number, worked: WorkClock): number {
  return Math.max(0, seconds - worked());
}

/** What is left of limits. */
export function limitsLeft(limits: Limits, worked: WorkClock): Limits {
  const { seconds } = limits;
  return seconds === undefined ? limits : { ...limits, seconds: secondsLeft(seconds, worked) };
}

/** What has been read before a question is planned. */
interface Read {
  /** Seconds. */
  readonly worked?: number;
}

/**
 * Seconds of the limit that the user gave for which a cluster was read. By default, an answer about
 * a cluster has as much time as one about its dump.
 */
export function workOf(given: {
  readonly limits?: Limits;
  readonly cluster?: Read | null;
}): number {
  return given.limits?.seconds === undefined ? 0 : (given.cluster?.worked ?? 0);
}

/** Beyond it, the clock of a person matters more than an answer. */
const BUSIEST = 6;

/**
 * How many times longer the work of this process takes because others use the machine, from 1 to 6:
 * the seconds for which it has worked to those of the CPU that it got.
 */
export function busyness(
  worked = performance.now() - performance.eventLoopUtilization().idle,
  { user, system } = process.cpuUsage(),
): number {
  return Math.min(BUSIEST, Math.max(1, (worked * 1000) / (user + system)));
}

/** The seconds that this machine now takes for what a quiet one does in so many. */
export function secondsHere(seconds: number): number {
  return Math.round(seconds * busyness());
}

/**
 * A question from now on: with a limit of seconds, and how many of them are left.
 *
 * @param most the limit if the user gave none, on a quiet machine.
 */
export function timed<Given extends { readonly limits: Limits; readonly cluster?: Read | null }>(
  given: Given,
  most: number,
): { readonly asked: Given; readonly left: () => number } {
  const worked = workClock(workOf(given));
  const seconds = given.limits.seconds ?? secondsHere(most);
  const asked = { ...given, limits: { ...given.limits, seconds } };
  return { asked, left: () => secondsLeft(seconds, worked) };
}

/**
 * Throws `InputError` with exit code 3 if a limit is hit. Loops over what a user gives call it.
 *
 * @param doing what takes so long: `reading dump.yaml`.
 * @param bytes that the next step takes, if nothing can look while it works. Default: few.
 */
export type Look = (doing: string, bytes?: number) => void;

/** Without a limit. */
export const UNLIMITED: Look = () => {};

/** Seconds between two measurements of the memory, each of which takes some microseconds. */
const MEASURED_EVERY = 0.05;

/**
 * An answer that says what is unknown is worth more than an error. So the first looks, as many as a
 * small dump has, end the work later than others, which come a little late as well, and what the
 * process takes with a small dump is never too much: looks, seconds, shares, megabytes.
 */
const GRACE = {
  ...{ looks: 2000, first: 1, seconds: 0.5 },
  ...{ share: 1.1, megabytes: 64, heap: 0.9 },
} as const;

/** What the process takes before it reads anything. */
const AT_START = residentMegabytes();

/** Steps that take less are seen by the next measurement. */
const LARGE = 1e6;

/**
 * Looks at limits that the user has given.
 *
 * @param smaller what to do, instead of giving more. Default: to give it a smaller dump.
 */
export function lookAt(limits: Limits, worked: WorkClock, smaller?: string): Look {
  const { seconds, megabytes } = limits;
  if (seconds === undefined && megabytes === undefined) return ofMachine;
  const room =
    megabytes === undefined
      ? ofMachine
      : within(megabytes, worked, (doing) => MESSAGES.memoryFull(doing, megabytes, smaller));
  let looks = 0;
  return (doing, bytes) => {
    looks += 1;
    const grace = looks < GRACE.looks ? GRACE.first : GRACE.seconds;
    if (seconds !== undefined && worked() > seconds + grace)
      throw MESSAGES.timeUp(doing, seconds, smaller);
    room(doing, bytes);
  };
}

/** Looks at the memory. */
function within(megabytes: number, worked: WorkClock, full: (doing: string) => InputError): Look {
  let measured = 0;
  const most = Math.max(GRACE.share * megabytes, AT_START + GRACE.megabytes);
  return (doing, bytes = 0) => {
    const now = worked();
    if (bytes < LARGE && now < measured + MEASURED_EVERY) return;
    measured = now;
    // Near the limit it also frees what reading has left, such as the bytes of a decoded text.
    const coming = bytes / 1e6;
    if (megabytesWithin(megabytes, coming) > most) throw full(doing);
    if (usedShareOfHeap(coming) > GRACE.heap) throw MESSAGES.machineFull(doing);
  };
}

/**
 * Where no limit is given: an input that is too large for this machine, or for the heap of this
 * process, ends with an error, and not with its death.
 */
export const ofMachine: Look = within(machineMegabytes(), workClock(), MESSAGES.machineFull);
