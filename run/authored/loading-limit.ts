import { closeSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { EXIT } from '../../text/exit-codes.ts';
import { errorLines, type InputError } from '../../text/input-error.ts';

/**
 * What the other thread asks this one to do. It has no other way in while a module keeps it busy.
 */
const LATE = 'reapcheck.loadingIsLate';

/**
 * The inspector runs code in a thread that never comes to an end of its own: a worker connects to
 * it when the time is over. Where Node.js has no inspector, there is no limit.
 */
const WATCHER = `
const { workerData } = require('node:worker_threads');
setTimeout(() => {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: workerData.expression });
}, workerData.milliseconds);
`;

/**
 * Loads a module of the user's, which executes it. If that takes longer than so many seconds, the
 * process prints the error and ends with the exit code of a limit: a loop at the top level cannot
 * be left. Undefined: no limit.
 */
export async function loadedWithin<Loaded>(
  seconds: number | undefined,
  late: () => InputError,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  if (seconds === undefined) return load();
  const key = Symbol.for(LATE);
  const shared = globalThis as unknown as Record<symbol, unknown>;
  shared[key] = () => {
    writeSync(2, `${errorLines(late().text).join('\n')}\n`);
    // Else Node.js adds that it waits for a debugger.
    closeSync(2);
    process.removeAllListeners('exit');
    process.exit(EXIT.inconclusive);
  };
  const expression = `globalThis[Symbol.for('${LATE}')]?.()`;
  const watcher = new Worker(WATCHER, {
    eval: true,
    workerData: { expression, milliseconds: Math.min(seconds * 1000, 2 ** 31 - 1) },
  });
  // Neither this thread nor a failure of it decides whether the module is loaded.
  watcher.unref();
  watcher.on('error', () => undefined);
  try {
    return await load();
  } finally {
    delete shared[key];
    await watcher.terminate();
  }
}
