import { onlyCollectorActs } from './acting.ts';
import { kubeletClient } from './actors/nodes/kubelet.ts';
import { patchReader } from './collector/delete-requests.ts';
import { finalizerClient, workerNames } from './state/client-names.ts';
import { equalJson } from './state/equal.ts';
import { grouped, instancesOf, possibleObjects } from './state/instances.ts';
import { identityOfNode, nodeId } from './state/nodes.ts';
import { type ApiObject, keyOf, type ObjectKey, type Uid } from './state/objects.ts';
import type { Setup, UserRequest } from './state/setup.ts';

/** Maps members to the members whose names they get; same structure as the checker's type. */
type Renaming = ReadonlyMap<string, string>;
type Parameters = Readonly<Record<string, string | number | boolean>>;

/** Same structure as the checker's `Symmetry`. Members are names of workers and keys of objects. */
export interface DeletionSymmetry {
  readonly groups: readonly { readonly name: string; readonly members: readonly string[] }[];
  renameKey(section: string, key: string, renaming: Renaming): string;
  renameValue(section: string, value: unknown, renaming: Renaming): unknown;
  renameParameters(parameters: Parameters, renaming: Renaming): Parameters;
}

/**
 * Sets of things that differ only in their names: the workers of one queue, and leaves of the
 * ownership tree that nothing else in the setup names. Null if there are none.
 *
 * Only the first of several idle workers takes an item. The omitted steps are images of that step
 * under renamings of idle workers, so a state still has a step into each orbit that it can reach.
 */
export function symmetryOf(setup: Setup): DeletionSymmetry | null {
  const spoken = stringsOf([setup.users, setup.finalizers, setup.objects]);
  const groups = [
    { name: 'delete workers', members: workerNames('delete', setup.deleteWorkers) },
    { name: 'orphan workers', members: workerNames('orphan', setup.orphanWorkers) },
  ].filter(({ members }) => members.length > 1 && !members.some((name) => spoken.has(name)));
  const objects = interchangeableObjects(setup);
  const all = [
    ...groups,
    ...objects.map((alike) => ({ name: `${ALIKE}${alike[0]!.kind}`, members: alike.map(keyOf) })),
  ];
  if (all.length === 0) return null;
  const names = new Names(setup, objects.flat());
  return {
    groups: all,
    renameKey: (_, key, renaming) => names.of(renaming).string(key),
    renameValue: (section, value, renaming) => {
      const renamed = names.of(renaming).value(value);
      return section === 'dependents' ? inOrder(renamed) : renamed;
    },
    renameParameters: (parameters, renaming) => names.of(renaming).value(parameters) as Parameters,
  };
}

/** Before the kind in the names of groups of objects. */
export const ALIKE = 'alike: ';

/** Requests whose handlers do not depend on the order of names. */
const ORDERLESS: readonly UserRequest['do'][] = [
  'create',
  'delete',
  'update',
  'read',
  'settle',
  'await',
];

/** Sets of at least two stored objects that are alike. */
export function interchangeableObjects(setup: Setup): readonly (readonly ApiObject[])[] {
  const requests = Object.values(setup.users).flat();
  if (!requests.every(({ request }) => ORDERLESS.includes(request.do))) return [];
  if (!onlyCollectorActs(setup)) return [];
  if (setup.discovery !== undefined) return [];
  const possible = possibleObjects(setup);
  const { objects: _, kinds: _kinds, rules: _rules, ...rest } = setup;
  const spoken = stringsOf(rest);
  const sayers = new Map<string, number>();
  for (const object of possible) {
    for (const text of stringsOf(object)) sayers.set(text, (sayers.get(text) ?? 0) + 1);
  }
  // An object says its own uid and name, and nobody else may.
  const isNamed = ({ uid, name, ...object }: ApiObject): boolean =>
    [keyOf({ ...object, name }), uid, name].some((text) => spoken.has(text)) ||
    sayers.has(keyOf({ ...object, name })) ||
    [uid, name].some((text) => (sayers.get(text) ?? 0) > 1);
  const candidates = setup.objects.filter((object) => !isNamed(object));
  const sets: ApiObject[][] = [];
  // Only objects with the same owners and finalizers are compared: there may be thousands.
  const near = new Map<string, ApiObject[][]>();
  for (const object of candidates) {
    // A uid of letters only could be a word of the model itself.
    if (/^[A-Za-z]*$/.test(object.uid)) continue;
    if (object.ownerReferences.some(({ uid }) => uid === object.uid)) continue;
    const owners = object.ownerReferences.map(({ uid }) => uid);
    const look = JSON.stringify([object.kind, owners, object.finalizers]);
    const known = near.get(look) ?? [];
    const alike = known.find(([first]) => equalJson(nameless(first!), nameless(object)));
    if (alike !== undefined) {
      alike.push(object);
      continue;
    }
    const set = [object];
    sets.push(set);
    near.set(look, [...known, set]);
  }
  return sets.filter(({ length }) => length > 1);
}

