import { failureWith } from './error-answers.ts';
import type { RunState } from './run-state.ts';

/**
 * The error with which the last attempt ended, in the words of the cases: the reason of the answer
 * that stopped it, or null. A GET that finds nothing stops nothing, and a 404 to one of several
 * patches is passed over as long as another one failed.
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
