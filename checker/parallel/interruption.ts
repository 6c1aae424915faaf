import { Worker } from 'node:worker_threads';
import { milliseconds } from '../engine/second-runs.ts';

/**
 * A listener for SIGINT (Ctrl-C) hears nothing while its thread works without a pause. Only scripts
 * that end at SIGINT do, as they are watched natively: so another thread runs one, and says when it
 * ends. From then on, SIGINT has its default effect: it ends the process.
 */
const WATCHER = `
const { parentPort, workerData: signalled } = require('node:worker_threads');
globalThis.wait = () => Atomics.wait(signalled, 1, 0);
try {
  require('node:vm').runInThisContext('for (;;) wait()', { breakOnSigint: true });
} catch {
  Atomics.store(signalled, 0, 1);
  parentPort.postMessage(null);
}
`;

/** Its first word is 1 as soon as SIGINT has come. Null: nobody watches. */
let signalled: Int32Array<SharedArrayBuffer> | null = null;

/** Milliseconds without a turn of the event loop after which signals need the other thread. */
const DEAF_MS = 200;

/** When this was asked first since the last turn of the event loop; null: not yet. */
let askedFirst: number | null = null;

/**
 * Whether the user has interrupted, also if the listener for SIGINT that would say so gets no turn.
 * Ask it again and again in work that does not pause. The other thread takes some megabytes, so it
 * is started when it is needed.
 */
export function isInterrupted(interrupted: (() => boolean) | undefined): boolean {
  if (interrupted === undefined) return false;
  const now = milliseconds();
  if (askedFirst === null) {
    askedFirst = now;
    setImmediate(() => {
      askedFirst = null;
    });
  }
  if (signalled !== null) {
    if (Atomics.exchange(signalled, 0, 0) === 1) heard();
  } else if (now - askedFirst > DEAF_MS && process.listenerCount('SIGINT') > 0) {
    signalled = watched();
  }
  return interrupted();
}

/** The other thread is at its end. Who listens again, for later work, gets a new one. */
function heard(): boolean {
  signalled = null;
  return process.emit('SIGINT', 'SIGINT');
}

function watched(): Int32Array<SharedArrayBuffer> {
  const words = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const watcher = new Worker(WATCHER, { eval: true, execArgv: [], workerData: words });
  // Without it, the process still ends at the second SIGINT.
  watcher.on('error', () => undefined);
  watcher.on('message', () => {
    if (Atomics.exchange(words, 0, 0) === 0) return;
    if (!heard()) process.kill(process.pid, 'SIGINT');
  });
  // A listener for messages would keep the process.
  watcher.unref();
  return words;
}
