import type { ApiObject } from '../../../model/index.ts';
import type { Requester, Requests, View } from '../cel/requests.ts';
import type { Evaluated, Expressions, Variables } from '../cel/value.ts';
import { type Asked, type Asking, allOf, isAskedAbout } from './asked.ts';
import type { Matching } from './observed.ts';

/** Expressions that decide whether a webhook or a policy is about a request. */

const NOT_EVALUATED: Evaluated = { is: 'unknown', what: 'its expressions' };

export function evaluated(
  expressions: Expressions | null,
  expression: string,
  variables: Variables,
): Evaluated {
  return expressions === null ? NOT_EVALUATED : expressions.evaluate(expression, variables);
}

/** Whether all conditions are met. */
export type Met =
  | { readonly is: 'yes' }
  | { readonly is: 'no' }
  /** The request is refused because they cannot be evaluated. */
  | { readonly is: 'fails'; readonly message: string }
  /** @property canFail whether they may turn out as `fails`. */
  | { readonly is: 'perhaps'; readonly what: string; readonly canFail: boolean };

/**
 * Mirrors `Match` of matchconditions. One that is false decides, whatever the others are.
 *
 * @param refuses of the failure policy.
 */
export function conditionsMet(
  conditions: readonly string[],
  variables: Variables,
  refuses: boolean,
  expressions: Expressions | null,
): Met {
  const results = conditions.map((condition) => evaluated(expressions, condition, variables));
  if (results.some((result) => result.is === 'known' && result.value === false)) {
    return { is: 'no' };
  }
  const open = results.find((result) => result.is === 'unknown');
  const failed = results.find((result) => result.is === 'error');
  if (open !== undefined) {
    const canFail = conditions.some(
      (condition, index) =>
        results[index]?.is === 'unknown' && expressions?.cannotFail(condition) !== true,
    );
    const what = open.is === 'unknown' ? open.what : '';
    return { is: 'perhaps', what, canFail: refuses && (canFail || failed !== undefined) };
  }
  if (failed?.is !== 'error') return { is: 'yes' };
  return refuses ? { is: 'fails', message: failed.message } : { is: 'no' };
}

/** Whether a webhook is asked about one of the requests that delete this object. */
export function isAskedToDelete(
  webhook: Matching & { readonly refuses: boolean },
  object: ApiObject,
  requests: Requests,
  asking: Asking,
): Asked {
  const answers = requests.deletersOf(object).map((by): Asked => {
    const matched = isAskedAbout(webhook, object, ['DELETE'], asking, by);
    if (matched === 'no') return 'no';
    return allOf([matched, metBy(webhook, object, by, { operation: 'DELETE' }, requests)]);
  });
  if (answers.length === 0 || answers.every((answer) => answer === 'no')) return 'no';
  return answers.every((answer) => answer === 'yes') ? 'yes' : 'perhaps';
}

/** A condition that fails with failurePolicy Fail refuses the request, as the webhook may. */
export function metBy(
  webhook: Matching & { readonly refuses: boolean },
  object: ApiObject,
  by: Requester,
  how: Omit<View, 'rules'>,
  requests: Requests,
): Asked {
  if (webhook.conditions.length === 0) return 'yes';
  const view = { ...how, rules: webhook.rules };
  const variables = requests.variables(object, by, view);
  const { expressions } = requests;
  const met = conditionsMet(webhook.conditions, variables, webhook.refuses, expressions);
  return met.is === 'fails' ? 'yes' : met.is;
}
