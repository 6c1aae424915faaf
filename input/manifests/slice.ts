import { type ApiObject, keyOf, type OwnerReference } from '../../model/index.ts';
import { groupedBy, groupedByEach, plural } from '../../text/layout.ts';
import { cyclesAmong } from '../../text/orders.ts';
import { type Beyond, type Links, linksOf, NOTHING_BEYOND } from '../cluster/links.ts';
import { type OpenWorld, ownersUnknownIn } from '../cluster/open-world.ts';
import type { KindCatalogue } from './kind-catalogue.ts';

/** There can be a copy in every namespace: with more of an object, the others are only counted. */
const SHOWN = 5;

/** The part of a cluster that matters, and why the rest does not. */
export interface Slice {
  readonly kept: readonly ApiObject[];
  /** Whether a deletion may reach an object; all others are steady. */
  readonly mortal: ReadonlySet<ApiObject>;
  /** Those of them that are only reached if a target that leaves its dependents does not. */
  readonly orphaned: ReadonlySet<ApiObject>;
  /** One sentence for each reason, with the number of objects. */
  readonly cut: readonly string[];
  /** Between all objects, kept or not. */
  readonly links: Links;
}

/** Owner references as a graph over the objects of a dump. */
interface Graph {
  readonly objects: readonly ApiObject[];
  /** Objects that a reference may mean: by uid, or by kind, namespace and name. */
  ownersOf(object: ApiObject): readonly ApiObject[];
  dependentsOf(object: ApiObject): readonly ApiObject[];
  /** Copies and records that a tool deletes with it, first those that hang or own something. */
  copiesOf(object: ApiObject): readonly ApiObject[];
  /** What is being deleted already, and takes this object along. */
  takersOf(object: ApiObject): readonly ApiObject[];
  /** Dependents of a missing owner: they share its virtual node in the collector's graph. */
  sharing(reference: OwnerReference): readonly ApiObject[];
  /**
   * Whether the owner exists exactly as the reference names it, where the collector looks for it,
   * or may exist: the dump has no object of its kind at all.
   */
  exists(reference: OwnerReference, dependent: ApiObject): boolean;
  readonly links: Links;
}

/**
 * Keeps every object that can affect what happens to the targets, or is affected. Starting from the
 * targets, it keeps:
 *
 * - the owners of every kept object: the object's fate depends on whether they exist;
 * - the dependents of every kept object that may ever be deleted: its removal affects them, and in
 *   foreground deletion they block it;
 * - the objects that name the same missing owner as a kept one: they share its virtual node;
 * - what a namespace, a definition or a node takes along, what the owner of a finalizer deletes,
 *   and what a claim or a volume waits for;
 * - of the copies that a tool deletes with a kept object, those that may be deleted anyway, and a
 *   few that stand for all others;
 * - claims and volumes that are being deleted and wait for a kept object that may ever be deleted;
 * - what is being deleted and takes a kept object along.
 *
 * An object may be deleted if it is a target, is being deleted, names an owner that is missing or
 * does not match, is a pod on a node that is gone, or if one of its owners may be deleted. Nothing
 * deletes the other objects: only their existence matters, not their further dependents.
 *
 * @param also further objects to keep.
 * @param orphans whether the targets are deleted so that their dependents stay.
 * @param idle targets that nothing deletes: what a deletion would reach is kept, and not mortal for it.
 */
export function slice(
  objects: readonly ApiObject[],
  targets: readonly ApiObject[],
  kinds: KindCatalogue,
  beyond: Beyond = NOTHING_BEYOND,
  also: readonly ApiObject[] = [],
  orphans = false,
  idle: ReadonlySet<ApiObject> = new Set(),
): Slice {
  const graph = graphOf(objects, kinds, beyond);
  const part = sliceFrom(graph, targets, [...targets, ...also]);
  if (idle.size > 0) {
    const deleted = targets.filter((target) => !idle.has(target));
    return sliceFrom(graph, deleted, part.kept);
  }
  if (!orphans) return part;
  const surely = mortalObjects(graph, targets, new Set(targets), part.mortal);
  return { ...part, orphaned: new Set([...part.mortal].filter((object) => !surely.has(object))) };
}

/**
 * The same without any deletion: keeps every object to which something can happen by itself. These
 * are the objects that are being deleted, those that name an owner that does not exist as named or
 * of which the dump says nothing, those in a cycle of owners, and all that follows from them.
 */
