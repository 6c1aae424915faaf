import { type ApiObject, keyOf, type OwnerReference, removedSince } from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Expressions } from '../cluster/cel/value.ts';
import { type Observation, observe } from '../cluster/observations.ts';
import { ownersUnknownIn } from '../cluster/open-world.ts';
import type { Collection, Gap } from '../collections/collection.ts';
import type { LookWithin } from '../documents/document.ts';
import { documents } from '../documents/documents.ts';
import { textAt } from '../documents/shape.ts';
import { type Look, UNLIMITED } from '../work-clock.ts';
import { type Copy, distinct } from './duplicates.ts';
import type { KindCatalogue, ServedApis } from './kind-catalogue.ts';
import { KindsToCome } from './kinds-to-come.ts';
import type { Labels } from './label-selector.ts';
import { type Due, type DumpTimes, deletionTime, later, newestTime } from './leaving/times.ts';
import { type Trouble, troublesOf } from './leaving/troubles.ts';
import { isProject, LeftOut, namespaceOf } from './left-out.ts';
import { manifestsIn, Pages } from './lists.ts';
import { type ManifestRules, type ReadObject, readManifest } from './manifest.ts';
import { READ_METADATA } from './manifest-schema.ts';
import { mirroredBy, withoutMirror } from './mirrored.ts';
import { withUids } from './missing-uids.ts';
import { displayName } from './names.ts';
import { Stripped } from './stripped.ts';
import { vertexWarnings } from './vertices.ts';

/** What clusters, backups and tools hand out, reduced to what deletion depends on. */
export interface Dump {
  /** The inputs as the user named them. */
  readonly files: readonly string[];
  readonly objects: readonly ReadObject[];
  /** By store key: what else the dump says of an object, where it matters to deletion. */
  readonly observations: ReadonlyMap<string, Observation>;
  /** By store key: the labels of the objects that have some. */
  readonly labels: ReadonlyMap<string, Labels>;
  readonly times: DumpTimes;
  /** By store key: what the objects that are being deleted say of what goes wrong. */
  readonly troubles: ReadonlyMap<string, readonly Trouble[]>;
  /** Fields that were left out, most frequent first, with the number of objects that have them. */
  readonly ignored: readonly { readonly field: string; readonly objects: number }[];
  /** Files, and objects that no cluster stores, that were left out. One sentence each. */
  readonly leftOut: readonly string[];
  /** Store keys of the objects that are manifests, without what a cluster adds to them. */
  readonly manifests: ReadonlySet<string>;
  /**
   * What was assumed because the input does not say it. One sentence each, without its full stop.
   */
  readonly warnings: readonly string[];
  /** Store keys of the objects that lack a part of their metadata, which a tool has taken off. */
  readonly cut: ReadonlySet<string>;
  /** A tool has taken off specs and status. */
  readonly stripped?: true;
  /** What could not be read, or is not in the input, and can hold anything. */
  readonly unread: readonly Gap[];
  /** What evaluates expressions of policies and webhooks. Absent: they are taken as unknown. */
  readonly expressions?: Expressions;
  /** Looks at the limits while questions about it are planned. Absent: there are none. */
  readonly look?: Look;
}

interface Entry extends Copy {
  readonly observation: Observation;
  readonly labels: Labels | null;
  /** When it is deleted; null: it is not. */
  readonly due: Due | null;
  readonly troubles: readonly Trouble[];
  /** A tool has taken off a part of its metadata. */
  readonly isCut: boolean;
}

/**
 * Reads dumps. Drops specs, status and data of each object as soon as it is read. Throws
 * `InputError`.
 */
