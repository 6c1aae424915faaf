import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Observation } from '../observations.ts';
import { type Asked, type Asking, allOf, isAskedAbout } from './asked.ts';
import type { Matching } from './observed.ts';
import { type Review, reviewedBy } from './reviews.ts';

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
export function policiesIn(given: Given): readonly Review[] {
  const { all, kept, goes, observations } = given;
  const policies = new Map(
    all.flatMap((object) => {
      const observed = observations.get(keyOf(object));
      return observed?.of === 'admission policy'
        ? [[object.name, { object, matching: observed.matching }] as const]
        : [];
    }),
  );
  return all.flatMap((binding): readonly Review[] => {
    const observed = observations.get(keyOf(binding));
    if (observed?.of !== 'admission binding' || !observed.denies) return [];
    const policy = policies.get(observed.policy);
    if (policy === undefined) return [];
    const isThere = !goes(binding) && !goes(policy.object);
    const both: readonly Matching[] = [policy.matching, ...observed.matching];
    const asked = (object: ApiObject): Asked =>
      allOf(both.map((matching) => isAskedAbout(matching, object, ['DELETE'], given)));
    return [
      {
        ...reviewedBy(kept.filter(goes), asked, isThere),
        ...{ by: displayName(policy.object), verb: 'evaluated', preposition: 'for' },
        details: 'its expressions are not evaluated here',
      },
    ];
  });
}
