/**
 * Calls back at the first Ctrl-C, which requests the partial result. The second one ends the
 * process, as no listener is left.
 *
 * Work without a turn of the event loop hears it only afterwards. Long work of that kind asks
 * `isInterrupted` of the checker, which hears it all the same.
 *
 * @param callback is called once at most.
 * @returns a function that stops listening.
 */
export function onInterrupt(callback: () => void): () => void {
  process.once('SIGINT', callback);
  return () => void process.off('SIGINT', callback);
}
