import { rowOf } from '../../../input/cluster/doubts/apart.ts';
import { remembered } from '../../../input/cluster/lookups.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { Plan } from '../../../input/plan.ts';
import { type ApiObject, allFinalizers, isBeingDeleted, keyOf } from '../../../model/index.ts';
import type { Wait } from '../../../report/document/answer.ts';
import { groupedBy } from '../../../text/layout.ts';
import { reasonsWhy } from '../blockers.ts';
import { OF_KUBERNETES } from './objects.ts';
import type { Hanging } from './option.ts';

/** Objects that wait for each other, or for the same thing, have their remedies together. */
export function groupsOf<One extends Hanging>(
  hanging: readonly One[],
  plan: Plan,
): readonly (readonly One[])[] {
  const deleting = hanging.filter(({ object }) => isBeingDeleted(object));
  const byName = new Map(deleting.map((one) => [displayName(one.object), one]));
  // The groups of objects and of reasons, and these groups in the order in which they were last
  // joined.
  const groupOf = new Map<One | string, Set<One | string>>();
  const groups = new Set<Set<One | string>>();
  for (const one of deleting) {
    const linked = [...one.waits.map(({ what }) => what), ...beneath(one, plan)].flatMap(
      (name) => byName.get(name) ?? [],
    );
    const together = [one, ...linked, ...reasonsWhy(one, plan)];
    const joined = [...new Set(together.flatMap((each) => groupOf.get(each) ?? []))];
    const [largest = new Set(), ...others] = joined.sort((a, b) => b.size - a.size);
    for (const group of joined) groups.delete(group);
    for (const each of [...others.flatMap((group) => [...group]), ...together]) {
      largest.add(each);
      groupOf.set(each, largest);
    }
    groups.add(largest);
  }
  const places = new Map<One | string, number>(deleting.map((one, place) => [one, place]));
  return [...groups].map((group) =>
    [...group]
      .flatMap((each) => places.get(each) ?? [])
      .sort((a, b) => a - b)
      .flatMap((place) => deleting[place] ?? []),
  );
}

/** What the owners of its finalizers wait for, and what another finalizer holds. */
function beneath({ object, waits }: Hanging, { cluster }: Plan): readonly string[] {
  const finalizers = new Set(waits.flatMap((wait) => (wait.for === 'finalizer' ? wait.what : [])));
  return (cluster?.finalizers ?? [])
    .filter(({ finalizer }) => finalizers.has(finalizer))
    .flatMap((judged) => {
      const { held } = rowOf(judged, keyOf(object));
      return held?.by === 'beneath' ? held.objects.map(displayName) : [];
    });
}

/**
 * The group and the dependents that it waits for: they are not being deleted yet, but what will
 * hold them holds the group.
 */
export function withDependents(group: readonly Hanging[], plan: Plan): readonly Hanging[] {
  const { places, byName } = laterIn(plan.setup.objects);
  const awaited = new Set(group.flatMap(({ waits }) => waits.map(({ what }) => what)));
  const later = [...awaited]
    .flatMap((name) => byName.get(name) ?? [])
    .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    .map((object): Hanging => {
      // What the controllers of Kubernetes wait for, an attempt shows.
      const waits = allFinalizers(object)
        .filter((finalizer) => !OF_KUBERNETES.includes(finalizer))
        .map((finalizer): Wait => ({ for: 'finalizer', what: finalizer, text: '' }));
      return { object, waits };
    });
  return [...group, ...later];
}

/** What is not being deleted yet, with places and by name. */
const laterIn = remembered((objects: readonly ApiObject[]) => {
  const later = objects.filter((object) => !isBeingDeleted(object));
  return {
    places: new Map(later.map((object, place) => [object, place])),
    byName: groupedBy(later, displayName),
  };
});
