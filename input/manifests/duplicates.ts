import { type ApiObject, keyOf, type OwnerReference } from '../../model/index.ts';
import { InputError, placeText } from '../../text/input-error.ts';
import { plural } from '../../text/layout.ts';
import type { VertexState } from '../documents/document.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import type { ReadObject } from './manifest.ts';
import { displayName, firstFew } from './names.ts';

/** An object of a dump before the copies of it are sorted out. */
export interface Copy {
  readonly read: ReadObject;
  readonly resourceVersion: string | null;
  /** Undefined: not from the collector's graph. */
  readonly vertex: VertexState | undefined;
}

export interface Distinct<Entry extends Copy> {
  readonly entries: readonly Entry[];
  readonly warnings: readonly string[];
}

/**
 * One copy of each object: the newest one, where several dumps or several files of one dump have
 * it. Throws `InputError` for objects that cannot be one and the same: an object that was created
 * again between two dumps, or a uid that two objects share.
 */
export function distinct<Entry extends Copy>(
  copies: readonly Entry[],
  kinds: KindCatalogue,
): Distinct<Entry> {
  const byKey = new Map<string, Entry>();
  const changed = new Set<string>();
  for (const copy of copies) {
    const key = keyOf(copy.read.object);
    const first = byKey.get(key);
    if (first === undefined) {
      byKey.set(key, copy);
      continue;
    }
    demandOneLife(first.read, copy.read);
    const newest = newer(first, copy);
    byKey.set(key, newest);
    if (isSameState(first, copy)) continue;
    changed.add(displayName(copy.read.object));
  }
  const { entries, views } = withoutViews([...byKey.values()], kinds);
  return { entries, warnings: [...changedWarning([...changed]), ...views] };
}

function changedWarning(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    `${plural(names.length, 'object')} ${names.length === 1 ? 'is' : 'are'} in the input more than once, and the newest copy of each is taken: ${firstFew(names)}; what only an older dump has may be gone`,
  ];
}

function demandOneLife(first: ReadObject, second: ReadObject): void {
  const [one, other] = [first.object.uid, second.object.uid];
  if (one === other || one === '' || other === '') return;
  throw new InputError({
    what: `the input has ${displayName(second.object)} twice, with different uids: it was deleted and created again between two dumps, or they are of two clusters`,
    where: second.document.place([...second.path, 'metadata', 'uid']),
    expected: `dumps of one cluster at one time; the first one is at ${placeText(
      first.document.place([...first.path, 'metadata', 'uid']),
    )}`,
    next: 'leave out the older dump',
  });
}

/** Folders of backups and of must-gather have some objects twice, in the same state. */
function isSameState(first: Copy, second: Copy): boolean {
  // The graph only supplements a dump.
  if ((first.vertex === undefined) !== (second.vertex === undefined)) return true;
  return first.resourceVersion !== null && first.resourceVersion === second.resourceVersion;
}

/**
 * The copy to take: the one that says more, else the higher resourceVersion, else the later one.
 */
function newer<Entry extends Copy>(first: Entry, second: Entry): Entry {
  if ((first.vertex === undefined) !== (second.vertex === undefined)) {
    return first.vertex === undefined ? first : second;
  }
  const hasUid = ({ read }: Copy): boolean => read.object.uid !== '';
  if (hasUid(first) !== hasUid(second)) return hasUid(first) ? first : second;
  const [one, other] = [versionOf(first), versionOf(second)];
  return one !== null && other !== null && one >= other ? first : second;
}

/**
 * Resource versions are opaque to clients in general, but every known API server counts upwards.
 */
function versionOf({ resourceVersion }: Copy): bigint | null {
  return /^\d{1,30}$/.test(resourceVersion ?? '') ? BigInt(resourceVersion ?? '') : null;
}

/**
 * Some APIs show the objects of others, with their uids: an old group beside its successor, or
 * OpenShift's projects beside namespaces. Such a view is not a second object.
 */
