import { type ApiObject, allFinalizers, keyOf } from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { abandonedBy } from '../doubts/abandoned.ts';
import { type KnownFinalizer, knownFinalizer } from '../known/index.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/**
 * What becomes of the databases, buckets and networks in clouds for which objects stand that go.
 */
export function externalIn(
  { all, kept, goes, observations }: BesidesGiven,
  table: readonly KnownFinalizer[],
): readonly Besides[] {
  const found = kept.filter(goes).flatMap((object) =>
    allFinalizers(object).flatMap((finalizer) => {
      const known = knownFinalizer(finalizer, table, object.kind);
      if (known?.external !== true) return [];
      const by = abandonedBy(object, known, all, observations);
      return [{ object, what: known.leaves, by }];
    }),
  );
  const groups = groupedBy(found, ({ what, by }) => `${what} ${by}`);
  return [...groups.values()].flatMap((group): readonly Besides[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { object, what, by } = first;
    const behind = `${what} behind ${namesOf(group.map((one) => one.object))}`;
    const fate =
      by === null
        ? 'is deleted as well, unless a policy that the object does not show says otherwise'
        : `stays, as ${by} says`;
    return [{ object: keyOf(object), what: `${behind} ${fate}` }];
  });
}

function namesOf([first, ...others]: readonly ApiObject[]): string {
  const name = first === undefined ? '' : displayName(first);
  return others.length === 0 ? name : `${name} and ${plural(others.length, 'other object')}`;
}
