import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { budgetsOver } from '../budgets.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKeyIn, byUidIn, dependentsIn, placesIn, remembered } from '../lookups.ts';
import { usedNames } from '../observed/uses.ts';
import { type Evidence, type Held, isReached } from './evidence.ts';

/**
 * Pods that the owner of the finalizer has to evict from a node first, and may not; null: none that
 * the dump shows. A node that the dump does not connect with the object may have any of the pods.
 */
export function drainDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (known?.drains !== true) return null;
  const { dump, observations } = evidence;
  for (const object of objects.filter((one) => isReached(one, evidence))) {
    const own = byUidIn(dump).get(object.uid);
    const named = usedNames(observations.get(keyOf(object))?.marks, 'Node');
    const nodes = inOrder(dump, [
      ...(own === undefined ? [] : [own]),
      ...(dependentsIn(dump).get(object.uid) ?? []),
      ...named.flatMap(
        (name) => byKeyIn(dump).get(keyOf({ kind: 'Node', namespace: '', name })) ?? [],
      ),
    ]).filter(({ kind }) => kind === 'Node');
    const byNode = podsByNode(dump);
    const placed =
      nodes.length === 0
        ? [...byNode.values()].flat()
        : nodes.flatMap(({ name }) => byNode.get(name) ?? []);
    const pods = inOrder(dump, placed).filter(
      (one) =>
        one.pod?.finished !== true &&
        !isBeingDeleted(one) &&
        observations.get(keyOf(one))?.of !== 'mirror pod',
    );
    const first = `${known.owner} drains ${nodes.map(displayName)[0] ?? 'its node'} first`;
    const kept = pods.flatMap((pod) => {
      const why = keptOnNode(pod, known, evidence);
      return why === null ? [] : [{ pod, why }];
    });
    if (kept.length > 0) {
      const why = `${first}, and ${kept[0]?.why}`;
      return { by: 'drained', objects: kept.map(({ pod }) => pod), why };
    }
  }
  return null;
}

/** Each once, in the order of the dump. */
function inOrder(dump: readonly ApiObject[], objects: readonly ApiObject[]): readonly ApiObject[] {
  const places = placesIn(dump);
  const placeOf = ({ uid }: ApiObject): number => places.get(uid) ?? 0;
  return [...new Set(objects)].sort((one, other) => placeOf(one) - placeOf(other));
}

const podsByNode = remembered((dump: readonly ApiObject[]) =>
  groupedBy(
    dump.filter(({ pod }) => pod?.node !== undefined),
    ({ pod }) => pod?.node ?? '',
  ),
);

/** Why the pod may not be evicted: a clause; null: it may. */
function keptOnNode(pod: ApiObject, known: KnownFinalizer, evidence: Evidence): string | null {
  const { dump, observations, goes, labels } = evidence;
  const marks = observations.get(keyOf(pod))?.marks ?? [];
  const kept = marks.find(({ mark, tool }) => mark === 'keptBy' && tool === known.project);
  if (kept?.mark === 'keptBy') {
    return `does not evict ${displayName(pod)}, whose annotation ${kept.by} says so`;
  }
  const budgets = budgetsOver(pod, { all: dump, observations, labels })
    .filter(({ object }) => !goes(object))
    .map(({ object, observed: { allowed } }) => ({ name: displayName(object), allowed }));
  const [one, other] = budgets;
  const none = budgets.find(({ allowed }) => allowed === 0);
  if (none !== undefined) return `${none.name} allows no eviction of ${displayName(pod)} now`;
  if (one === undefined) return null;
  if (other !== undefined) {
    return `${one.name} and ${other.name} both cover ${displayName(pod)}: no pod with two budgets can be evicted`;
  }
  return one.allowed === null
    ? `the dump does not say whether ${one.name} allows an eviction of ${displayName(pod)}`
    : null;
}
