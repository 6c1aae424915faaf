import { StatusError } from '../requests/status.ts';
import type { Schedule } from '../schedule/schedule.ts';

/**
 * Below this path, the API is served to the operator that plays a controller of the run of a token.
 * A name in a header would tell programs apart, but not an operator from the test in the same
 * program; and a token would not do, because client-go sends none without TLS.
 */
export const OPERATOR_PATH = '/reapcheck/operator';

interface SentTo {
  /** The path and the query below the root of the API. */
  readonly url: string;
  readonly isOfOperator: boolean;
}

/** Who has sent a request, by its URL. Throws `StatusError` if no operator plays a controller. */
export function sentTo(url: string, { operator }: Schedule): SentTo {
  const isOfOperator = url === OPERATOR_PATH || url.startsWith(`${OPERATOR_PATH}/`);
  if (!isOfOperator) return { url, isOfOperator };
  if (operator !== undefined) return { url: url.slice(OPERATOR_PATH.length) || '/', isOfOperator };
  const message = 'no operator plays a controller of a run here: see reapcheck serve --plays';
  throw new StatusError(404, 'NotFound', message);
}
