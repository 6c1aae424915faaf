import { onTestFinished, vi } from 'vitest';

/** No test fails because its machine is slow. */

/** Milliseconds to wait for another process. Only a test that hangs waits so long. */
export const PATIENCE = 300_000;

/** The same for a process that has said its last word: it has nothing to do any more. */
export const LINGERING = 60_000;

/**
 * Replaces `performance.now` until the test ends: each call returns so many milliseconds more than
 * the call before. Whatever then depends on time depends on the number of calls, and not on the
 * speed of the machine.
 *
 * @param onCall gets the number of the call, counted from 1.
 */
export function countingClock(milliseconds: number, onCall?: (call: number) => void): void {
  const start = performance.now();
  let calls = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => {
    calls += 1;
    onCall?.(calls);
    return start + calls * milliseconds;
  });
  onTestFinished(() => void now.mockRestore());
}

/**
 * Replaces the clock that counts for how long this process has worked, until the test ends: each
 * call returns so many milliseconds more than the call before. On a slow machine, the clock itself
 * also counts the time in which other processes have the processor, so that a small limit ends the
 * reading of a dump, and not only the search.
 */
export function countingWork(milliseconds: number): void {
  let active = 0;
  const clock = vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
    active += milliseconds;
    return { active, idle: 0, utilization: 1 };
  });
  onTestFinished(() => void clock.mockRestore());
}
