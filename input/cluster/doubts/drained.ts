import { type ApiObject, isBeingDeleted, keyOf, objectKey } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { budgetsOver } from '../budgets.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKeyIn, byKindIn, byUidIn, dependentsIn, placesIn, remembered } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import { repelledBy } from '../new-pods/fits.ts';
import { workloadsOf } from '../observed/finalizer-owners.ts';
import { usedNames } from '../observed/uses.ts';
import { CLUSTER_API, isNodeOf, isOfLeaving } from '../operating/machines.ts';
import { type Evidence, firstHeld, type Held, isReached } from './evidence.ts';

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
  const { dump, observations, goes } = evidence;
  for (const object of objects.filter((one) => isReached(one, evidence))) {
    const own = byUidIn(dump).get(object.uid);
    const marks = marksOn(observations, object);
    const named = usedNames(marks, 'Node');
    const undrained = marks.find(({ mark }) => mark === 'undrained');
    const by = undrained?.mark === 'undrained' ? undrained.by : null;
    const nodes = inOrder(dump, [
      ...(own === undefined ? [] : [own]),
      ...(dependentsIn(dump).get(object.uid) ?? []),
      ...named.flatMap(
        (name) => byKeyIn(dump).get(keyOf({ kind: 'Node', namespace: '', name })) ?? [],
      ),
    ]).filter(
      (one) =>
        one.kind === 'Node' &&
        (known.project !== CLUSTER_API || isNodeOf(one, object, observations)),
    );
    if (known.project === CLUSTER_API) {
      if (!marks.some((mark) => mark.mark === 'uses' && mark.kind === 'Node')) continue;
      if (named.includes('') || isOfLeaving(object, dump, observations, goes)) continue;
      if (nodes.length === 0) return elsewhere(object, named[0], by, known);
    }
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
    const node = nodes.map(displayName)[0] ?? 'its node';
    const first =
      by === null
        ? `${known.owner} drains ${node} first`
        : `${known.owner} waits until no volume is attached to ${node}`;
    const kept = pods.flatMap((pod) => {
      const budget = keptOnNode(pod, known, evidence);
      const why = by === null ? budget : keptVolume(pod, by, budget);
      return why === null ? [] : [{ pod, why }];
    });
    if (kept.length > 0) {
      const why = `${first}, and ${kept[0]?.why}`;
      return { by: 'drained', objects: kept.map(({ pod }) => pod), why };
    }
    // By an annotation, nothing is evicted.
    const evicts = by === null || isTime(by);
    const itself = evicts ? evictsItself(known, nodes, evidence) : null;
    if (itself !== null) return { by: 'unseen', objects: [object], why: `${first}, ${itself}` };
  }
  return null;
}

/** A node that the dump does not have. */
function elsewhere(
  machine: ApiObject,
  node: string | undefined,
  undrained: string | null,
  { owner }: KnownFinalizer,
): Held {
  const [words, which] =
    node === undefined
      ? ['its node', 'the dump does not say which that is, and it']
      : [`Node/${node}`, 'that node'];
  const [first, keeps] =
    undrained === null
      ? [`${owner} drains ${words} first`, 'budgets can keep its pods']
      : [
          `${owner} waits until no volume is attached to ${words}`,
          `pods can keep one, as it is not drained to the end (${undrained})`,
        ];
  const why = `${first}; ${which} may be in another cluster, where ${keeps}`;
  return { by: 'elsewhere', objects: [machine], why };
}

/**
 * Its own pods run on nodes that it drains or that go as well, and no node that stays takes new
 * ones, as far as the dump says: a clause; null: it is not so. Resources are not counted.
 */
