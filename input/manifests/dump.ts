import { type ApiObject, keyOf } from '../../model/index.ts';
import { InputError, placeText } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { type Observation, observe } from '../cluster/observations.ts';
import { ownersUnknownIn } from '../cluster/open-world.ts';
import { documents } from '../documents/documents.ts';
import type { Source } from '../documents/source.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { type ManifestRules, manifestsIn, type ReadObject, readManifest } from './manifest.ts';
import { READ_METADATA } from './manifest-schema.ts';
import { displayName } from './names.ts';
import { type DumpTimes, deletionTime, later, newestTime } from './times.ts';

/** The output of `kubectl get ... -o yaml|json`, reduced to what deletion depends on. */
export interface Dump {
  readonly files: readonly string[];
  readonly objects: readonly ReadObject[];
  /** By store key: what else the dump says of an object, where it matters to deletion. */
  readonly observations: ReadonlyMap<string, Observation>;
  readonly times: DumpTimes;
  /** Fields that were left out, most frequent first, with the number of objects that have them. */
  readonly ignored: readonly { readonly field: string; readonly objects: number }[];
}

/** Reads dumps. Drops specs, status and data of each object as soon as it is read. Throws `InputError`. */
export function readDump(sources: readonly Source[], kinds: KindCatalogue): Dump {
  const objects: ReadObject[] = [];
  const observations = new Map<string, Observation>();
  const ignored = new Map<string, number>();
  const deletions = new Map<string, string>();
  let newest: string | null = null;
  for (const source of sources) {
    for (const document of documents(source)) {
      for (const { value, path } of manifestsIn(document)) {
        const read = readManifest(value, document, path, dumpRules(kinds));
        objects.push(read);
        const observation = observe(read.kind.kind, value);
        if (observation.of !== 'other') observations.set(keyOf(read.object), observation);
        if (observation.of === 'CustomResourceDefinition') kinds.define(observation);
        const due = deletionTime(value);
        if (due !== null) deletions.set(keyOf(read.object), due);
        newest = later(newest, newestTime(value));
        countIgnored(value, ignored);
      }
    }
  }
  const files = sources.map((source) => source.file);
  if (objects.length === 0) throw MESSAGES.empty(files);
  checkUnique(objects);
  return {
    files,
    objects,
    observations,
    times: { deletions, newest },
    ignored: [...ignored]
      .map(([field, count]) => ({ field, objects: count }))
      .sort((a, b) => b.objects - a.objects || (a.field < b.field ? -1 : 1)),
  };
}

function dumpRules(kinds: KindCatalogue): ManifestRules {
  return { kinds, strict: false, uidFor: null, reads: { nodes: true, volumes: true } };
}

/** A field such as `spec`, of which only a part is read for some kinds, counts as ignored. */
function countIgnored(value: unknown, counts: Map<string, number>): void {
  const count = (field: string): void => {
    counts.set(field, (counts.get(field) ?? 0) + 1);
  };
  const manifest = value as { readonly metadata: object };
  for (const key of Object.keys(manifest)) {
    if (!['apiVersion', 'kind', 'metadata'].includes(key)) count(key);
  }
  for (const key of Object.keys(manifest.metadata)) {
    if (!READ_METADATA.includes(key)) count(`metadata.${key}`);
  }
}

/** Throws `InputError` if two objects have the same kind, namespace and name, or the same uid. */
export function checkUnique(objects: readonly ReadObject[]): void {
  const keys = new Map<string, ReadObject>();
  const uids = new Map<string, ReadObject>();
  for (const read of objects) {
    const { object } = read;
    const sameKey = keys.get(keyOf(object));
    if (sameKey !== undefined) {
      throw twice(
        sameKey,
        read,
        ['metadata', 'name'],
        `the input has ${displayName(object)} twice`,
      );
    }
    const sameUid = uids.get(object.uid);
    if (sameUid !== undefined) {
      const names = `${displayName(sameUid.object)} and ${displayName(object)}`;
      throw twice(sameUid, read, ['metadata', 'uid'], `${names} have the same uid ${object.uid}`);
    }
    keys.set(keyOf(object), read);
    uids.set(object.uid, read);
  }
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

/** Warnings about owner references that Kubernetes permits but that do not work as people expect. */
export function ownerWarnings(
  objects: readonly ApiObject[],
  dump: readonly ApiObject[],
  kinds: KindCatalogue,
): readonly string[] {
  const byUid = new Map(objects.map((object) => [object.uid, object]));
  const world = ownersUnknownIn(dump, kinds);
  return objects.flatMap((object) =>
    object.ownerReferences.flatMap((reference) => {
      const name = displayName(object);
      const owner = byUid.get(reference.uid);
      const named = `${reference.kind}/${reference.name}`;
      const kind = kinds.resolve(reference.apiVersion, reference.kind);
      const isScopeWrong = object.namespace === '' && kind?.namespaced === true;
      if (world.isUnknown(reference) && !isScopeWrong) return [];
      if (kind === null && owner === undefined) {
        return [
          `${name} names the owner ${named}, but ${reference.apiVersion} ${reference.kind} is unknown: the check assumes that the cluster does not serve it`,
        ];
      }
      if (isScopeWrong) {
        return [
          `${name} is cluster-scoped and names the namespaced owner ${named}: Kubernetes permits this, but the collector cannot look up such an owner`,
        ];
      }
      if (owner === undefined) {
        return [
          `${name} names the owner ${named}, which is not in the input: the check assumes that it is gone`,
        ];
      }
      return mismatch(object, owner, reference.name, kind?.name).map(
        (what) => `${name} names the owner ${named} by the uid of ${displayName(owner)}: ${what}`,
      );
    }),
  );
}

function mismatch(
  dependent: ApiObject,
  owner: ApiObject,
  name: string,
  kind: string | undefined,
): string[] {
  if (owner.kind !== kind) return ['the kind is wrong'];
  if (owner.name !== name) return ['the name is wrong'];
  if (owner.namespace !== '' && owner.namespace !== dependent.namespace) {
    return ['the owner is in another namespace, where the collector does not look'];
  }
  return [];
}
