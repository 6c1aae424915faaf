import { type ApiObject, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides } from '../beside/besides.ts';
import type { Observation } from '../observations.ts';
import { type Asking, isAskedAbout } from './asked.ts';
import type { Matching } from './observed.ts';

interface Given extends Asking {
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
}

/**
 * The admission policies that are evaluated for a DELETE and may refuse it. What they say of the object
 * is written in CEL, which nothing here evaluates. A policy acts only through its bindings, and only
 * one with the action Deny refuses.
 */
export function policiesIn(given: Given): readonly Besides[] {
  const { all, kept, goes, observations } = given;
  const policies = new Map(
    all.flatMap((object) => {
      const observed = observations.get(keyOf(object));
      return observed?.of === 'admission policy'
        ? [[object.name, { object, matching: observed.matching }] as const]
        : [];
    }),
  );
  return all.flatMap((binding): readonly Besides[] => {
    const observed = observations.get(keyOf(binding));
    if (observed?.of !== 'admission binding' || !observed.denies || goes(binding)) return [];
    const policy = policies.get(observed.policy);
    if (policy === undefined || goes(policy.object)) return [];
    const both: readonly Matching[] = [policy.matching, ...observed.matching];
    const about = kept.filter(
      (object) =>
        goes(object) &&
        both.every((matching) => isAskedAbout(matching, object, ['DELETE'], given) !== 'no'),
    );
    const [first] = about;
    if (first === undefined) return [];
    const more = about.length === 1 ? '' : ` and ${plural(about.length - 1, 'more object')}`;
    const what = `${displayName(policy.object)} is evaluated for the DELETE of ${displayName(first)}${more}, and may refuse it: its expressions are not evaluated here`;
    return [{ object: keyOf(first), what }];
  });
}
