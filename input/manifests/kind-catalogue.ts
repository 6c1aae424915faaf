import {
  type ApiObject,
  customKind,
  isRemoved,
  type Kind,
  type KindTable,
  type OwnerReference,
  removedSince,
  servedLater,
  servesIn,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import { mirroredBy } from './mirrored.ts';
import { groupOf } from './names.ts';
import { likelyResource, possibleResources } from './object-words.ts';
import { CUSTOM_SHORT_NAMES, SHORT_NAMES } from './short-names.ts';
import { byPriority } from './version-order.ts';

/** By name of the kind: a word is compared with those of all kinds. */
const SHORT_NAMES_OF = new Map<string, readonly string[]>();
for (const [short, name] of Object.entries(SHORT_NAMES)) {
  SHORT_NAMES_OF.set(name, [...(SHORT_NAMES_OF.get(name) ?? []), short]);
}

/** Versions that came after 1.20: an object in one of them is from a cluster that prefers it. */
const LATER_VERSIONS: Readonly<Record<string, string>> = {
  'CronJob.batch': 'batch/v1',
  'HorizontalPodAutoscaler.autoscaling': 'autoscaling/v2',
  'PodDisruptionBudget.policy': 'policy/v1',
  'EndpointSlice.discovery.k8s.io': 'discovery.k8s.io/v1',
  'FlowSchema.flowcontrol.apiserver.k8s.io': 'flowcontrol.apiserver.k8s.io/v1',
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': 'flowcontrol.apiserver.k8s.io/v1',
};

/** OpenShift shows each namespace as a project of its name, and deletes it with the project. */
const PROJECT = /^projects?(\.(v1\.)?project\.openshift\.io)?$/;

type Named = Pick<OwnerReference, 'apiVersion' | 'kind'>;

/** What the APIServices of the input say. */
export interface ServedApis {
  /** Whether the input has all of them, and none for this version. */
  readonly lack: (apiVersion: string) => boolean;
  /** The versions that a service serves, and no definition. */
  readonly aggregated: ReadonlySet<string>;
}

/**
 * Why it is unknown whether the collector can look up an owner. `kind`: the input has nothing but
 * references to the kind (`acceptAbsent`). `version`: it has objects of the kind, and no definition
 * says whether that is served in this version as well (`acceptNamed`).
 */
export type OwnerDoubt = 'kind' | 'version';

/** The built-in kinds, and those that the input adds. */
export class KindCatalogue {
  readonly #builtIn: KindTable;
  readonly #kinds = new Map<string, Kind>();
  /** By the kind alone: names of the kinds that are called so, in the order of `#kinds`. */
  readonly #groups = new Map<string, Set<string>>();
  readonly #plurals = new Map<string, string>();
  /** By name of the kind. */
  readonly #shortNames = new Map(Object.entries(CUSTOM_SHORT_NAMES));
  /** The versions that definitions serve, by name of the kind. */
  readonly #served = new Map<string, readonly string[]>();
  /** Whether a definition says that instances have namespaces, by name of the kind. */
  readonly #scopes = new Map<string, boolean>();
  /** By what each is about. */
  readonly #notes = new Map<string, string>();
  /** Versions in which the input has objects, by name of the kind. */
  readonly #read = new Map<string, Set<string>>();
  /** By version and kind. */
  readonly #doubts = new Map<string, OwnerDoubt>();
  readonly #protocol: string | null;
  #table: KindTable | null = null;
  #words: ReadonlyMap<string, readonly Kind[]> | null = null;
  #resources: ReadonlyMap<string, readonly Kind[]> | null = null;

  /** @param protocol whose kinds these are (`kindsServedIn`); absent: no version is missing. */
  constructor(builtIn: KindTable, protocol: string | null = null) {
    this.#builtIn = builtIn;
    this.#protocol = protocol;
    for (const kind of Object.values(builtIn)) this.#keep(kind);
  }

  isBuiltIn(kind: Kind): boolean {
    return Object.hasOwn(this.#builtIn, kind.name);
  }

  resolve(apiVersion: string, kind: string): Kind | null {
    return this.#called(kind).find((candidate) => servesIn(candidate, apiVersion)) ?? null;
  }

  #called(kind: string): readonly Kind[] {
    return [...(this.#groups.get(kind) ?? [])].flatMap((name) => this.#kinds.get(name) ?? []);
  }

  #keep(kind: Kind): void {
    this.#kinds.set(kind.name, kind);
    this.#groups.set(kind.kind, (this.#groups.get(kind.kind) ?? new Set()).add(kind.name));
    this.#table = null;
    this.#words = null;
    this.#resources = null;
  }

  /**
   * Whether the protocol no longer serves this version of a built-in kind, and no object of the
   * input shows that the cluster does.
   */
  isRemoved({ apiVersion, kind }: Named): boolean {
    if (this.#protocol === null || !isRemoved(apiVersion, kind, this.#protocol)) return false;
    return this.resolve(apiVersion, kind) === null;
  }

  /**
   * The kind of an object in the input. The cluster evidently serves it, so an unknown kind becomes
   * a custom kind, and an unknown version of a known kind becomes its preferred version, unless
   * the input has a better one.
   */
  accept(apiVersion: string, kind: string, namespaced: boolean): Kind {
    this.#noteLater(apiVersion, kind);
    const known = this.resolve(apiVersion, kind);
    if (known !== null) return this.#inOrder(this.#preferring(known, apiVersion), apiVersion);
    const group = groupOf(apiVersion) ?? '';
    const other =
      this.#kinds.get(group === '' ? kind : `${kind}.${group}`) ??
      this.#onceServed(apiVersion, kind);
    const added =
      other === undefined
        ? this.#custom(apiVersion, kind, namespaced)
        : { ...other, apiVersions: [apiVersion, ...other.apiVersions] };
    if (other !== undefined) {
      const since = this.isRemoved({ apiVersion, kind }) ? removedSince(apiVersion, kind) : null;
      const older =
        since === null
          ? ''
          : `; Kubernetes does not serve it from ${since} on, so name the release of the cluster with --protocol`;
      this.#notes.set(
        added.name,
        `${kind} is read as ${apiVersion}, which is taken to be its preferred version${older}`,
      );
    }
    this.#keep(added);
    return this.#inOrder(added, apiVersion);
  }

  /** Of the versions in which the input has objects, discovery prefers the best one. */
  #inOrder(kind: Kind, apiVersion: string): Kind {
    const read = (this.#read.get(kind.name) ?? new Set()).add(apiVersion);
    this.#read.set(kind.name, read);
    const [first = ''] = kind.apiVersions;
    const [best = ''] = [...read].filter((one) => groupOf(one) === groupOf(first)).sort(byPriority);
    if (!read.has(first) || best === first) return kind;
    this.#notes.delete(kind.name);
    const others = kind.apiVersions.filter((version) => version !== best);
    const changed = { ...kind, apiVersions: [best, ...others] };
    this.#keep(changed);
    return changed;
  }

  #noteLater(apiVersion: string, kind: string): void {
    const since = this.#protocol && servedLater(apiVersion, kind, this.#protocol);
    if (!since) return;
    this.#notes.set(
      `${apiVersion} ${kind}`,
      `${kind} is read as ${apiVersion}, which Kubernetes serves from ${since} on: it is taken to act all the same, so name the release of the cluster with --protocol`,
    );
  }

  #custom(apiVersion: string, kind: string, namespaced: boolean): Kind {
    const name = `${kind}.${groupOf(apiVersion) ?? ''}`;
    const plural = this.#plurals.get(name) ?? likelyResource(kind);
    const made = customKind(apiVersion, kind, namespaced, plural);
    return { ...made, apiVersions: withServed([apiVersion], this.#served.get(name)) };
  }

  /**
   * The version in which an owner reference names a kind. A definition in the input says which
   * versions of a custom kind are served. Without it, this one may be served as well, or no longer:
   * nothing updates references when a version goes. The collector looks up no owner in a version
   * that is not served (`gc.apiResource`), whatever other versions the kind has.
   *
   * @param scope whether that object has a namespace.
   */
  acceptNamed({ apiVersion, kind }: Named, scope: boolean, apis: ServedApis): void {
    const name = `${kind}.${groupOf(apiVersion) ?? ''}`;
    const known = this.#kinds.get(name);
    const served = this.#served.get(name);
    if (served !== undefined) {
      // Of a kind with a namespace, the collector looks up no owner of an object without one.
      const isLost = !scope && this.#scopes.get(name) === true && served.includes(apiVersion);
      if (known === undefined && isLost) this.#keep(this.#custom(apiVersion, kind, true));
      return;
    }
    if (known === undefined || known.apiVersions.includes(apiVersion)) return;
    // Betas of built-in kinds that no list has may be on. Those that releases have removed are off.
    const isOld = this.isBuiltIn(known) && removedSince(apiVersion, kind) !== null;
    if (isOld || apis.lack(apiVersion)) return;
    this.#keep({ ...known, apiVersions: [...known.apiVersions, apiVersion] });
    this.#doubts.set(`${apiVersion} ${kind}`, 'version');
  }

  /**
   * A custom kind of which the input has nothing but references with the uid of an object of another
   * kind. If the kind is served by a definition, such an owner is absent. If nothing serves it, the
   * owner cannot be looked up. An aggregated API can show the other object as one of this kind, with
   * its uid, as OpenShift does with projects.
   *
   * @param scope whether the object with the reference has a namespace. If one of them has none, the
   * kind is taken to have none, as the collector looks up no other owner of it.
   */
  acceptAbsent({ apiVersion, kind }: Named, scope: boolean, apis: ServedApis): void {
    const group = groupOf(apiVersion) ?? '';
    const name = `${kind}.${group}`;
    const served = this.#served.get(name);
    const isAggregated = apis.aggregated.has(apiVersion);
    const isServed = isAggregated || (served?.includes(apiVersion) ?? !apis.lack(apiVersion));
    if (!group.includes('.') || !isServed) return;
    if (mirroredBy({ apiVersion, kind }) !== null) {
      this.#doubts.set(`${apiVersion} ${kind}`, 'kind');
      return;
    }
    const known = this.#kinds.get(name);
    const isNew = this.resolve(apiVersion, kind) === null;
    const isBuiltIn = known !== undefined && this.isBuiltIn(known);
    if (isBuiltIn || !(isNew || this.doubtOf({ apiVersion, kind }) === 'kind')) return;
    const namespaced = this.#scopes.get(name) ?? (scope && known?.namespaced !== false);
    const made = known ?? this.#custom(apiVersion, kind, namespaced);
    this.#keep({ ...made, namespaced, apiVersions: withServed(made.apiVersions, [apiVersion]) });
    if (served === undefined || isAggregated) this.#doubts.set(`${apiVersion} ${kind}`, 'kind');
  }

  /** Why it is unknown if this kind is served in this version; null: it is known. */
  doubtOf({ apiVersion, kind }: Named): OwnerDoubt | null {
    return this.#doubts.get(`${apiVersion} ${kind}`) ?? null;
  }

  #preferring(kind: Kind, apiVersion: string): Kind {
    const [preferred, ...rest] = kind.apiVersions;
    if (LATER_VERSIONS[kind.name] !== apiVersion || preferred === apiVersion) return kind;
    const others = [preferred ?? '', ...rest].filter((version) => version !== apiVersion);
    const changed = { ...kind, apiVersions: [apiVersion, ...others] };
    this.#keep(changed);
    return changed;
  }

  /** What a definition says about the names of its kind: without it, the plural is a guess. */
  define(definition: {
    readonly group: string;
    readonly kind: string;
    readonly plural: string;
    readonly shortNames: readonly string[];
    readonly served: readonly string[];
    readonly namespaced: boolean;
  }): void {
    const { group, kind, plural, shortNames } = definition;
    this.#scopes.set(`${kind}.${group}`, definition.namespaced);
    const served = definition.served.map((version) => `${group}/${version}`);
    if (served.length > 0) this.#served.set(`${kind}.${group}`, served);
    if (shortNames.length > 0) this.#shortNames.set(`${kind}.${group}`, shortNames);
    this.#words = null;
    if (plural === '') return;
    this.#plurals.set(`${kind}.${group}`, plural);
    const known = this.#kinds.get(`${kind}.${group}`);
    if (known === undefined || this.isBuiltIn(known)) return;
    const apiVersions = withServed(known.apiVersions, served);
    this.#keep({ ...known, resource: plural, apiVersions });
  }

  /** Whether instances have namespaces; undefined: no definition says that. */
  scopeOf(apiVersion: string, kind: string): boolean | undefined {
    return this.#scopes.get(`${kind}.${groupOf(apiVersion)}`);
  }

  /** The kind of this group and plural; undefined if nothing in the input is of it. */
  defined({
    group,
    plural,
  }: {
    readonly group: string;
    readonly plural: string;
  }): Kind | undefined {
    this.#resources ??= groupedBy([...this.#kinds.values()], ({ resource }) => resource);
    return this.#resources
      .get(plural)
      ?.find(({ apiVersions }) => groupOf(apiVersions[0] ?? '') === group);
  }

  /** Finds workload kinds by the group that served them in early versions. */
  #onceServed(apiVersion: string, kind: string): Kind | undefined {
    return this.#called(kind).find((known) =>
      Object.hasOwn(known.defaultPolicyByVersion?.versions ?? {}, apiVersion),
    );
  }

  /**
   * The kinds that a word on the command line may mean, as in kubectl: kind, plural or short name;
   * alone, with a group or its beginning, or with a version and a group; case is ignored. Without a
   * group, a built-in kind comes before custom ones.
   */
  named(word: string): readonly Kind[] {
    const wanted = word.toLowerCase();
    const [name = '', ...rest] = wanted.split('.');
    this.#words ??= this.#byWord();
    const called = this.#words.get(name) ?? [];
    const group = rest.join('.');
    const exact = called.filter((kind) => servesAs(kind, group));
    // As kubectl has it, the beginning of a group will do: `ingress.networking`.
    const found =
      exact.length > 0 || group === ''
        ? exact
        : called.filter((kind) => groupOf(kind.apiVersions[0] ?? '')?.startsWith(group));
    const builtIn = found.filter((kind) => this.isBuiltIn(kind));
    if (found.length > 0) return builtIn.length > 0 ? builtIn : found;
    return PROJECT.test(wanted) ? this.named('Namespace') : [];
  }

  /** By word in lower case: the kinds that it may mean. */
  #byWord(): ReadonlyMap<string, readonly Kind[]> {
    const words = [...this.#kinds.values()].flatMap((kind) =>
      this.#wordsFor(kind).map((word) => ({ word, kind })),
    );
    const groups = [...groupedBy(words, ({ word }) => word)];
    return new Map(groups.map(([word, found]) => [word, found.map(({ kind }) => kind)]));
  }

  #wordsFor(kind: Kind): readonly string[] {
    const short = SHORT_NAMES_OF.get(kind.name) ?? [];
    const own = this.#shortNames.get(kind.name) ?? [];
    const words = [kind.kind, ...possibleResources(kind), ...short, ...own];
    return [...new Set(words.map((word) => word.toLowerCase()))];
  }

  /** Words that name kinds, for suggestions. */
  words(): readonly string[] {
    const kinds = [...this.#kinds.values()].flatMap((kind) => [kind.kind, kind.resource]);
    return [...kinds, ...Object.keys(SHORT_NAMES)];
  }

  /** Assumptions that were made about kinds. */
  get notes(): readonly string[] {
    return [...this.#notes.values()];
  }

  table(): KindTable {
    this.#table ??= Object.fromEntries(this.#kinds);
    return this.#table;
  }

  /** Only the kinds of these names. */
  tableOf(names: readonly string[]): KindTable {
    return Object.fromEntries([...this.#kinds].filter(([name]) => names.includes(name)));
  }

  /** Only the kinds of these objects, of the owners that they name, and of further references. */
  tableFor(objects: readonly ApiObject[], references: readonly OwnerReference[] = []): KindTable {
    const names = new Set(objects.map((object) => object.kind));
    const named = [...objects.flatMap((object) => object.ownerReferences), ...references];
    for (const { apiVersion, kind } of named) {
      const owner = this.resolve(apiVersion, kind);
      if (owner !== null) names.add(owner.name);
    }
    return Object.fromEntries([...this.#kinds].filter(([name]) => names.has(name)));
  }
}

/**
 * Whether what follows the name of a resource is the group of this kind: alone, or after a version.
 */
function servesAs({ apiVersions }: Kind, rest: string): boolean {
  if (rest === '') return true;
  return apiVersions.some((apiVersion) => {
    const group = groupOf(apiVersion) ?? '';
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    return (group !== '' && rest === group) || rest === `${version}.${group}`;
  });
}

/** Versions in which objects were read come first. */
function withServed(read: readonly string[], served: readonly string[] = []): readonly string[] {
  return [...read, ...served.filter((version) => !read.includes(version))];
}