function evictsItself(
  known: KnownFinalizer,
  drained: readonly ApiObject[],
  evidence: Evidence,
): string | null {
  const { dump, observations, nodes } = evidence;
  const running = workloadsOf(known, dump);
  const pods = running.filter(({ pod }) => pod?.node !== undefined && pod.finished !== true);
  const leaving = (byKindIn(dump).get('Node') ?? []).filter(
    (node) => drained.includes(node) || isReached(node, evidence),
  );
  const names = new Set(leaving.map(({ name }) => name));
  const [first] = pods;
  if (first === undefined || !pods.every(({ pod }) => names.has(pod?.node ?? ''))) return null;
  const observed = running.map((one) => observations.get(keyOf(one)));
  const template = observed.find((one) => one?.of === 'workload');
  const wanted = template?.of === 'workload' ? template : ANYWHERE;
  const others = (byKindIn(dump).get('Node') ?? []).filter(({ name }) => !names.has(name));
  const takes = others.some(
    (node) =>
      !(nodes.lost.has(node.name) || nodes.unready.has(node.name)) &&
      repelledBy(node, wanted, evidence) === null,
  );
  if (takes) return null;
  return `with its own ${displayName(first)}, and no other node takes a new one`;
}

/**
 * An object of a node that is not there or goes as well, whose owner runs on each node and acts for
 * its own alone; null: none.
 */
export function onNodeDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (known?.onNode !== true) return null;
  const { dump, observations } = evidence;
  // A dump without nodes says nothing of them.
  if (!byKindIn(dump).has('Node')) return null;
  return firstHeld('unseen', objects, evidence, (object) => {
    const [name] = usedNames(marksOn(observations, object), 'Node');
    if (name === undefined || name === '') return null;
    const why = unservedOn(name, known, evidence);
    return why === null ? null : `only ${known.owner} on Node/${name}, ${why}, does that`;
  });
}

/** Why the owner may not act on the node: a clause; null: it may. */
function unservedOn(name: string, known: KnownFinalizer, evidence: Evidence): string | null {
  const { dump, nodes } = evidence;
  const node = byKeyIn(dump).get(objectKey('Node', '', name));
  if (node === undefined) return 'which the dump lacks';
  if (isReached(node, evidence)) return 'which may go first';
  const state = nodes.lost.get(name) ?? nodes.unready.get(name);
  if (state !== undefined) return `which ${state}`;
  return serves(known, name, evidence) ? null : 'where none of its pods is ready';
}

/** Whether a pod of the owner may be ready on the node: a dump may lack its pods. */
function serves(known: KnownFinalizer, node: string, { dump, observations }: Evidence): boolean {
  const pods = workloadsOf(known, dump).filter(({ pod }) => pod !== undefined);
  const isReady = (pod: ApiObject): boolean => {
    const found = observations.get(keyOf(pod));
    return !(found?.of === 'pod' && found.ready === false);
  };
  return pods.length === 0 || pods.some((one) => one.pod?.node === node && isReady(one));
}

const ANYWHERE = { places: [], tolerations: null } as const;

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

/**
 * A pod that may keep a volume on a node that is not drained to the end: a clause; null: it does not.
 *
 * @param kept why it may not be evicted before a time-out ends the drain; null: it may.
 */
function keptVolume(pod: ApiObject, undrained: string, kept: string | null): string | null {
  const [claim] = pod.pod?.claims ?? [];
  const isTimed = isTime(undrained);
  if (claim === undefined || (isTimed && kept === null)) return null;
  const why = isTimed ? `${kept}, until ${undrained} ends the drain` : `${undrained} says no drain`;
  return `${displayName(pod)} can keep PersistentVolumeClaim/${claim} there: ${why}`;
}

/** Whether a field ends the drain after a time, and no annotation forbids it. */
function isTime(undrained: string): boolean {
  return !undrained.includes('/');
}

/** Why the pod may not be evicted: a clause; null: it may. */
function keptOnNode(pod: ApiObject, known: KnownFinalizer, evidence: Evidence): string | null {
  const { dump, observations, goes, labels } = evidence;
  const marks = marksOn(observations, pod);
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