export function readDump(
  collection: Collection,
  kinds: KindCatalogue,
  look: Look = UNLIMITED,
): Dump {
  const ignored = new Map<string, number>();
  let newest = collection.live?.readAt ?? null;
  const leftOut = new LeftOut();
  const stripped = new Stripped(kinds);
  const pages = new Pages();
  const toCome = new KindsToCome(kinds);
  const entries: (() => Entry)[] = [];
  let isOpenShift = false;
  for (const source of collection.sources) {
    const within: LookWithin = (bytes) => look(`reading ${source.file}`, bytes);
    within();
    for (const document of documents(source, within)) {
      within();
      if (leftOut.takesDocument(document, source)) continue;
      for (const { value: listed, path, page } of manifestsIn(document)) {
        within();
        const value = namespaceOf(listed);
        isOpenShift ||= isProject(listed);
        if (leftOut.takes(value, source)) continue;
        pages.see(page, value);
        newest = later(newest, newestTime(value));
        countIgnored(value, ignored);
        const observation = observe(text(value, 'kind'), value);
        if (observation.of === 'CustomResourceDefinition') toCome.define(observation);
        const { vertex } = document;
        const isCut = vertex === undefined && stripped.see(value);
        const labels = labelsOf(value);
        const due = deletionTime(value);
        const resourceVersion = text(metadataOf(value), 'resourceVersion') || null;
        const read = (manifest: unknown): Entry => ({
          read: readManifest(manifest, document, path, dumpRules(kinds)),
          observation,
          labels,
          due,
          troubles: due === null ? [] : troublesOf(value),
          isCut,
          resourceVersion,
          vertex,
        });
        entries.push(toCome.read(value, read));
      }
    }
  }
  const { inputs } = collection;
  if (entries.length === 0) throw MESSAGES.empty(inputs);
  const unscoped = toCome.accept();
  const seen = entries.map((read) => {
    look(`reading ${inputs.join(', ')}`);
    return read();
  });
  const apis = apisIn(seen);
  const isServed = ({ apiVersion }: OwnerReference): boolean =>
    isOpenShift || apis.aggregated.has(apiVersion);
  const single = distinct(
    seen.filter(({ vertex }) => vertex !== 'virtual').map((entry) => stored(entry, isServed)),
    kinds,
  );
  const uids = new Set(single.entries.map(({ read }) => read.object.uid));
  const named = single.entries.flatMap(({ read: { object } }) =>
    object.ownerReferences.map((reference) => ({ reference, scope: object.namespace !== '' })),
  );
  // First the versions of kinds that are there, whatever the order in the dump.
  for (const { reference, scope } of named) kinds.acceptNamed(reference, scope, apis);
  for (const { reference, scope } of named) {
    if (uids.has(reference.uid)) kinds.acceptAbsent(reference, scope, apis);
  }
  const complete = withUids(single.entries, kinds);
  return {
    files: inputs,
    objects: complete.entries.map(({ read }) => read),
    observations: new Map(
      complete.entries
        .filter(({ observation }) => observation.of !== 'other')
        .map(({ read, observation }) => [keyOf(read.object), observation]),
    ),
    labels: new Map(
      complete.entries.flatMap(({ read, labels }): [string, Labels][] =>
        labels === null ? [] : [[keyOf(read.object), labels]],
      ),
    ),
    times: { deletions: deletionsOf(complete.entries), newest },
    troubles: new Map(
      complete.entries.flatMap(({ read, troubles }): [string, readonly Trouble[]][] =>
        troubles.length === 0 ? [] : [[keyOf(read.object), troubles]],
      ),
    ),
    ignored: [...ignored]
      .map(([field, count]) => ({ field, objects: count }))
      .sort((a, b) => b.objects - a.objects || (a.field < b.field ? -1 : 1)),
    leftOut: [...collection.leftOut, ...leftOut.sentences()],
    manifests: complete.manifests,
    warnings: [
      ...single.warnings,
      ...complete.warnings,
      ...unscoped,
      ...vertexWarnings(complete.entries, seen, kinds),
    ],
    cut: new Set(
      complete.entries.flatMap(({ read, isCut }) => (isCut ? [keyOf(read.object)] : [])),
    ),
    ...(stripped.isWithoutSpec() ? { stripped: true } : {}),
    unread: [...(collection.live?.unread ?? []), ...stripped.gaps(), ...pages.gaps()],
    look,
  };
}

/** References to what a cluster shows of other objects, if it does, are those to these objects. */
function stored(entry: Entry, isServed: (reference: OwnerReference) => boolean): Entry {
  const { object } = entry.read;
  const isMirror = (reference: OwnerReference): boolean =>
    mirroredBy(reference) !== null && isServed(reference);
  if (!object.ownerReferences.some(isMirror)) return entry;
  const ownerReferences = object.ownerReferences.map((reference) =>
    isMirror(reference) ? withoutMirror(reference) : reference,
  );
  return { ...entry, read: { ...entry.read, object: { ...object, ownerReferences } } };
}

/** Each version that is served has an APIService. If that of the core API is there, all are. */
function apisIn(entries: readonly Entry[]): ServedApis {
  const found = entries.flatMap(({ read: { object }, observation }) =>
    observation.of === 'APIService' ? [{ name: object.name, observation }] : [],
  );
  const names = new Set(found.map(({ name }) => name));
  const served = found.filter(({ observation }) => observation.service !== '');
  return {
    lack: (apiVersion) => {
      const [version, group = ''] = apiVersion.split('/').reverse();
      return names.has('v1.') && !names.has(`${version}.${group}`);
    },
    aggregated: new Set(served.map(({ observation }) => observation.groupVersion)),
  };
}