function nameless(object: ApiObject): ApiObject {
  return { ...object, name: '', uid: '' };
}

/** All strings in a value, keys of records included. */
function stringsOf(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') found.add(value);
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, part] of Object.entries(value)) {
    found.add(key);
    stringsOf(part, found);
  }
  return found;
}

/** The names under which objects appear in states and parameters, for each renaming. */
class Names {
  private readonly byKey: ReadonlyMap<ObjectKey, ApiObject>;
  private readonly nodes: ReadonlyMap<Uid, readonly string[]>;
  private readonly finalizers: readonly { readonly finalizer: string; readonly key: string }[];
  private readonly readers: readonly { readonly client: string; readonly key: ObjectKey }[];
  private readonly renamers = new WeakMap<Renaming, Renamer>();

  constructor(setup: Setup, objects: readonly ApiObject[]) {
    const { nodes, finalizers, keys } = instancesOf(setup);
    this.readers = workerNames('delete', setup.deleteWorkers).flatMap((client) =>
      keys.map((key) => ({ client, key })),
    );
    this.byKey = new Map(objects.map((object) => [keyOf(object), object]));
    this.nodes = grouped(nodes, (node) => identityOfNode(node).uid);
    this.finalizers = finalizers;
  }

  of(renaming: Renaming): Renamer {
    const known = this.renamers.get(renaming);
    if (known !== undefined) return known;
    const made = this.make(renaming);
    this.renamers.set(renaming, made);
    return made;
  }

  private make(renaming: Renaming): Renamer {
    const strings = new Map(renaming);
    const nameOfUid = new Map<string, string>();
    for (const [from, to] of renaming) {
      const object = this.byKey.get(from);
      const image = this.byKey.get(to);
      if (object === undefined || image === undefined) continue;
      nameOfUid.set(object.uid, image.name);
      strings.set(object.uid, image.uid);
      strings.set(kubeletClient(from), kubeletClient(to));
      for (const node of this.nodes.get(object.uid) ?? []) {
        const identity = identityOfNode(node);
        strings.set(node, nodeId({ ...identity, name: image.name, uid: image.uid }));
      }
      for (const { finalizer, key } of this.finalizers) {
        if (key === from)
          strings.set(finalizerClient(finalizer, from), finalizerClient(finalizer, to));
      }
    }
    for (const reader of this.readers) {
      const client = renaming.get(reader.client) ?? reader.client;
      const key = renaming.get(reader.key) ?? reader.key;
      strings.set(patchReader(reader), patchReader({ client, key }));
    }
    return new Renamer(strings, nameOfUid, [...this.byKey.keys()]);
  }
}

class Renamer {
  private readonly strings: ReadonlyMap<string, string>;
  private readonly nameOfUid: ReadonlyMap<string, string>;
  private readonly keys: readonly ObjectKey[];

  constructor(
    strings: ReadonlyMap<string, string>,
    nameOfUid: ReadonlyMap<string, string>,
    keys: readonly ObjectKey[],
  ) {
    this.strings = strings;
    this.nameOfUid = nameOfUid;
    this.keys = keys;
  }

  string(text: string): string {
    const renamed = this.strings.get(text);
    if (renamed !== undefined) return renamed;
    // Otherwise a name that is built from a key elsewhere would stay unchanged.
    const hidden = this.keys.find((key) => text !== key && text.endsWith(key));
    if (hidden !== undefined && this.strings.has(hidden)) {
      throw new Error(`${text} is made of the name ${hidden}, which the renaming changes`);
    }
    return text;
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.string(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((part) => this.value(part));
    const record = value as Readonly<Record<string, unknown>>;
    // A name is ambiguous. Beside a uid it is the name of the object with that uid.
    const name = typeof record.uid === 'string' ? this.nameOfUid.get(record.uid) : undefined;
    return Object.fromEntries(
      Object.entries(record).map(([field, part]) => {
        if (field === 'name') return [field, name ?? part];
        const renamed = this.value(part);
        return [this.string(field), field === 'dependents' ? inOrder(renamed) : renamed];
      }),
    );
  }
}

/** Lists of dependents are sorted by uid. */
function inOrder(dependents: unknown): unknown {
  if (!Array.isArray(dependents)) return dependents;
  const uidOf = (name: string): string => (name.startsWith('[') ? identityOfNode(name).uid : name);
  return dependents
    .map(String)
    .sort((one, other) => (uidOf(one) < uidOf(other) ? -1 : uidOf(one) > uidOf(other) ? 1 : 0));
}