function withoutViews<Entry extends Copy>(
  entries: readonly Entry[],
  kinds: KindCatalogue,
): { readonly entries: readonly Entry[]; readonly views: readonly string[] } {
  const byUid = new Map<string, Entry>();
  const views = new Map<string, string>();
  const dropped = new Map<string, string>();
  for (const entry of entries) {
    const { object } = entry.read;
    if (object.uid === '') continue;
    const first = byUid.get(object.uid);
    byUid.set(object.uid, entry);
    if (first === undefined) continue;
    const [stored, view] = storedAndView(first, entry, kinds);
    byUid.set(object.uid, stored);
    views.set(view.read.object.kind, stored.read.object.kind);
    dropped.set(keyOf(view.read.object), stored.read.object.kind);
  }
  if (views.size === 0) return { entries, views: [] };
  return {
    entries: entries
      .filter(({ read }) => !dropped.has(keyOf(read.object)))
      .map((entry) => withOwnersStored(entry, byUid, views, kinds)),
    views: [...views].map(
      ([view, stored]) =>
        `objects of ${view} have the uids of those of ${stored}, and are left out: they are the same objects, shown by another API`,
    ),
  };
}

function storedAndView<Entry extends Copy>(
  first: Entry,
  second: Entry,
  kinds: KindCatalogue,
): readonly [Entry, Entry] {
  const isBuiltIn = ({ read }: Copy): boolean => kinds.isBuiltIn(read.kind);
  const [one, other] = [first.read, second.read];
  const canBeViews =
    one.kind.name !== other.kind.name &&
    (one.kind.kind === other.kind.kind || !isBuiltIn(first) || !isBuiltIn(second));
  if (!canBeViews) throw sharedUid(one, other);
  return isBuiltIn(second) && !isBuiltIn(first) ? [second, first] : [first, second];
}

/** A reference to the view means the object that is stored. */
function withOwnersStored<Entry extends Copy>(
  entry: Entry,
  byUid: ReadonlyMap<string, Entry>,
  views: ReadonlyMap<string, string>,
  kinds: KindCatalogue,
): Entry {
  const { object } = entry.read;
  const stored = (reference: OwnerReference): OwnerReference => {
    const owner = byUid.get(reference.uid)?.read;
    const named = kinds.resolve(reference.apiVersion, reference.kind)?.name ?? '';
    if (owner === undefined || views.get(named) !== owner.kind.name) return reference;
    const { apiVersions, kind } = owner.kind;
    return { ...reference, apiVersion: apiVersions[0] ?? reference.apiVersion, kind };
  };
  const ownerReferences = object.ownerReferences.map(stored);
  const changed: ApiObject = { ...object, ownerReferences };
  return { ...entry, read: { ...entry.read, object: changed } };
}

/** Throws `InputError` if two objects have the same kind, namespace and name, or the same uid. */
export function checkUnique(objects: readonly ReadObject[]): void {
  const keys = new Map<string, ReadObject>();
  const uids = new Map<string, ReadObject>();
  for (const read of objects) {
    const { object } = read;
    const sameKey = keys.get(keyOf(object));
    if (sameKey !== undefined) {
      const what = `the input has ${displayName(object)} twice`;
      throw twice(sameKey, read, ['metadata', 'name'], what);
    }
    const sameUid = uids.get(object.uid);
    if (sameUid !== undefined) throw sharedUid(sameUid, read);
    keys.set(keyOf(object), read);
    uids.set(object.uid, read);
  }
}

function sharedUid(first: ReadObject, second: ReadObject): InputError {
  const names = `${displayName(first.object)} and ${displayName(second.object)}`;
  const what = `${names} have the same uid ${second.object.uid}`;
  return twice(first, second, ['metadata', 'uid'], what);
}

function twice(
  first: ReadObject,
  second: ReadObject,
  field: readonly string[],
  what: string,
): InputError {
  const at = placeText(first.document.place([...first.path, ...field]));
  return new InputError({
    what,
    where: second.document.place([...second.path, ...field]),
    expected: `each object once; the first one is at ${at}`,
  });
}
