import { ENQUEUE } from '../engine/queue-draft.ts';

/**
 * Adds elements at the end of a queue, as `push` does. It does not return the new length, so the
 * step does not depend on how long the queue is: the checker then knows that it commutes with a
 * `shift` from the other end. Works on plain arrays as well.
 */
export function enqueue<Element>(queue: Element[], ...elements: readonly Element[]): void {
  const add = (queue as { [ENQUEUE]?: (...elements: readonly Element[]) => void })[ENQUEUE];
  if (add === undefined) queue.push(...elements);
  else add(...elements);
}