export function restlessSlice(
  objects: readonly ApiObject[],
  kinds: KindCatalogue,
  beyond: Beyond = NOTHING_BEYOND,
): Slice {
  const graph = graphOf(objects, kinds, beyond);
  const uids = new Set(objects.map(({ uid }) => uid));
  const cyclic = cyclesAmong(objects, (object) => graph.ownersOf(object));
  const restless = objects.filter(
    (object) =>
      object.ownerReferences.some(
        (reference) => !uids.has(reference.uid) || !graph.exists(reference, object),
      ) || cyclic.has(object),
  );
  const part = sliceFrom(graph, restless, [...mortalObjects(graph, restless)]);
  const rest = objects.length - part.kept.length;
  const cut = `${plural(rest, 'object')} cut: all of their owners exist, and nothing deletes them.`;
  return { ...part, cut: rest === 0 ? [] : [cut] };
}

/** What follows from `seeds`, if the objects that are `deleted` may be deleted. */
function sliceFrom(
  graph: Graph,
  deleted: readonly ApiObject[],
  seeds: readonly ApiObject[],
): Slice {
  const { objects } = graph;
  const mortal = mortalObjects(graph, deleted);
  const kept = new Set<ApiObject>(seeds);
  const shared = new Set<string>();
  for (const object of kept) {
    for (const owner of graph.ownersOf(object)) kept.add(owner);
    for (const taker of graph.takersOf(object)) kept.add(taker);
    for (const reference of object.ownerReferences) {
      if (shared.has(reference.uid) || graph.exists(reference, object)) continue;
      shared.add(reference.uid);
      for (const other of graph.sharing(reference)) kept.add(other);
    }
    if (!mortal.has(object)) continue;
    for (const dependent of graph.dependentsOf(object)) kept.add(dependent);
    for (const taken of graph.links.takenWith(object)) kept.add(taken);
    for (const copy of graph.copiesOf(object)) if (mortal.has(copy)) kept.add(copy);
    for (const other of graph.links.waitedFor(object)) kept.add(other);
    for (const other of graph.links.waiting(object)) kept.add(other);
  }
  const rest = objects.filter((object) => !kept.has(object));
  return {
    kept: objects.filter((object) => kept.has(object)),
    mortal,
    orphaned: new Set(),
    cut: reasons(graph, kept, rest, mortal),
    links: graph.links,
  };
}

/**
 * @param leaving the targets whose dependents stay.
 * @param shown the copies that may go; null: to be chosen.
 */
function mortalObjects(
  graph: Graph,
  targets: readonly ApiObject[],
  leaving: ReadonlySet<ApiObject> = new Set(),
  shown: ReadonlySet<ApiObject> | null = null,
): ReadonlySet<ApiObject> {
  const mortal = new Set<ApiObject>(targets);
  for (const object of graph.objects) {
    const doubtful = object.ownerReferences.some((reference) => !graph.exists(reference, object));
    if (object.deletionTimestamp !== null || doubtful || graph.links.isTaken(object)) {
      mortal.add(object);
    }
  }
  const copied = new Set<ApiObject>();
  for (let before = -1; before < mortal.size; ) {
    before = mortal.size;
    for (const object of mortal) {
      if (!leaving.has(object)) {
        for (const dependent of graph.dependentsOf(object)) mortal.add(dependent);
      }
      for (const taken of graph.links.takenWith(object)) mortal.add(taken);
    }
    // Last: what goes anyway does not stand for copies that go only with this object.
    for (const object of [...mortal].filter((one) => !copied.has(one))) {
      copied.add(object);
      const others = graph.copiesOf(object).filter((copy) => shown?.has(copy) ?? !mortal.has(copy));
      for (const copy of shown === null ? others.slice(0, SHOWN) : others) mortal.add(copy);
    }
  }
  return mortal;
}

