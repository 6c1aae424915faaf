import { checkArguments } from './check-arguments.ts';
import { gatherPlans } from './gather.ts';
import type { Bytes } from './input/source.ts';
import { MESSAGES } from './messages.ts';
import type { Plan } from './plan.ts';
import { isOfSetup, type Token } from './token.ts';
import type { Subject } from './token-subject.ts';

/**
 * Reads once more what a token was made of. Throws `InputError`, also where there are other objects
 * or requests than there were then.
 */
export async function planOfToken(token: Token, maxMegabytes: number, stdin: Bytes): Promise<Plan> {
  const { subject } = token;
  const { inputs, museum, deletions, cascade, namespace, overrides } = subject;
  const nothing = checkArguments({}, []);
  const given = { inputs, museum, deletions, cascade, namespace, overrides, maxMegabytes };
  const plans = await gatherPlans({ ...nothing, ...given }, stdin);
  const plan = planOfSubject(plans, subject);
  if (plan === undefined || !isOfSetup(token, plan.setup)) {
    throw MESSAGES.tokenOfOther(
      'scenario',
      `the objects or requests of ${inputs.join(', ')} differ`,
    );
  }
  return plan;
}

/** Of an entry of the museum there are several plans. */
function planOfSubject(plans: readonly Plan[], { variant }: Subject): Plan | undefined {
  return variant === null ? plans[0] : plans.find(({ museum }) => museum?.variant === variant);
}
