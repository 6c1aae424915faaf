import { setImmediate } from 'node:timers/promises';
import type { Paused } from '../../checker/index.ts';

/**
 * Does work that pauses; in each pause, other events such as Ctrl-C are handled. Null: it was
 * stopped before its end.
 */
export async function unlessStopped<Result>(
  work: Paused<Result>,
  isStopped: () => boolean,
): Promise<Result | null> {
  for (;;) {
    const { done, value } = work.next();
    await setImmediate();
    if (done === true) return value;
    if (isStopped()) return null;
  }
}
