/**
 * Calls back at the first Ctrl-C, which requests the partial result. The second one ends the
 * process, as no listener is left.
 *
 * Before the event loop has its next turn, the first one ends the process, too: a listener would
 * hear it only then, and until then there is no result. Long work without a turn that comes later
 * asks `isInterrupted` of the checker, which hears it all the same.
 *
 * @param callback is called once at most.
 * @returns a function that stops listening.
 */
export function onInterrupt(callback: () => void): () => void {
  const listening = setImmediate(() => {
    process.once('SIGINT', callback);
  });
  return () => {
    clearImmediate(listening);
    process.off('SIGINT', callback);
  };
}
