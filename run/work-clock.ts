/**
 * The limit of an answer includes the time to read the dump and to plan. It does not include the time
 * in which this process waits for its input, for instance for kubectl.
 */

/** Seconds for which this process has worked since the clock was made. */
export type WorkClock = () => number;

/** Starts a clock that stands still while this process waits. */
export function workClock(): WorkClock {
  const { active: before } = performance.eventLoopUtilization();
  return () => (performance.eventLoopUtilization().active - before) / 1000;
}

/**
 * What is left of a limit.
 *
 * @param seconds of the limit.
 */
export function secondsLeft(seconds: number, worked: WorkClock): number {
  return Math.max(0, seconds - worked());
}
