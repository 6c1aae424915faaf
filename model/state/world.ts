import type { Rules } from '../rules/rules.ts';
import type { Call, Failure, Progress } from './calls.ts';
import type { ClusterDraft } from './cluster.ts';
import type { KindTable } from './kinds.ts';
import type { ApiObject, Identity, ObjectKey } from './objects.ts';
import type { DeniedRight, Setup } from './setup.ts';

/** What is fixed while a model runs, and read by the reducers. */
export interface World {
  readonly kinds: KindTable;
  readonly rules: Rules;
  /**
   * Entries that `absentOwnerCache` holds; the least recently used one goes. 500 in Kubernetes;
   * infinite where a model cannot have that many identities.
   */
  readonly absentOwnerCapacity: number;
  /** Who answers the collector's requests; absent means the API server of this model. */
  readonly api?: ApiServer;
  /**
   * Names of the namespaces that are objects of the model. In any other namespace there may always
   * be objects.
   */
  readonly namespaces?: readonly string[];
  /**
   * Keys of the CustomResourceDefinitions that are objects of the model: their kinds are served only
   * while they are stored. Other custom kinds always are.
   */
  readonly definitions?: readonly ObjectKey[];
  /** As in the setup. */
  readonly orderedDelivery?: true;
  /** Caches of others than the collector; absent means that there are none. */
  readonly informers?: readonly Informer[];
  /** As in the setup: when kinds are watched and served; absent: always. */
  readonly discovery?: NonNullable<Setup['discovery']>;
  readonly neverSyncs?: readonly string[];
  readonly notInstalled?: readonly string[];
  readonly lags?: number;
  /** Names of the kinds that the collector watches if all goes well; where one of these is there. */
  readonly monitored?: readonly string[];
  /** Rights that clients lack, by client; one that is not named may do everything. */
  readonly denied?: Readonly<Record<string, readonly DeniedRight[]>>;
  /** Is called with each warning event of the collector; never changes the state. */
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
 * answers; who answers is the model's own API server unless the world names another, as it does
 * where answers are given from the outside.
 */
export interface ApiServer {
  /** A live GET. */
  get(cluster: ClusterDraft, world: World, key: ObjectKey): GetAnswer;
  /** One atomic step of a writing request. */
  advance(cluster: ClusterDraft, world: World, call: Call): Progress;
}

export type GetAnswer = { readonly code: 200; readonly object: ApiObject } | Failure;

/**
 * Caches of others than the collector (client-go `sharedIndexInformer`): each receives every
 * change to one kind, in order, after any delay. A cache holds what is stored minus the changes that
 * have not reached it, so a cache that is up to date takes no state.
 *
 * Such a watch does not break. It begins up to date, and again after a restart of the controller
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
  /** Clients under which controllers sync whenever something reaches this cache. */
  readonly readers?: readonly string[];
}
