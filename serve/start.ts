import type { Collection } from '../input/collections/collection.ts';
import { documents } from '../input/documents/documents.ts';
import { readDump } from '../input/manifests/dump.ts';
import { KindCatalogue } from '../input/manifests/kind-catalogue.ts';
import { manifestsIn } from '../input/manifests/lists.ts';
import {
  type ApiObject,
  BUILT_IN_KINDS,
  keyOf,
  type ObjectKey,
  type Rules,
  type Setup,
} from '../model/index.ts';
import type { Body } from './cluster/body.ts';
import { isBody, metadataOf } from './cluster/body.ts';
import { keptOf } from './requests/objects.ts';

/** What the server begins with. */
export interface Start {
  readonly setup: Setup;
  /** What is stored at the start. */
  readonly objects: readonly ApiObject[];
  /** What is kept of the objects beside the model, by key. */
  readonly bodies: ReadonlyMap<ObjectKey, Body>;
  readonly protocol: string;
  readonly warnings: readonly string[];
  /** The scenario file, if it began with one. Null: it did not. */
  readonly scenario: Body | null;
}

/** As many workers of the collector as make races possible; Kubernetes has 20. */
const WORKERS = 3;

/** The namespaces that every cluster has. */
const NAMESPACES: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** A cluster with nothing in it but its namespaces. */
export function emptyStart(protocol: string, rules: Rules, isAdverse: boolean): Start {
  const bodies = new Map<ObjectKey, Body>();
  return { ...setupWith([], rules, isAdverse), bodies, protocol, warnings: [], scenario: null };
}

/**
 * The finalizers of the objects belong to the clients, so the setup does not name the objects.
 *
 * @param isAdverse the caches of the API server lag.
 */
function setupWith(
  given: readonly ApiObject[],
  rules: Rules,
  isAdverse: boolean,
): Pick<Start, 'setup' | 'objects'> {
  const objects = withNamespaces(given);
  const setup: Setup = {
    name: 'serve',
    open: true,
    kinds: BUILT_IN_KINDS,
    rules,
    objects: [],
    users: {},
    finalizers: {},
    deleteWorkers: WORKERS,
    orphanWorkers: WORKERS,
    caches: 'synced',
    emptiedNamespaces: namespacesIn(objects),
    kubelets: true,
    storageProtection: true,
    relists: {},
    ...(isAdverse ? { namespaceAdmission: 'cached', definitionLookup: 'cached' } : {}),
  };
  return { setup, objects };
}

/** A dump or a scenario need not have the namespaces of its objects, but a server must. */
function withNamespaces(given: readonly ApiObject[]): readonly ApiObject[] {
  const named = new Set([...NAMESPACES, ...given.flatMap(({ namespace }) => namespace || [])]);
  const stored = new Set(given.map(keyOf));
  const missing = [...named].map(namespaceObject).filter((object) => !stored.has(keyOf(object)));
  return [...missing, ...given];
}

function namespacesIn(objects: readonly ApiObject[]): readonly string[] {
  return objects.flatMap(({ kind, name }) => (kind === 'Namespace' ? [name] : []));
}

/** An active namespace, as the API server stores it. */
export function namespaceObject(name: string): ApiObject {
  return {
    kind: 'Namespace',
    namespace: '',
    name,
    uid: `namespace-${name}`,
    generation: 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    specFinalizers: ['kubernetes'],
    phase: 'Active',
  };
}

/** The objects of a dump, and what else the dump says of them. Throws `InputError`. */
export function dumpStart(
  collection: Collection,
  protocol: string,
  rules: Rules,
  isAdverse: boolean,
): Start {
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const dump = readDump(collection, kinds);
  const given = dump.objects.map(({ object }) => object);
  const bodies = new Map<ObjectKey, Body>();
  const byUid = new Map(given.map((object) => [object.uid, keyOf(object)]));
  for (const source of collection.sources) {
    for (const document of documents(source)) {
      for (const { value } of manifestsIn(document)) {
        if (!isBody(value)) continue;
        const key = byUid.get(String(metadataOf(value).uid));
        if (key !== undefined) bodies.set(key, keptOf(value));
      }
    }
  }
  const { setup, objects } = setupWith(given, rules, isAdverse);
  return {
    setup: { ...setup, kinds: kinds.table() },
    objects,
    bodies,
    protocol,
    warnings: dump.warnings,
    scenario: null,
  };
}

/**
 * The objects and actors of a scenario. Its users send nothing: the clients of the server take
 * their place, and can store other objects as well.
 */
export function scenarioStart(
  given: Setup,
  protocol: string,
  warnings: readonly string[],
  scenario: Body,
): Start {
  const objects = withNamespaces(given.objects);
  const setup: Setup = {
    ...given,
    open: true,
    kinds: { ...BUILT_IN_KINDS, ...given.kinds },
    emptiedNamespaces: namespacesIn(objects),
  };
  return { setup, objects, bodies: new Map(), protocol, warnings, scenario };
}

/** The same for a run of the scenario: its steps are those of the setup as it is. */
export function runStart(setup: Setup, protocol: string, warnings: readonly string[]): Start {
  const { Namespace } = BUILT_IN_KINDS;
  if (Namespace === undefined) throw new Error('there is no kind Namespace');
  return {
    setup: { ...setup, kinds: { Namespace, ...setup.kinds } },
    objects: withNamespaces(setup.objects),
    bodies: new Map(),
    protocol,
    warnings,
    scenario: null,
  };
}
