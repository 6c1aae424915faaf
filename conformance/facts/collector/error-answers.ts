import type { Failure } from '../../../model/index.ts';

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
 * The error that a server gives for a status. The collector tells NotFound, Conflict and
 * UnsupportedMediaType from the rest; a status that the model has no answer for is one of the rest.
 * Null for what is no error.
 */
export function failureWith(status: number): Failure | null {
  if (status < 400 || status > 599) return null;
  const code = isFailureCode(status) ? status : 500;
  return { code, reason: REASONS[code], message: `answered with ${status}` };
}
