import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type OwnerReference,
  objectKey,
} from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { groupedBy, plural } from '../../text/layout.ts';
import type { Copy } from './duplicates.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import type { ReadObject } from './manifest.ts';
import { displayName, firstFew } from './names.ts';
import { UidGiver } from './uids.ts';

export interface Completed<Entry extends Copy> {
  readonly entries: readonly Entry[];
  /** Store keys of the objects that are in no cluster, as far as the input says. */
  readonly manifests: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

/**
 * Gives a uid to each object and owner reference without one, as kubectl-neat, `helm template` and
 * kustomize leave them. A reference keeps its uid, and the object of its kind, namespace and name
 * takes it over. Throws `InputError` where two references disagree about the uid of such an object.
 */
export function withUids<Entry extends Copy>(
  entries: readonly Entry[],
  kinds: KindCatalogue,
): Completed<Entry> {
  const objects = entries.map(({ read }) => read.object);
  const bare = entries.filter(({ read }) => read.object.uid === '');
  const unsaid = objects.flatMap((object) =>
    object.ownerReferences
      .filter(({ uid }) => uid === '')
      .map((reference) => ({ object, reference })),
  );
  if (bare.length === 0 && unsaid.length === 0)
    return { entries, manifests: new Set(), warnings: [] };

  const claims = claimedUids(bare, entries, kinds);
  const giver = new UidGiver([
    ...objects.map(({ uid }) => uid),
    ...objects.flatMap(({ ownerReferences }) => ownerReferences.map(({ uid }) => uid)),
  ]);
  const uids = new Map(objects.map((object) => [keyOf(object), object.uid]));
  for (const { read } of bare) {
    const { object, kind } = read;
    const key = keyOf(object);
    uids.set(key, claims.get(key) ?? giver.give(kind, object.namespace, object.name));
  }
  const ownerUid = (reference: OwnerReference, dependent: ApiObject): string => {
    const key = ownerKey(reference, dependent, kinds);
    const kind = { kind: reference.kind };
    const uid = uids.get(key) ?? giver.give(kind, dependent.namespace, reference.name);
    uids.set(key, uid);
    return uid;
  };
  const completed = entries.map((entry) => {
    const { object } = entry.read;
    const ownerReferences = object.ownerReferences.map((reference) =>
      reference.uid === '' ? { ...reference, uid: ownerUid(reference, object) } : reference,
    );
    const whole = { ...object, uid: uids.get(keyOf(object)) ?? object.uid, ownerReferences };
    return { ...entry, read: { ...entry.read, object: whole } };
  });
  const manifests = manifestsAmong(bare);
  const [written, read] = [true, false].map((isWritten) =>
    bare.filter((one) => manifests.has(keyOf(one.read.object)) === isWritten),
  );
  return {
    entries: completed,
    manifests,
    warnings: [
      ...bareWarning(written ?? [], () => MANIFEST),
      ...bareWarning(read ?? [], (entries) => matchedWords(entries, claims)),
      ...(unsaid.length === 0
        ? []
        : [
            `${plural(unsaid.length, 'owner reference')} without a uid ${unsaid.length === 1 ? 'is' : 'are'} matched by kind, namespace and name`,
          ]),
    ],
  };
}

/**
 * What was written to be applied, and not read from a cluster. Charts contain no owner references
 * and nothing that is being deleted; if a file has such an object without a uid, a tool has only
 * taken off the uids there. References of other objects say nothing of how a file was made.
 */
function manifestsAmong(bare: readonly Copy[]): ReadonlySet<string> {
  const files = groupedBy(bare, ({ read }) => read.document.file);
  return new Set(
    [...files.values()]
      .map((entries) => entries.map(({ read }) => read.object))
      .filter((objects) =>
        objects.every((one) => one.ownerReferences.length === 0 && !isBeingDeleted(one)),
      )
      .flatMap((objects) => objects.map(keyOf)),
  );
}

const MANIFEST =
  ': this is a manifest, and not what a cluster has; finalizers and dependents that a cluster adds are not in it';

function matchedWords(entries: readonly Copy[], claims: ReadonlyMap<string, string>): string {
  const names = entries
    .map(({ read }) => read.object)
    .filter((object) => claims.has(keyOf(object)))
    .map(displayName);
  return names.length === 0
    ? ''
    : `: owner references that name ${firstFew(names)} are matched by kind, namespace and name; the input cannot say whether the owner was created again since`;
}

function bareWarning(
  entries: readonly Copy[],
  wordsOf: (entries: readonly Copy[]) => string,
): readonly string[] {
  if (entries.length === 0) return [];
  const what = `${plural(entries.length, 'object')} of the input ${entries.length === 1 ? 'has' : 'have'} no uid`;
  return [`${what}${wordsOf(entries)}`];
}

/** By store key of an object without a uid: the uid that references to it have. */
function claimedUids(
  bare: readonly Copy[],
  entries: readonly Copy[],
  kinds: KindCatalogue,
): ReadonlyMap<string, string> {
  const owners = new Map(bare.map(({ read }) => [keyOf(read.object), read]));
  const taken = new Set(entries.map(({ read }) => read.object.uid));
  const claims = new Map<string, string>();
  const claim = (key: string, uid: string, by: ReadObject): void => {
    const owner = owners.get(key);
    if (owner === undefined || uid === '' || taken.has(uid)) return;
    const other = claims.get(key);
    if (other !== undefined && other !== uid) throw ambiguous(owner, by, [other, uid]);
    claims.set(key, uid);
  };
  for (const { read } of entries) {
    for (const reference of read.object.ownerReferences) {
      claim(ownerKey(reference, read.object, kinds), reference.uid, read);
    }
    const { volume } = read.object;
    if (volume?.claimUid !== undefined) claim(volume.claim, volume.claimUid, read);
  }
  return claims;
}

function ambiguous(owner: ReadObject, by: ReadObject, uids: readonly string[]): InputError {
  return new InputError({
    what: `${displayName(owner.object)} has no uid, and two uids are given for it: ${uids.join(' and ')}`,
    where: by.document.place([...by.path, 'metadata', 'ownerReferences']),
    expected: 'the uid in its manifest, which says which of them it is',
    next: 'kubectl get -o yaml prints it; kubectl-neat removes it',
  });
}

/** The store key of the object that a reference means, by its kind, namespace and name. */
function ownerKey(
  { apiVersion, kind, name }: OwnerReference,
  { namespace }: ApiObject,
  kinds: KindCatalogue,
): string {
  const found = kinds.resolve(apiVersion, kind);
  if (found === null) return objectKey(`${kind} of ${apiVersion}`, namespace, name);
  return objectKey(found.name, found.namespaced ? namespace : '', name);
}
