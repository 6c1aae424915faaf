import {
  type NamespaceAnswer,
  type NamespaceRequest,
  type NamespaceResult,
  type NamespaceWorker,
  type Rules,
  receive,
  namespaceRequestOf as requestOf,
  type Unsupported,
} from '../../../model/index.ts';

/** The namespace controller, with answers from the case. */

export interface ControllerRun {
  readonly requests: readonly NamespaceRequest[];
  readonly result: NamespaceResult;
  readonly unsupported: Unsupported;
}

/**
 * Runs one sync of the controller.
 *
 * @param start where the sync starts: at its beginning, or within it.
 * @param memory the operations that the controller has found to be unsupported.
 */
export function runController(
  rules: Rules,
  start: NamespaceWorker,
  memory: Unsupported,
  answer: (request: NamespaceRequest) => NamespaceAnswer,
): ControllerRun {
  const requests: NamespaceRequest[] = [];
  let worker = start;
  let unsupported = memory;
  for (;;) {
    const request = requestOf(rules, worker);
    requests.push(request);
    const received = receive(rules, unsupported, worker, answer(request));
    unsupported = received.unsupported;
    if (received.step.done) return { requests, result: received.step.result, unsupported };
    worker = received.step.worker;
  }
}

/** The error with which a sync ends, as the cases write it; null for none. */
export function resultError(result: NamespaceResult): string | null {
  switch (result.outcome) {
    case 'done':
      return null;
    case 'remaining':
      return `some content remains in the namespace, estimate ${result.estimate} seconds before it is removed`;
    case 'error':
      return result.message;
    default:
      throw new Error(`unknown result ${JSON.stringify(result satisfies never)}`);
  }
}

const REASONS = ['NotFound', 'Conflict', 'MethodNotAllowed'] as const;

/** A failure, given by its reason or by its message. */
export function failureAnswer(word: string): NamespaceAnswer {
  const reason = REASONS.find((known) => known === word) ?? 'Other';
  return { kind: 'failed', reason, message: word };
}
