import type { Failure } from '../../../model/index.ts';
import type { RunState } from './run-state.ts';

type Reason = Failure['reason'];

const REASONS: Readonly<Record<Failure['code'], Reason>> = {
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function isFailureCode(status: number): status is Failure['code'] {
  return Object.hasOwn(REASONS, status);
}

/**
 * The error answer with this HTTP status; null for a status that is not an error. The collector
 * only distinguishes NotFound, Conflict and UnsupportedMediaType. A status that the model has no
 * answer for becomes 500.
 */
export function failureWith(status: number): Failure | null {
  if (status < 400 || status > 599) return null;
  const code = isFailureCode(status) ? status : 500;
  return { code, reason: REASONS[code], message: `answered with ${status}` };
}

/** An error answer, or 200; null for any other status. */
export function answerWith(status: number): Failure | { readonly code: 200 } | null {
  return status === 200 ? { code: 200 } : failureWith(status);
}

/**
 * The error with which the last attempt ended, as the cases write it: the reason of the answer that
 * stopped the attempt, or null. A GET that is answered 404 does not stop an attempt. Of several
 * patches that failed, one that failed with something other than 404 decides.
 */
export function errorOf(state: RunState): string | null {
  if (state.lastError !== 'failed') return null;
  const bad = state.requests.filter(
    ({ request, code }) => code >= 400 && (request.verb !== 'get' || code !== 404),
  );
  const culprit = bad.findLast(({ code }) => code !== 404) ?? bad.at(-1);
  if (culprit === undefined) return 'NoMatch';
  return failureWith(culprit.code)?.reason ?? String(culprit.code);
}
