import {
  type ApiObject,
  allFinalizers,
  isBeingDeleted,
  isRemovedByNone,
  keyOf,
  kindOf,
  type Setup,
  type Uid,
  type Workload,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import { rootIn } from '../../text/orders.ts';
import { haveContainers, isContainerIn } from './containers/emptied.ts';
import { colorsOf, wordsIn } from './likeness/colors.ts';
import { definitionName, definitionOfKey } from './links.ts';
import { byKeyIn, byUidIn, placesIn, remembered } from './lookups.ts';
import { waveLinks, withoutKeys } from './operating/waves.ts';
import { areRequestsApart, requestsAbout } from './requests.ts';
import { NAMING, REPLACEMENT } from './workloads.ts';

/**
 * How a setup is divided into parts. `trees`: the objects that no owner, claim, volume, node or
 * actor connects are apart; each part also has what the requests name. `chains`: each object
 * without dependents, with all that waits for it or owns it. If the requests are apart
 * (`areRequestsApart`), a chain has only those for its own objects, so that a chain may have none;
 * otherwise it also has what all of the requests name. A workload of which a part lacks children
 * wants as many fewer.
 */
export type Division = 'trees' | 'chains';

/** One part of a setup. */
export interface DividedPart {
  /** The objects that it does not share with all other parts. */
  readonly own: readonly Uid[];
  /** With what all parts share. */
  readonly setup: Setup;
  /** The part together with others. */
  readonly beside: (others: readonly DividedPart[]) => Setup;
}

/** The parts of a setup; those that are alike come once. A single one is the whole. */
export function divided(setup: Setup, division: Division): readonly DividedPart[] {
  return DIVIDED[division](setup);
}

const DIVIDED = {
  trees: remembered((setup: Setup) => divide(setup, 'trees')),
  chains: remembered((setup: Setup) => divide(setup, 'chains')),
} as const;

function divide(setup: Setup, division: Division): readonly DividedPart[] {
  const isOwn = division === 'chains' && areRequestsApart(setup);
  const shared = isOwn ? emptiedIn(setup) : requested(setup);
  const links = linksOf(setup, shared);
  const groups = division === 'trees' ? treesOf(setup, links) : chainsOf(setup, links);
  const rest = groups.map((uids) => uids.filter((uid) => !shared.has(uid)));
  const colors = colorsOf(setup);
  // Each kind has a watch stream of its own.
  const kindOf = new Map(setup.objects.map(({ uid, kind }) => [uid, kind]));
  const kinds = new Map(
    rest
      .filter((uids) => uids.length > 0)
      .map((uids) => {
        const signature = uids.map((uid) => `${kindOf.get(uid)} ${colors.get(uid)}`).sort();
        return [signature.join(' '), uids] as const;
      }),
  );
  if (kinds.size <= 1 && rest.length <= 1) {
    return [{ own: rest.flat(), setup, beside: () => setup }];
  }
  return [...kinds.values()].map((own) => {
    const make = (more: readonly Uid[]): Setup =>
      partWith(setup, inOrderOf(setup, [...shared, ...own, ...more]), isOwn);
    let made: Setup | null = null;
    return {
      own,
      // There can be as many parts as objects, and few of them are searched.
      get setup() {
        made ??= make([]);
        return made;
      },
      beside: (others) => make(others.flatMap((other) => other.own)),
    };
  });
}

/** The objects with these uids, in the order of the setup. */
export function inOrderOf({ objects }: Setup, uids: readonly Uid[]): readonly ApiObject[] {
  const places = placesIn(objects);
  return [...new Set(uids)]
    .flatMap((uid) => places.get(uid) ?? [])
    .sort((one, other) => one - other)
    .flatMap((place) => objects[place] ?? []);
}

function partWith(setup: Setup, objects: readonly ApiObject[], isOwn: boolean): Setup {
  const own = isOwn ? { users: requestsAbout(setup, objects) } : {};
  const part = { ...restrictedTo(setup, objects), ...own };
  return {
    ...part,
    kinds: kindsOf(part),
    ...((setup.emptiedNamespaces ?? []).length === 0 ? {} : { otherContents: true as const }),
  };
}

/**
 * Whether the trees of a setup meet only in namespaces and definitions that controllers empty. If
 * everything goes in each tree by itself, then everything goes in the whole.
 *
 * Argument: the steps for the objects of one tree in a fair run of the whole are a run of that
 * tree, as for `components`: what the collector, kubelets and other actors do depends on objects of
 * one tree. The controllers of namespaces and definitions are different in two ways. They can begin
 * again at any time, because other contents have changed; `otherContents` permits that in each
 * tree. And they go on later: from pods to other contents once all pods are gone, and to the end
 * once all contents are gone. In a tree by itself they do so once its own pods, or its own
 * contents, are gone. So no pod of the tree waits for the first, and no content waits for the
 * second. All pods go in all trees, so the first happens; then all contents go, so the second
 * happens.
 *
 * The same argument permits that objects other than pods stay: contents do not wait for each other
 * across trees. A pod that stays holds back the other contents of its namespace (KEP-5080).
 */
export function meetInContainers(setup: Setup): boolean {
  const containers = containersOf(setup);
  return containers.every((object) => isContainerIn(setup, object)) && haveContainers(setup);
}

/** Uids of what controllers empty, with all that may delete it. */
function emptiedIn(setup: Setup): ReadonlySet<Uid> {
  const emptied = setup.objects.filter((object) => isContainerIn(setup, object));
  return withAbove(
    setup,
    emptied.map(({ uid }) => uid),
  );
}

/** The objects that all parts have: those that requests name, and their owners. */
export function containersOf(setup: Setup): readonly ApiObject[] {
  const shared = requested(setup);
  return setup.objects.filter(({ uid }) => shared.has(uid));
}

/** Whether a pod that stays holds back the other contents of its namespace. */
export function areHeldByPods({ rules, emptiedNamespaces = [] }: Setup): boolean {
  return rules.namespaceContentOrder === 'podsFirst' && emptiedNamespaces.length > 0;
}

/** The setup with only these objects, and with the actors that concern them. */
export function restrictedTo(setup: Setup, objects: readonly ApiObject[]): Setup {
  const keys = new Set<string>(objects.map(keyOf));
  const all = byKeyIn(setup.objects);
  const isLeft = (key: string): boolean => all.has(key) && !keys.has(key);
  const finalizers = new Set(objects.flatMap(allFinalizers));
  const namespaces = new Set(
    objects.flatMap(({ kind, name }) => (kind === 'Namespace' ? [name] : [])),
  );
  const { workloads, operators, emptiedNamespaces, definitions } = setup;
  const isHere = ({ parent }: { readonly parent: { readonly key: string } }): boolean =>
    keys.has(parent.key);
  return withoutOtherOwners(setup, {
    ...setup,
    objects,
    finalizers: Object.fromEntries(
      [...finalizers].flatMap((name) => {
        const owner = setup.finalizers[name];
        return owner === undefined ? [] : [[name, owner]];
      }),
    ),
    ...(workloads === undefined
      ? {}
      : {
          workloads: workloads.filter(isHere).map((workload) => without(setup, workload, isLeft)),
        }),
    ...(operators === undefined
      ? {}
      : {
          operators: operators.filter(isHere).map((operator) => withoutKeys(operator, isLeft)),
        }),
    ...(definitions === undefined
      ? {}
      : { definitions: definitions.filter((key) => keys.has(key)) }),
    ...(emptiedNamespaces === undefined
      ? {}
      : { emptiedNamespaces: emptiedNamespaces.filter((name) => namespaces.has(name)) }),
  });
}

/**
 * Without an actor that removes a finalizer from other objects only, the finalizer would have an
 * owner of its own, who removes it from these.
 */
function withoutOtherOwners(setup: Setup, part: Setup): Setup {
  const isLeft = (of: Setup, object: ApiObject, finalizer: string): boolean =>
    isRemovedByNone(of, finalizer, keyOf(object), object.uid);
  const left = part.objects.flatMap((object) =>
    allFinalizers(object).filter((one) => isLeft(setup, object, one) && !isLeft(part, object, one)),
  );
  if (left.length === 0) return part;
  const stuck = left.map((finalizer) => [finalizer, 'stuck'] as const);
  return { ...part, finalizers: { ...part.finalizers, ...Object.fromEntries(stuck) } };
}

/**
 * A controller neither creates again what was left out, nor misses it: one that counts its children
 * wants as many fewer as it would have counted among them.
 */
function without(
  { objects, rules }: Setup,
  workload: Workload,
  isLeft: (key: string) => boolean,
): Workload {
  const { parent, replicas, children, selects = [] } = workload;
  const names = new Set<string>([...children.map(keyOf), ...selects].filter(isLeft));
  if (names.size === 0) return workload;
  const all = byKeyIn(objects);
  const lacking = [...names].flatMap((key) => all.get(key) ?? []);
  const counted = NAMING.includes(kindOf(parent.key))
    ? []
    : lacking.filter(
        (object) =>
          object.pod?.finished !== true &&
          (!isBeingDeleted(object) || rules.terminatingPods === 'counted'),
      );
  const replacements = new Set(lacking.map(({ uid }) => `${uid}${REPLACEMENT}`));
  return {
    ...workload,
    replicas: Math.max(0, replicas - counted.length),
    children: children.filter((child) => !names.has(keyOf(child)) && !replacements.has(child.uid)),
    ...(workload.selects === undefined
      ? {}
      : { selects: selects.filter((key) => !names.has(key)) }),
  };
}

/** The kinds that a part needs. Passes over kinds without contents only take time. */
export function kindsOf({ kinds, rules: _rules, objects, ...rest }: Setup): Setup['kinds'] {
  const { places, called, defined } = kindNamesIn(kinds);
  const named = objects.flatMap(({ ownerReferences }) => ownerReferences.map(({ kind }) => kind));
  const words = [...wordsIn(rest)];
  const names = new Set([
    ...objects.map(({ kind }) => kind),
    ...['Namespace', ...named].flatMap((kind) => called.get(kind) ?? []),
    // Store keys begin with a kind; that of a definition ends with its name.
    ...words.flatMap((word) => [word, word.split('/', 1)[0] ?? '']),
    ...words.flatMap((word) => {
      const end = word.lastIndexOf('//');
      return end < 0 ? [] : (defined.get(word.slice(end + 2)) ?? []);
    }),
  ]);
  const placed = [...names].flatMap((name) => {
    const kind = kinds[name];
    const place = places.get(name);
    return kind === undefined || place === undefined ? [] : [{ name, kind, place }];
  });
  return Object.fromEntries(
    placed
      .sort((one, other) => one.place - other.place)
      .map(({ name, kind }) => [name, kind] as const),
  );
}

/** The places of kinds in their table by name, and their names by what else names them. */
const kindNamesIn = remembered((kinds: Setup['kinds']) => {
  const names = Object.keys(kinds);
  return {
    places: new Map(names.map((name, place) => [name, place])),
    called: groupedBy(names, (name) => kinds[name]?.kind ?? ''),
    defined: groupedBy(names, (name) => definitionName(kinds[name])),
  };
});

/**
 * Uids of the objects that requests name and of what controllers empty, with all that may delete
 * them.
 */
function requested(setup: Setup): ReadonlySet<Uid> {
  const { objects, users } = setup;
  const named = wordsIn(users);
  const found = new Set(
    objects.flatMap((object) =>
      isContainerIn(setup, object) || named.has(keyOf(object)) || named.has(object.uid)
        ? [object.uid]
        : [],
    ),
  );
  return withAbove(setup, [...found]);
}

/**
 * These objects, and what may delete them: their owners, and the objects whose operators do so.
 * Without those, a part in which they are would not know that they go.
 */
function withAbove({ objects, operators = [] }: Setup, uids: readonly Uid[]): ReadonlySet<Uid> {
  const byUid = byUidIn(objects);
  const deleting = groupedBy(
    operators.flatMap(({ deletes, parent }) => deletes.map(({ key }) => ({ key, parent }))),
    ({ key }) => key,
  );
  const found = new Set(uids);
  for (const uid of found) {
    const object = byUid.get(uid);
    if (object === undefined) continue;
    const owners = object.ownerReferences.map((owner) => owner.uid);
    const parents = (deleting.get(keyOf(object)) ?? []).map(({ parent }) => parent.uid);
    for (const above of [...owners, ...parents]) if (byUid.has(above)) found.add(above);
  }
  return found;
}

/** From an object up to what owns it, waits for it, or is responsible for it. */
type Link = readonly [from: Uid, to: Uid];

/** All links that do not lead to a shared object. Missing owners are included, by uid. */
function linksOf(setup: Setup, shared: ReadonlySet<Uid>): readonly Link[] {
  const {
    objects,
    workloads = [],
    operators = [],
    emptiedNamespaces = [],
    definitions = [],
  } = setup;
  const byKey = new Map<string, Uid>(objects.map((object) => [keyOf(object), object.uid]));
  const emptied = new Set(emptiedNamespaces);
  const definitionsByName = groupedBy(definitions, definitionOfKey);
  const up = objects.flatMap((object): Link[] => {
    const { uid, kind, ownerReferences, pod, namespace, volume } = object;
    const to = [
      ...ownerReferences.map((reference) => reference.uid),
      ...(pod?.claims ?? []).map((name) => byKey.get(`PersistentVolumeClaim/${namespace}/${name}`)),
      // Without its Node, pod gc would find the node of a pod absent.
      ...(pod?.node === undefined ? [] : [byKey.get(`Node//${pod.node}`)]),
      ...(emptied.has(namespace) ? [byKey.get(`Namespace//${namespace}`)] : []),
      ...(definitionsByName.get(definitionName(setup.kinds[kind])) ?? []).map((key) =>
        byKey.get(key),
      ),
    ];
    const claim = volume === undefined ? undefined : byKey.get(volume.claim);
    return [
      ...to.flatMap((other): Link[] => (other === undefined ? [] : [[uid, other]])),
      ...(claim === undefined ? [] : [[claim, uid] as const]),
    ];
  });
  const managed = [...workloads, ...operators].flatMap((actor): Link[] => {
    const found = [...wordsIn(actor)].flatMap((word) => byKey.get(word) ?? []);
    return found.map((uid) => [uid, actor.parent.uid]);
  });
  const isOwn = ([from, to]: Link): boolean => from !== to && !shared.has(from) && !shared.has(to);
  const trees = treesOf(setup, up.filter(isOwn));
  return [...up, ...managed, ...waveLinks(setup, trees)].filter(isOwn);
}

/** The objects that owners, claims, volumes, nodes and controllers other than operators connect. */
export function treesWithin({ operators: _, ...setup }: Setup): readonly (readonly Uid[])[] {
  return treesOf(setup, linksOf(setup, new Set()));
}

/** The objects that links connect, in either direction. */
function treesOf({ objects }: Setup, links: readonly Link[]): readonly (readonly Uid[])[] {
  const top = new Map<Uid, Uid>();
  const find = (uid: Uid): Uid => rootIn(top, uid);
  for (const [from, to] of links) top.set(find(from), find(to));
  const trees = groupedBy(
    objects.map(({ uid }) => uid),
    find,
  );
  return [...trees.values()];
}

/** For each object to which no link leads: it, and all that is above it. */
function chainsOf({ objects }: Setup, links: readonly Link[]): readonly (readonly Uid[])[] {
  const above = groupedBy(links, ([from]) => from);
  const below = new Set(links.map(([, to]) => to));
  const seen = new Set<Uid>();
  const chainOf = (uid: Uid): readonly Uid[] => {
    const chain = new Set([uid]);
    for (const each of chain) for (const [, next] of above.get(each) ?? []) chain.add(next);
    for (const each of chain) seen.add(each);
    return [...chain];
  };
  const ends = objects.filter(({ uid }) => !below.has(uid)).map(({ uid }) => chainOf(uid));
  // The objects of a cycle are all beneath each other.
  const cycles = objects.flatMap(({ uid }) => (seen.has(uid) ? [] : [chainOf(uid)]));
  return [...ends, ...cycles];
}
