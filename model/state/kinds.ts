import type { Rules } from '../rules/rules.ts';

export type DefaultPolicy = 'none' | 'orphanDependents' | 'deleteDependents' | 'unsupported';

/** A `DefaultGarbageCollectionPolicy` that depends on the request. */
export interface PolicyByVersion {
  readonly versions: Readonly<Record<string, DefaultPolicy>>;
  readonly otherVersions: DefaultPolicy;
  /** For a call inside the API server, without a request. */
  readonly noRequest: DefaultPolicy;
}

/** What the API server knows about a kind of objects (`registry/*` strategies, `APIResource`). */
export interface Kind {
  /** Unique: the kind, with its group unless that is the core group: `Pod`, `Deployment.apps`. */
  readonly name: string;
  readonly kind: string;
  /**
   * Served versions, the preferred one first: `apps/v1`. The collector watches the preferred one.
   */
  readonly apiVersions: readonly string[];
  /** Versions to which a request of the setup can switch the kind. Absent: none. */
  readonly laterVersions?: readonly string[];
  /** Plural resource name: `deployments`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** `rest.GarbageCollectionPolicy` when a DELETE names no policy. */
  readonly defaultPolicy: DefaultPolicy;
  /** Present if the default depends on the version that the request uses. */
  readonly defaultPolicyByVersion?: PolicyByVersion;
  /** `rest.RESTGracefulDeleteStrategy`: only pods have one. */
  readonly graceful: boolean;
  /** Whether the kind has a `metadata.generation`. */
  readonly generation: boolean;
  /** Whether its own controller acknowledges the generation in `status.observedGeneration`. */
  readonly observesGeneration?: true;
  /** Which DELETE code serves the kind: the generic store or a storage of its own. */
  readonly storage: 'generic' | 'namespace' | 'customResourceDefinition';
  /**
   * `qualified`: a finalizer can have any qualified name. Absent: as for the built-in kinds, a name
   * without a slash must be a standard one.
   */
  readonly finalizerNames?: 'qualified';
  /**
   * Custom resources do not support strategic merge patches (415). Absent: the kind supports every
   * type.
   */
  readonly patchTypes?: 'mergeOnly';
  /**
   * The kind extends the API. The collector's ignore list contained such kinds for a long time
   * (`ignoredKinds`).
   */
  readonly extendsApi?: true;
  /** A DELETE of a collection may be answered with 405 (the rule `serviceCollections`). */
  readonly singlyDeleted?: true;
  /**
   * Whether the collector can watch the kind (types with delete, list and watch, minus an ignore
   * list). `isWatched` adds what the rules say.
   */
  readonly watched: boolean;
}

export type KindTable = Readonly<Record<string, Kind>>;

/**
 * Mirrors `gc.apiResource`: the kind that serves these coordinates. Null: there is no REST mapping.
 */
export function resolveKind(kinds: KindTable, apiVersion: string, kind: string): Kind | null {
  return (
    calledIn(kinds)
      .get(kind)
      ?.find((found) => servesIn(found, apiVersion)) ?? null
  );
}

/** The kinds of a table, by what they are called in every group. */
function calledIn(kinds: KindTable): ReadonlyMap<string, readonly Kind[]> {
  const known = CALLED.get(kinds);
  if (known !== undefined) return known;
  const called = new Map<string, Kind[]>();
  for (const kind of Object.values(kinds)) {
    const group = called.get(kind.kind);
    if (group === undefined) called.set(kind.kind, [kind]);
    else group.push(kind);
  }
  CALLED.set(kinds, called);
  return called;
}

/** A search asks it in each state. */
const CALLED = new WeakMap<KindTable, ReadonlyMap<string, readonly Kind[]>>();

/** Whether objects of the kind can be named in this version, now or after a switch. */
export function servesIn({ apiVersions, laterVersions = [] }: Kind, apiVersion: string): boolean {
  return apiVersions.includes(apiVersion) || laterVersions.includes(apiVersion);
}

/** Whether the kind is served from a CustomResourceDefinition. */
export function isCustomResource(kind: Kind): boolean {
  return kind.storage === 'generic' && kind.finalizerNames === 'qualified' && !kind.extendsApi;
}

/** The lists of the metadata that deletion reads. */
export type MetadataList = 'finalizers' | 'ownerReferences';

/** The groups whose status strategies were read: they reset the spec, and of these lists none. */
const STATUS_GROUPS = ['', 'apps', 'batch', 'apiextensions.k8s.io'];

/**
 * The lists that a write of the subresource `status` changes as well (`PrepareForUpdate` of
 * `deploymentStatusStrategy`, `rsStatusStrategy` and their like, `podStatusStrategy`). The
 * controller of CustomResourceDefinitions removes its finalizer so. Null: the strategy of the kind
 * was not read.
 */
export function listsWithStatus(kind: Kind): readonly MetadataList[] | null {
  if (isCustomResource(kind)) return [];
  if (kind.graceful) return ['finalizers'];
  const [version = ''] = kind.apiVersions;
  const group = version.includes('/') ? (version.split('/')[0] ?? '') : '';
  return STATUS_GROUPS.includes(group) ? ['finalizers', 'ownerReferences'] : null;
}

/**
 * Whether the collector watches this kind: `DefaultIgnoredResources`, `GraphBuilder.syncMonitors`.
 */
export function isWatched(
  { kinds, rules }: { readonly kinds: KindTable; readonly rules: WatchRules },
  name: string,
): boolean {
  const kind = kinds[name];
  if (kind === undefined || !kind.watched) return false;
  if (kind.extendsApi === true && rules.ignoredKinds === 'eventsAndApiExtensions') return false;
  return rules.customResources === 'watched' || !isCustomResource(kind);
}

type WatchRules = Pick<Rules, 'ignoredKinds' | 'customResources'>;

/** By name of the kind: the only version in which it is served after a switch. */
export type ServedVersions = Readonly<Record<string, string>>;

/** The version in which the collector sees the objects of a kind. */
export function watchedVersion(kind: Kind, served: ServedVersions): string {
  const preferred = kind.apiVersions[0] ?? '';
  return kind.laterVersions === undefined ? preferred : (served[kind.name] ?? preferred);
}

/** Whether requests can use this version of the kind now. */
export function servesVersion(kind: Kind, served: ServedVersions, apiVersion: string): boolean {
  const only = kind.laterVersions === undefined ? undefined : served[kind.name];
  return only === undefined ? kind.apiVersions.includes(apiVersion) : only === apiVersion;
}

/** Throws if the table lacks the kind: every kind of a model must be in its table. */
export function kindNamed(kinds: KindTable, name: string): Kind {
  const kind = kinds[name];
  if (kind === undefined) throw new Error(`kind ${name} is not in the table of kinds`);
  return kind;
}

/** The kind Namespace; undefined: the table has none. */
export function namespaceKind(kinds: KindTable): Kind | undefined {
  return Object.values(kinds).find(({ storage }) => storage === 'namespace');
}

/**
 * Mirrors `DefaultGarbageCollectionPolicy` of the strategies (1.20).
 *
 * @param requestVersion `group/version` of the request; null for a call inside the API server.
 */
export function defaultPolicy(kind: Kind, requestVersion: string | null): DefaultPolicy {
  const byVersion = kind.defaultPolicyByVersion;
  if (byVersion === undefined) return kind.defaultPolicy;
  if (requestVersion === null) return byVersion.noRequest;
  return byVersion.versions[requestVersion] ?? byVersion.otherVersions;
}
