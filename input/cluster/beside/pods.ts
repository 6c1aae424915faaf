import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import { isCovered } from '../budgets.ts';
import { knownFinalizer } from '../known/index.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** PodDisruptionBudgets of pods that go: a deletion asks none of them, an eviction does. */
export function budgetsIn(
  { all, kept, goes, observations }: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  const pods = kept.filter(
    (object) => object.pod !== undefined && goes(object) && !isBeingDeleted(object),
  );
  // The owner of such a finalizer evicts them, which is judged with the finalizer.
  const isDrained = kept.some(
    (object) =>
      goes(object) && object.finalizers.some((name) => knownFinalizer(name)?.drains === true),
  );
  if (pods.length === 0 || isDrained) return [];
  return all.flatMap((budget: ApiObject): readonly Besides[] => {
    const observed = observations.get(keyOf(budget));
    if (observed?.of !== 'PodDisruptionBudget' || goes(budget)) return [];
    const covered = pods.filter((pod) => isCovered(pod, budget, observed.selector, labels));
    if (covered.length === 0) return [];
    const go = `${plural(covered.length, 'pod')} that it covers ${covered.length === 1 ? 'goes' : 'go'}`;
    const what = `${displayName(budget)} does not hold this up: it limits evictions (kubectl drain), not deletions, and ${go}`;
    return [{ object: keyOf(budget), what }];
  });
}
