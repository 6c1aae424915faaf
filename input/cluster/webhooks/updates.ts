import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Doubt } from '../beside/doubts.ts';
import { someone } from '../cel/requests.ts';
import { allOf, isAskedAbout } from './asked.ts';
import { type Decision, decisionOn } from './decisions.ts';
import { dryRunOfLater, endOf, type Later, laterWords } from './later.ts';
import { MeantIndex } from './meant.ts';
import type { Policy, PolicyBinding } from './observed-policies.ts';
import type { Given } from './policies.ts';
import { isAskedLater } from './refusals.ts';

/**
 * Webhooks and policies that may refuse the PATCH of a person who takes a finalizer off. What is
 * refused to the owners of finalizers is another matter, of which the dump says nothing.
 */
export function updatesIn(given: Given): readonly Doubt[] {
  const { all, kept, goes, observations } = given;
  const held = kept.filter(
    (object) => object.finalizers.length > 0 && (goes(object) || isBeingDeleted(object)),
  );
  if (held.length === 0) return [];
  const index = new MeantIndex(held, (object) => object, given);
  const policies = policiesByName(given);
  return all.flatMap((configuration): readonly Doubt[] => {
    const observed = observations.get(keyOf(configuration));
    const name = displayName(configuration);
    if (observed?.of === 'webhooks') {
      return observed.webhooks.flatMap((webhook) => {
        const names = [webhook.name, configuration.name];
        const asked = index
          .of([webhook], 'UPDATE')
          .filter((object) => isAskedLater(webhook, freeing(object), names, given) !== 'no');
        return asked.map((object) =>
          doubt(object, `the webhook ${webhook.name} of ${name} is asked`),
        );
      });
    }
    if (observed?.of !== 'admission binding') return [];
    const found = policyFor(observed, policies, given);
    if (found === null) return [];
    const { policy, matching, decide } = found;
    const open = index
      .of(matching, 'UPDATE')
      .filter((object) => decide(freeing(object)).is !== 'accepts');
    return open.map((object) => doubt(object, `${displayName(policy)} is evaluated`));
  });
}

/**
 * What stays as a policy refuses a request that follows the DELETE: that of the collector at the
 * end of a foreground deletion or of an orphaning, that of the owner of a finalizer.
 */
export function keptOpenIn(given: Given): readonly Doubt[] {
  const { all, kept, goes, observations, later } = given;
  const waiting = kept
    .filter(goes)
    .flatMap((object) => later(object).map((request) => ({ object, request })));
  if (waiting.length === 0) return [];
  const index = new MeantIndex(waiting, ({ request }) => request.about, given);
  const policies = policiesByName(given);
  return all.flatMap((binding): readonly Doubt[] => {
    const observed = observations.get(keyOf(binding));
    if (observed?.of !== 'admission binding') return [];
    const found = policyFor(observed, policies, given);
    if (found === null) return [];
    const isThere = !goes(binding) && !goes(found.policy);
    return index.of(found.matching, 'UPDATE').flatMap(({ object, request }): Doubt[] => {
      const decision = found.decide(request);
      if (decision.is === 'accepts') return [];
      const name = displayName(found.policy);
      const settled = { settle: dryRunOfLater(request, given) };
      const about = { object: keyOf(object), ...settled, ...endOf(request, object) };
      if (decision.is === 'refuses' && isThere) {
        const why = `${name} refuses ${laterWords(request)}: ${decision.why}`;
        return [{ ...about, by: 'refusal', why }];
      }
      const what = decision.is === 'refuses' ? 'whether it goes first' : decision.what;
      const why = `${name} is evaluated for ${laterWords(request)}, and depends on ${what}`;
      const settle = decision.is === 'refuses' ? undefined : decision.settle;
      return [{ ...about, by: 'admission', why, ...(settle === undefined ? {} : { settle }) }];
    });
  });
}

interface Named {
  readonly object: ApiObject;
  readonly policy: Policy;
}

function policiesByName({ all, observations }: Given): ReadonlyMap<string, Named> {
  return new Map(
    all.flatMap((object) => {
      const policy = observations.get(keyOf(object));
      return policy?.of === 'admission policy' ? [[object.name, { object, policy }] as const] : [];
    }),
  );
}

/** The policy of a binding, and what it decides about an UPDATE; null: it says nothing of any. */
function policyFor(binding: PolicyBinding, policies: ReadonlyMap<string, Named>, given: Given) {
  const found = policies.get(binding.policy);
  if (found === undefined || given.admitted.lets(found.object.name)) return null;
  const { object: policy, policy: known } = found;
  const matching = [known.matching, ...binding.matching];
  const decide = ({ about, subresource, by }: Later): Decision => {
    const asked = allOf(
      matching.map((one) => isAskedAbout(one, about, ['UPDATE'], given, { subresource })),
    );
    if (asked === 'no') return { is: 'accepts' };
    const how = { operation: 'UPDATE', subresource } as const;
    const decision = decisionOn(known, binding, about, by, given, how);
    const isOpen = asked === 'perhaps' && decision.is === 'refuses';
    return isOpen ? { is: 'unknown', what: 'labels or versions that the dump may lack' } : decision;
  };
  return { policy, matching, decide };
}

/** The PATCH with which a person takes a finalizer off. */
function freeing(about: ApiObject): Later {
  return { about, subresource: '', by: someone(false) };
}

function doubt(object: ApiObject, why: string): Doubt {
  return { object: keyOf(object), by: 'update', why };
}
