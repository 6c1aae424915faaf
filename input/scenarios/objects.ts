import { type ApiObject, type Kind, keyOf, type OwnerReference } from '../../model/index.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import { fieldName, type Path, type SourceDocument } from '../documents/document.ts';
import { checkUnique } from '../manifests/duplicates.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import { type ReadObject, readManifest } from '../manifests/manifest.ts';
import { findTarget } from '../manifests/target.ts';
import { UidGiver } from '../manifests/uids.ts';
import type { ChildEntry } from './controller-schema.ts';
import type { ScenarioFile } from './schema.ts';

/** The objects of a scenario. */
export interface Cast {
  readonly objects: readonly ApiObject[];
  /** The objects of `create` requests, by the index of the request. */
  readonly created: ReadonlyMap<number, ApiObject>;
  /** The object that a controller of `environment` creates from the manifest at this path. */
  child(path: Path): ApiObject;
  /** The kind that a word means, among the kinds of objects in the file. Throws `InputError`. */
  kind(word: string, where: Place): Kind;
  /** The object that `KIND/NAME[.NAMESPACE]` means. Throws `InputError`. */
  find(text: string, where: Place): ApiObject;
  /** A plain reference to that object: not a controller, not blocking. */
  referenceTo(text: string, where: Place): OwnerReference;
  /** Adds the uid to a reference without one. Throws `InputError`. */
  complete(reference: OwnerReference, namespace: string, where: Place): OwnerReference;
}

export function readCast(file: ScenarioFile, document: SourceDocument, kinds: KindCatalogue): Cast {
  const manifests: { value: unknown; path: Path; request: number | 'child' | null }[] = [
    ...file.objects.map((value, index) => ({ value, path: ['objects', index], request: null })),
    ...file.requests.flatMap((request, index) =>
      'create' in request
        ? [{ value: request.create, path: ['requests', index, 'create'], request: index }]
        : [],
    ),
    ...childManifests(file).map((child) => ({ ...child, request: 'child' as const })),
  ];
  const uids = new UidGiver(manifests.flatMap(({ value }) => givenUid(value)));
  const rules = {
    kinds,
    strict: true,
    uidFor: uids.give.bind(uids),
    reads: readsOf(file),
  };
  const read = manifests.map(({ value, path, request }) => ({
    read: readManifest(value, document, path, rules),
    request,
  }));
  checkUnique(read.flatMap(({ read, request }) => (request === null ? [read] : [])));
  checkUids(read.map(({ read }) => read));
  const initial = read.flatMap(({ read, request }) => (request === null ? [read.object] : []));
  const later = read.flatMap(({ read, request }) =>
    typeof request === 'number' ? [read.object] : [],
  );
  const complete: Cast['complete'] = (reference, namespace, where) =>
    reference.uid === '' ? withUid(reference, namespace, initial, later, kinds, where) : reference;
  const completed = ({ object, path }: ReadObject): ApiObject => ({
    ...object,
    ownerReferences: object.ownerReferences.map((reference, index) =>
      complete(
        reference,
        object.namespace,
        document.place([...path, 'metadata', 'ownerReferences', index]),
      ),
    ),
  });
  const objects = read.flatMap(({ read, request }) => (request === null ? [completed(read)] : []));
  const created = new Map(
    read.flatMap(({ read, request }) =>
      typeof request === 'number' ? [[request, completed(read)]] : [],
    ),
  );
  const children = new Map(
    read.flatMap(({ read, request }) =>
      request === 'child' ? [[fieldName(read.path), completed(read)]] : [],
    ),
  );
  const everything = [...children.values(), ...created.values(), ...objects];
  // The object at the start takes precedence over objects that are created later with its name.
  const known = new Map(everything.map((object) => [keyOf(object), object]));
  const find: Cast['find'] = (text, where) =>
    at(where, () => findTarget(text, null, [...known.values()], kinds, document.file, false));
  const referenceTo: Cast['referenceTo'] = (text, where) => {
    const { kind, name, uid } = find(text, where);
    const served = kinds.table()[kind]!;
    return { apiVersion: served.apiVersions[0]!, kind: served.kind, name, uid };
  };
  const child: Cast['child'] = (path) => {
    const found = children.get(fieldName(path));
    if (found === undefined) throw new Error(`no child was read at ${fieldName(path)}`);
    return found;
  };
  const kind: Cast['kind'] = (word, where) => {
    const present = new Set(everything.map((object) => object.kind));
    const found = kinds.named(word).find(({ name }) => present.has(name));
    if (found !== undefined) return found;
    throw new InputError({
      what: `no object here is a ${word}`,
      where,
      expected: [...present].join(', '),
    });
  };
  return { objects, created, child, kind, find, referenceTo, complete };
}

