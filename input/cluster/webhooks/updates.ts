import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Doubt } from '../beside/doubts.ts';
import { someone } from '../cel/requests.ts';
import { allOf, isAskedAbout } from './asked.ts';
import { decisionOn } from './decisions.ts';
import type { Given } from './policies.ts';
import { isAskedToFree } from './refusals.ts';

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
  return all.flatMap((configuration): readonly Doubt[] => {
    const observed = observations.get(keyOf(configuration));
    const name = displayName(configuration);
    if (observed?.of === 'webhooks') {
      return observed.webhooks.flatMap((webhook) => {
        const names = [webhook.name, configuration.name];
        const asked = held.filter(
          (object) => isAskedToFree(webhook, object, names, given) !== 'no',
        );
        return asked.map((object) =>
          doubt(object, `the webhook ${webhook.name} of ${name} is asked`),
        );
      });
    }
    if (observed?.of !== 'admission binding') return [];
    const { policy: named, matching } = observed;
    const policy = all.find((object) => object.name === named && isPolicy(object, given));
    if (policy === undefined) return [];
    const known = observations.get(keyOf(policy));
    if (known?.of !== 'admission policy' || given.admitted.lets(named)) return [];
    const open = held.filter((object) => {
      const asked = [known.matching, ...matching].map((one) =>
        isAskedAbout(one, object, ['UPDATE'], given),
      );
      if (allOf(asked) === 'no') return false;
      return decisionOn(known, observed, object, someone(false), given, 'UPDATE').is !== 'accepts';
    });
    return open.map((object) => doubt(object, `${displayName(policy)} is evaluated`));
  });
}

function isPolicy(object: ApiObject, { observations }: Given): boolean {
  return observations.get(keyOf(object))?.of === 'admission policy';
}

function doubt(object: ApiObject, why: string): Doubt {
  return { object: keyOf(object), by: 'update', why };
}
