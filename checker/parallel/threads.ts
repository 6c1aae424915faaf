import { Worker } from 'node:worker_threads';
import { CheckerError, LimitHitError, ThreadError } from '../errors.ts';
import type { ThreadOptions } from '../options.ts';
import type { HelperFailure, HelperTask, OwnerMessage } from './messages.ts';

/** A thread that runs a `Helper`. */
export interface HelperThread {
  send(message: OwnerMessage): void;
  end(): Promise<unknown>;
}

/** Starts the helpers of a task. `fail` is called if one of them ends before it should. */
export type StartHelpers = (
  task: HelperTask,
  fail: (error: Error) => void,
) => readonly HelperThread[];

export function startThreads(
  { module, count }: ThreadOptions,
  task: HelperTask,
  fail: (error: Error) => void,
): readonly HelperThread[] {
  return Array.from({ length: count - 1 }, () => startThread(module, task, fail));
}

function startThread(module: URL, task: HelperTask, fail: (error: Error) => void): HelperThread {
  const worker = new Worker(module, { workerData: task });
  let isEnding = false;
  worker.on('message', ({ isMisfit, message }: HelperFailure) => {
    fail(isMisfit ? new CheckerError('badOption', message) : failed(message));
  });
  worker.on('error', (error: Error & { readonly code?: string }) => {
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    fail(isFull ? new LimitHitError('memory') : failed(error.message));
  });
  worker.on('exit', (code) => {
    if (!isEnding) fail(failed(`it has ended (exit code ${code})`));
  });
  return {
    send: (message) => worker.postMessage(message),
    end: () => {
      isEnding = true;
      return worker.terminate();
    },
  };
}

function failed(why: string): ThreadError {
  return new ThreadError(`a thread of the search has failed: ${why}`);
}