function graphOf(objects: readonly ApiObject[], kinds: KindCatalogue, beyond: Beyond): Graph {
  const byUid = new Map(objects.map((object) => [object.uid, object]));
  const byKey = groupedBy(objects, looseKey);
  const byReference = groupedByEach(objects, ({ ownerReferences }) =>
    ownerReferences.map(({ uid }) => uid),
  );
  const dependents = new Map<ApiObject, Set<ApiObject>>();
  const world: OpenWorld = ownersUnknownIn(objects, kinds);
  const owners = new Map<ApiObject, readonly ApiObject[]>();
  for (const object of objects) {
    if (object.ownerReferences.length === 0) continue;
    const found = object.ownerReferences.flatMap((reference) => {
      const named = (object.namespace === '' ? [''] : [object.namespace, '']).flatMap(
        (namespace) =>
          byKey.get(looseKey({ kind: reference.kind, namespace, name: reference.name })) ?? [],
      );
      const owner = byUid.get(reference.uid);
      return owner === undefined ? named : [owner, ...named];
    });
    owners.set(object, found);
  }
  const ownersOf = (object: ApiObject): readonly ApiObject[] => owners.get(object) ?? [];
  for (const object of objects) {
    for (const owner of ownersOf(object)) {
      dependents.set(owner, (dependents.get(owner) ?? new Set()).add(object));
    }
  }
  const links = linksOf(objects, kinds.table(), beyond);
  const takers = groupedBy(
    objects
      .filter(({ deletionTimestamp }) => deletionTimestamp !== null)
      .flatMap((taker) =>
        [...links.takenWith(taker), ...links.followedBy(taker).map(({ object }) => object)].map(
          (taken) => ({ taker, taken }),
        ),
      ),
    ({ taken }) => taken,
  );
  const isPlain = (object: ApiObject): number =>
    object.finalizers.length === 0 && !dependents.has(object) ? 1 : 0;
  return {
    objects,
    links,
    copiesOf: (object) =>
      links
        .followedBy(object)
        .map((one) => one.object)
        .sort((a, b) => isPlain(a) - isPlain(b)),
    takersOf: (object) => (takers.get(object) ?? []).map(({ taker }) => taker),
    ownersOf,
    dependentsOf: (object) => [...(dependents.get(object) ?? [])],
    sharing: (reference) => byReference.get(reference.uid) ?? [],
    exists: (reference, dependent) => {
      const owner = byUid.get(reference.uid);
      if (owner === undefined) return world.isUnknown(reference, dependent);
      if (owner.name !== reference.name) return false;
      if (owner.namespace !== '' && owner.namespace !== dependent.namespace) return false;
      return kinds.resolve(reference.apiVersion, reference.kind)?.name === owner.kind;
    },
  };
}

function bareKind(kind: string): string {
  return kind.split('.')[0] ?? kind;
}

/**
 * Ignores groups, so that a reference with a wrong apiVersion still finds the object it may mean.
 */
function looseKey(object: Pick<ApiObject, 'kind' | 'namespace' | 'name'>): string {
  return keyOf({ ...object, kind: bareKind(object.kind) });
}

function reasons(
  graph: Graph,
  kept: ReadonlySet<ApiObject>,
  rest: readonly ApiObject[],
  mortal: ReadonlySet<ApiObject>,
): readonly string[] {
  const copies = new Set(
    [...kept].flatMap((object) =>
      mortal.has(object) ? graph.copiesOf(object).filter((copy) => !kept.has(copy)) : [],
    ),
  );
  for (const copy of copies) {
    for (const next of graph.dependentsOf(copy)) if (!kept.has(next)) copies.add(next);
  }
  const others = rest.filter((object) => !copies.has(object));
  const beside = new Set(
    others.filter((object) => graph.ownersOf(object).some((owner) => kept.has(owner))),
  );
  for (const object of beside) {
    for (const next of [...graph.dependentsOf(object), ...graph.ownersOf(object)]) {
      if (!kept.has(next) && !copies.has(next)) beside.add(next);
    }
  }
  const unconnected = others.length - beside.size;
  return [
    ...(unconnected > 0
      ? [
          `${plural(unconnected, 'object')} cut: no owner reference, namespace, definition, claim or tracking label connects ${them(unconnected)} with the deleted object.`,
        ]
      : []),
    ...(copies.size > 0
      ? [
          `${plural(copies.size, 'object')} cut: further copies that a tool deletes with what goes, and what they own. The copies in the answer stand for them.`,
        ]
      : []),
    ...(beside.size > 0
      ? [
          `${plural(beside.size, 'object')} cut: connected only through owners that nothing deletes here, and the collector only asks whether such an owner exists.`,
        ]
      : []),
  ];
}

function them(count: number): string {
  return count === 1 ? 'it' : 'them';
}