/** The further parts of manifests that actors of the scenario depend on. */
function readsOf({ environment = {}, requests }: ScenarioFile): {
  readonly nodes: boolean;
  readonly volumes: boolean;
} {
  const { kubelets, storageProtection, nodeController, podGc } = environment;
  const containers = kubelets === 'containers';
  return {
    nodes:
      containers ||
      nodeController === true ||
      (podGc !== undefined && podGc !== false) ||
      requests.some((request) => 'loseNode' in request),
    volumes: containers || storageProtection === true,
  };
}

function childManifests(file: ScenarioFile): readonly { value: unknown; path: Path }[] {
  const below = (
    children: readonly ChildEntry[],
    path: Path,
  ): readonly { value: unknown; path: Path }[] =>
    children.flatMap((entry, index) => [
      { value: entry.object, path: [...path, index, 'object'] },
      ...below(entry.children ?? [], [...path, index, 'children']),
    ]);
  const { workloads = [], controllers = [] } = file.environment ?? {};
  return [
    ...workloads.flatMap((workload, index) =>
      below(workload.children ?? [], ['environment', 'workloads', index, 'children']),
    ),
    ...controllers.flatMap(({ creates = [], createsInTeardown = [] }, index) =>
      Object.entries({ creates, createsInTeardown }).flatMap(([field, manifests]) =>
        manifests.map((value, number) => ({
          value,
          path: ['environment', 'controllers', index, field, number],
        })),
      ),
    ),
  ];
}

function givenUid(value: unknown): string[] {
  const metadata = (value as { readonly metadata?: { readonly uid?: unknown } } | null)?.metadata;
  return typeof metadata?.uid === 'string' ? [metadata.uid] : [];
}

/** Throws `InputError` if a uid is used twice, even by an object that is created later. */
function checkUids(objects: readonly ReadObject[]): void {
  const seen = new Set<string>();
  for (const { object, document, path } of objects) {
    if (seen.has(object.uid)) {
      throw new InputError({
        what: `the uid ${object.uid} is used twice`,
        where: document.place([...path, 'metadata', 'uid']),
        expected: 'a unique uid for each object, including created ones',
      });
    }
    seen.add(object.uid);
  }
}

function withUid(
  reference: OwnerReference,
  namespace: string,
  initial: readonly ApiObject[],
  later: readonly ApiObject[],
  kinds: KindCatalogue,
  where: Place,
): OwnerReference {
  const kind = kinds.resolve(reference.apiVersion, reference.kind);
  const isMeant = (object: ApiObject): boolean =>
    object.kind === kind?.name &&
    object.name === reference.name &&
    // A cluster-scoped dependent may name a namespaced owner, although that is a mistake.
    (object.namespace === '' || namespace === '' || object.namespace === namespace);
  const meant = initial.some(isMeant) ? initial.filter(isMeant) : later.filter(isMeant);
  if (meant.length === 1) return { ...reference, uid: meant[0]!.uid };
  const name = `${reference.kind}/${reference.name}`;
  throw new InputError({
    what:
      meant.length === 0
        ? `the owner ${name} is not in this file, so the reference needs a uid`
        : `${name} is created ${meant.length} times, so the reference needs a uid`,
    where,
    expected: 'uid: ...',
  });
}

/** Adds the place to an error that has none. */
function at<Result>(where: Place, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof InputError && error.text.where === undefined) {
      throw new InputError({ ...error.text, where });
    }
    throw error;
  }
}
