import type { TransitionBuffer } from './graph.ts';

export function emptyTransitionBuffer(): TransitionBuffer {
  return { actions: new Int32Array(0), targets: new Int32Array(0) };
}

/** Makes room for this many transitions. */
export function reserve(buffer: TransitionBuffer, count: number): void {
  if (buffer.actions.length >= count && buffer.targets.length >= count) return;
  buffer.actions = new Int32Array(count);
  buffer.targets = new Int32Array(count);
}
