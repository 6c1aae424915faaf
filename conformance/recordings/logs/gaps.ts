import type { OpenParts } from '../../../report/document/conformance-documents.ts';
import type { SeenRequest, Trace } from './observations.ts';

/** What an audit log at the levels Metadata and Request does not show. */

/** Whether the log leaves out the body of a request. A GET has none. */
export function lacksBody({ verb, body }: SeenRequest): boolean {
  return verb !== 'get' && body.is === 'notLogged';
}

/** Whether the log leaves out the object in an answer. The `Status` of an error is always there. */
export function lacksAnswer({ answerLogged, code }: SeenRequest): boolean {
  return !answerLogged && code < 300;
}

/** Writing requests without a logged body or answer. */
export function bareWrites(requests: readonly SeenRequest[]): readonly SeenRequest[] {
  return requests.filter(
    (request) => request.verb !== 'get' && (lacksBody(request) || lacksAnswer(request)),
  );
}

/** Counts of what the log leaves open. */
export function openPartsOf(trace: Trace): Omit<OpenParts, 'dryRuns'> {
  const bodies = trace.requests.filter(lacksBody).length;
  // A `Status` of success is known at every level.
  const lacksObject = (request: SeenRequest): boolean =>
    lacksAnswer(request) && !request.bareSuccess;
  return {
    level: bodies > 0 ? 'Metadata' : 'Request',
    requests: trace.requests.filter((request) => lacksBody(request) || lacksObject(request)).length,
    bodies,
    answers: trace.requests.filter(lacksObject).length,
  };
}
