import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { CheckerError } from '../errors.ts';
import { Helper, type Searched } from './helper.ts';
import type { HelperFailure, HelperTask, OwnerMessage } from './messages.ts';

/** The data of `ThreadOptions`, in a thread of a search. */
export function threadData(): unknown {
  return (workerData as HelperTask).data;
}

/**
 * Call this in the module of `ThreadOptions`, which runs in a thread of a search, with the model
 * and the properties of the check. The thread expands states until the search ends.
 */
export function takePart<State>(searched: Searched<State>): void {
  try {
    const helper = new Helper(workerData as HelperTask, searched, received);
    while (!helper.isStopped) {
      const { signals } = helper;
      if (helper.claim()) helper.prepare();
      else helper.wait(signals);
    }
  } catch (error) {
    const failure: HelperFailure = {
      isMisfit: error instanceof CheckerError,
      message: error instanceof Error ? error.message : String(error),
    };
    parentPort!.postMessage(failure);
  }
}

function received(): OwnerMessage {
  const received = receiveMessageOnPort(parentPort!);
  if (received === undefined) throw new Error('a message of the search is missing');
  return received.message as OwnerMessage;
}
