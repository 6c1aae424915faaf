import type { Rules } from '../rules/rules.ts';
import type { Call, Failure, Progress } from './calls.ts';
import type { ClusterDraft } from './cluster.ts';
import type { KindTable } from './kinds.ts';
import type { ApiObject, Identity, ObjectKey, Uid } from './objects.ts';
import type { DeniedRight, Setup } from './setup.ts';

/** Everything that is fixed while a model runs and that the reducers read. */
export interface World {
  readonly kinds: KindTable;
  readonly rules: Rules;
  /**
   * Number of entries of `absentOwnerCache`; the least recently used entry is evicted. 500 in
   * Kubernetes. Infinite if a model cannot have that many identities.
   */
  readonly absentOwnerCapacity: number;
  /** The server that answers the collector's requests. Absent: the API server of this model. */
  readonly api?: ApiServer;
  /**
   * Names of the namespaces that are objects of the model. Any other namespace can always contain
   * objects. `all`: a namespace can contain objects only while it is stored.
   */
  readonly namespaces?: readonly string[] | 'all';
  /**
   * Keys of the CustomResourceDefinitions that are objects of the model. Their kinds are served
   * only while they are stored; other custom kinds always are.
   */
  readonly definitions?: readonly ObjectKey[];
  /** As in the setup. */
  readonly orderedDelivery?: true;
  /** As in the setup. */
  readonly otherContents?: true;
  /** As in the setup. */
  readonly otherDependents?: Setup['otherDependents'];
  /** Uids of the objects that the collector does not see. Absent: it sees all. */
  readonly unobserved?: readonly Uid[];
  /** Caches of actors other than the collector. Absent: there are none. */
  readonly informers?: readonly Informer[];
  /** As in the setup: when kinds are watched and served. Absent: always. */
  readonly discovery?: NonNullable<Setup['discovery']>;
  readonly neverSyncs?: readonly string[];
  readonly syncsLate?: readonly string[];
  readonly notInstalled?: readonly string[];
  readonly unavailableApis?: readonly string[];
  readonly refusesUpdates?: readonly string[];
  readonly lags?: number;
  readonly rateLimiter?: true;
  /**
   * Names of the kinds that the collector watches when nothing fails. Present only if monitors can
   * start or stop (`hasMonitors`).
   */
  readonly monitored?: readonly string[];
  /** Rights that clients lack, by client. A client that is not listed may do everything. */
  readonly denied?: Readonly<Record<string, readonly DeniedRight[]>>;
  /** Names of the controllers that are told of every change (`noteChange`). Absent: none. */
  readonly noting?: readonly string[];
  /** Called with each warning event of the collector. Never changes the state. */
  readonly report?: (warning: CollectorWarning) => void;
}

/** The collector's event `OwnerRefInvalidNamespace` on a dependent. */
export interface CollectorWarning {
  readonly reason: 'OwnerRefInvalidNamespace';
  readonly dependent: Identity;
  /** The coordinates of the reference, in the namespace of the dependent. */
  readonly owner: Identity;
}

/**
 * The API server as the collector sees it. The workers send their requests here and handle the
 * answers. The model's own API server answers unless the world names another one, as it does for
 * answers that come from outside.
 */
export interface ApiServer {
  /** A live GET. */
  get(cluster: ClusterDraft, world: World, key: ObjectKey): GetAnswer;
  /** One atomic step of a writing request. */
  advance(cluster: ClusterDraft, world: World, call: Call): Progress;
}

export type GetAnswer = { readonly code: 200; readonly object: ApiObject } | Failure;

/**
 * Caches of actors other than the collector (client-go `sharedIndexInformer`). Each cache receives
 * every change to one kind, in order, after any delay. A cache holds the stored objects minus the
 * changes that have not reached it, so an up-to-date cache takes no state.
 *
 * Such a watch breaks as often as the setup says for the kind (`Setup.relists`), independently of
 * other watches of that kind. It is up to date at the start and after a restart of the controller
 * manager, because controllers start only after their caches have synced.
 */
export interface Informer {
  /** Unique. */
  readonly name: string;
  /** Its owner, in the words of a trace. */
  readonly words: string;
  /** Name in the table of kinds. */
  readonly kind: string;
  /** Whether it ends with the controller manager. */
  readonly inManager: boolean;
  /** Clients under which controllers sync whenever a change reaches this cache. */
  readonly readers?: readonly string[];
  /**
   * For an actor that works only on what events tell it about: called for each event of this
   * informer (client-go `ResourceEventHandler`).
   */
  readonly handle?: (cluster: ClusterDraft, world: World, event: InformerEvent) => void;
}

/** An event of an informer: the object under a key in its cache, before and after the event. */
export interface InformerEvent {
  /** Null: the object was not in the cache. */
  readonly before: ApiObject | null;
  /** Null: the object is no longer in the cache. */
  readonly after: ApiObject | null;
}
