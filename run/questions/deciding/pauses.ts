import { setImmediate } from 'node:timers/promises';

/** Milliseconds between two pauses. */
const PAUSE_EVERY = 100;

/**
 * A pause for work that no search interrupts, at most every 100 ms: without one, Ctrl-C is not
 * noticed.
 */
export function pauses(): () => Promise<void> {
  let next = performance.now() + PAUSE_EVERY;
  return async () => {
    if (performance.now() < next) return;
    await setImmediate();
    next = performance.now() + PAUSE_EVERY;
  };
}
