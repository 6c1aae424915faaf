import { type Bytes, STDIN_NAME } from '../../input/documents/source.ts';
import { gatherPlans } from '../../input/gather.ts';
import type { Plan } from '../../input/plan.ts';
import type { WantedPlans } from '../../input/wanted-plans.ts';
import { InputError } from '../../text/input-error.ts';
import { TOKEN_ERRORS } from './errors.ts';
import { isOfSetup, type Token } from './token.ts';

/**
 * Reads the input of a token again. Throws `InputError`, also if its objects or requests have
 * changed.
 */
export async function planOfToken(
  token: Token,
  given: Pick<WantedPlans, 'maxMegabytes' | 'limits'>,
  stdin: Bytes,
): Promise<Plan> {
  const { maxMegabytes, limits = {} } = given;
  const { subject } = token;
  const input = subject.inputs.map((name) => (name === '-' ? STDIN_NAME : name)).join(', ');
  const plans = await gatherPlans(
    { ...subject, properties: [], maxMegabytes, limits },
    stdin,
  ).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    const { next = [] } = error.text;
    const why = `the token was made from ${input}`;
    throw new InputError({ ...error.text, next: [...[next].flat(), why] });
  });
  // An entry of the museum has several plans.
  const plan = plans.find(({ museum }) => (museum?.variant ?? null) === subject.variant);
  if (plan === undefined) throw TOKEN_ERRORS.tokenOfOther(input, 'its variants have changed');
  if (!isOfSetup(token, plan.setup)) {
    throw TOKEN_ERRORS.tokenOfOther(input, 'its objects or requests have changed');
  }
  return plan;
}
