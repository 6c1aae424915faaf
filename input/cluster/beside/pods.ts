import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import { budgetsOver } from '../budgets.ts';
import { type KnownFinalizer, knownFinalizer } from '../known/index.ts';
import { byUidIn, dependentsIn } from '../lookups.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** PodDisruptionBudgets of pods that go: a deletion asks none of them, an eviction does. */
export function budgetsIn(
  given: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
  table: readonly KnownFinalizer[],
): readonly Besides[] {
  const { all, kept, goes, observations, look } = given;
  const isDrained = drainedIn(given, table);
  const pods = kept.filter(
    (object) =>
      object.pod !== undefined && goes(object) && !isBeingDeleted(object) && !isDrained(object),
  );
  if (pods.length === 0) return [];
  const covered = new Map<ApiObject, number>();
  for (const pod of pods) {
    look();
    for (const { object } of budgetsOver(pod, { all, observations, labels })) {
      covered.set(object, (covered.get(object) ?? 0) + 1);
    }
  }
  return all.flatMap((budget: ApiObject): readonly Besides[] => {
    const count = covered.get(budget);
    if (count === undefined || goes(budget)) return [];
    const go = `${plural(count, 'pod')} that it covers ${count === 1 ? 'goes' : 'go'}`;
    const what = `${displayName(budget)} does not hold this up: it limits evictions (kubectl drain), not deletions, and ${go}`;
    return [{ object: keyOf(budget), what }];
  });
}

/**
 * Whether the owner of a finalizer evicts a pod from its node, which is judged with the finalizer.
 * A node that the dump does not connect with the object may be any.
 */
function drainedIn(
  { all, kept, goes }: BesidesGiven,
  table: readonly KnownFinalizer[],
): (pod: ApiObject) => boolean {
  const drained = kept.filter(
    (object) =>
      goes(object) &&
      object.finalizers.some((name) => knownFinalizer(name, table, object.kind)?.drains === true),
  );
  const groups = drained.map(({ uid }) =>
    [byUidIn(all).get(uid), ...(dependentsIn(all).get(uid) ?? [])].filter(
      (node) => node?.kind === 'Node',
    ),
  );
  const names = new Set(groups.flat().map((node) => node?.name));
  const isAny = groups.some((nodes) => nodes.length === 0);
  return ({ pod }) => drained.length > 0 && (isAny || names.has(pod?.node));
}