function deletionsOf(entries: readonly Entry[]): DumpTimes['deletions'] {
  return new Map(
    entries.flatMap(({ read, due }): [string, Due][] =>
      due === null ? [] : [[keyOf(read.object), due]],
    ),
  );
}

function dumpRules(kinds: KindCatalogue): ManifestRules {
  return { kinds, strict: false, uidFor: () => '', reads: { nodes: true, volumes: true } };
}

function metadataOf(manifest: unknown): unknown {
  return (manifest as { readonly metadata?: unknown } | null)?.metadata;
}

/** Values that are no text are left out, as in a dump nothing else is a label. */
function labelsOf(manifest: unknown): Labels | null {
  const { labels } = (metadataOf(manifest) ?? {}) as { readonly labels?: unknown };
  if (typeof labels !== 'object' || labels === null) return null;
  return Object.fromEntries(
    Object.entries(labels).filter(
      (label): label is [string, string] => typeof label[1] === 'string',
    ),
  );
}

/** A field of any value; empty if it is not there, or no text. */
function text(value: unknown, field: string): string {
  return textAt(value, [field]) ?? '';
}

/** A field such as `spec`, of which only a part is read for some kinds, counts as ignored. */
function countIgnored(value: unknown, counts: Map<string, number>): void {
  const count = (field: string): void => {
    counts.set(field, (counts.get(field) ?? 0) + 1);
  };
  for (const key of Object.keys(value ?? {})) {
    if (!['apiVersion', 'kind', 'metadata'].includes(key)) count(key);
  }
  for (const key of Object.keys(metadataOf(value) ?? {})) {
    if (!READ_METADATA.includes(key)) count(`metadata.${key}`);
  }
}

/**
 * Warnings about owner references that Kubernetes permits but that do not work as people expect.
 */
export function ownerWarnings(
  objects: readonly ApiObject[],
  dump: readonly ApiObject[],
  kinds: KindCatalogue,
): readonly string[] {
  const byUid = new Map(objects.map((object) => [object.uid, object]));
  const byName = groupedBy(objects, ({ kind, name }) => `${kind} ${name}`);
  const world = ownersUnknownIn(dump, kinds);
  const twofold = objects.flatMap((object): readonly string[] => {
    const controllers = object.ownerReferences.filter(({ controller }) => controller === true);
    if (controllers.length < 2) return [];
    const named = controllers.map(({ kind, name }) => `${kind}/${name}`).join(' and ');
    return [
      `${displayName(object)} names ${named} as its controller: the API server accepts no object with two`,
    ];
  });
  const others = objects.flatMap((object) =>
    object.ownerReferences.flatMap((reference) => {
      const name = displayName(object);
      const owner = byUid.get(reference.uid);
      const named = `${reference.kind}/${reference.name}`;
      const kind = kinds.resolve(reference.apiVersion, reference.kind);
      const isScopeWrong = object.namespace === '' && kind?.namespaced === true;
      if (world.isUnknown(reference) && !isScopeWrong) return [];
      const doubt = kinds.doubtOf(reference);
      if (doubt === 'version' || (doubt !== null && owner !== undefined)) return [];
      if (kinds.isRemoved(reference)) {
        const since = removedSince(reference.apiVersion, reference.kind);
        return [
          `${name} names the owner ${named} in ${reference.apiVersion}, which Kubernetes does not serve from ${since} on: the collector cannot look the owner up, and never deletes ${name}`,
        ];
      }
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
        const other = byName
          .get(`${kind?.name} ${reference.name}`)
          ?.find(({ namespace }) => ['', object.namespace].includes(namespace));
        if (other !== undefined) {
          return [
            `${name} names the owner ${named} by the uid ${reference.uid}, and ${displayName(other)} has another one: that owner is gone`,
          ];
        }
        return [
          `${name} names the owner ${named}, which is not in the input: the check assumes that it is gone`,
        ];
      }
      return mismatch(object, owner, reference, kind?.name).map(
        (what) => `${name} names the owner ${named} by the uid of ${displayName(owner)}: ${what}`,
      );
    }),
  );
  return [...twofold, ...others];
}

function mismatch(
  dependent: ApiObject,
  owner: ApiObject,
  { apiVersion, kind: named, name }: OwnerReference,
  kind: string | undefined,
): string[] {
  if (kind === undefined && owner.kind.split('.')[0] === named) {
    return [`the cluster does not serve ${apiVersion}, so the collector cannot look the owner up`];
  }
  if (owner.kind !== kind) return ['the kind is wrong'];
  if (owner.name !== name) return ['the name is wrong'];
  if (owner.namespace !== '' && owner.namespace !== dependent.namespace) {
    return ['the owner is in another namespace, where the collector does not look'];
  }
  return [];
}
