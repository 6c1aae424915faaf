import type { Rules } from '../rules/rules.ts';
import type { Change, DeleteOptions, Failure } from './calls.ts';
import type { Fact } from './facts.ts';
import type { KindTable } from './kinds.ts';
import type { ApiObject, ObjectKey, Uid } from './objects.ts';

/** Spellings of `--cascade`. */
export const CASCADES = ['true', 'false', 'background', 'orphan', 'foreground'] as const;

export interface KubectlFlags {
  readonly cascade: (typeof CASCADES)[number];
  readonly wait: boolean;
  /** After what `DeleteOptions.Complete` makes of the flags; absent: none is sent. */
  readonly gracePeriod?: number;
  /** `--dry-run=server`. */
  readonly dryRun?: true;
}

/** One request of a user, or a wait. A user's steps come one after the other. */
export type UserRequest =
  | { readonly do: 'create'; readonly object: ApiObject }
  | {
      readonly do: 'delete';
      readonly key: ObjectKey;
      readonly options: DeleteOptions;
      /** The version that the request goes through; absent: the preferred one. */
      readonly apiVersion?: string;
    }
  | {
      readonly do: 'update';
      readonly key: ObjectKey;
      readonly change: Change;
      /** PUT (true) or PATCH (false). */
      readonly put: boolean;
      readonly uid: Uid | null;
      /** Demand the object as this user read it in the `read` step before. */
      readonly resourceVersion: boolean;
    }
  /** `kubectl delete`, which may wait until the object is gone. */
  | { readonly do: 'kubectlDelete'; readonly key: ObjectKey; readonly flags: KubectlFlags }
  /** The machine of a node is gone, with its kubelet. */
  | { readonly do: 'loseNode'; readonly node: string }
  /** GET, to remember the resourceVersion for a later precondition. */
  | { readonly do: 'read'; readonly key: ObjectKey }
  /** Wait until neither API server, watch streams nor collector have anything left to do. */
  | { readonly do: 'settle' }
  /** Wait until all of these are true at once; without any, a pause of any length. */
  | { readonly do: 'await'; readonly facts: readonly Fact[] }
  /** DELETE of a collection. `kind` is a name in the table of kinds. */
  | {
      readonly do: 'deleteCollection';
      readonly kind: string;
      readonly namespace: string;
      readonly options: DeleteOptions;
      readonly apiVersion?: string;
    }
  /**
   * The definition of a custom kind is changed: it is served in this version only from now on.
   * `kind` is a name in the table of kinds, whose `laterVersions` have the version.
   */
  | { readonly do: 'serveVersion'; readonly kind: string; readonly version: string }
  /** The controller manager ends: the collector and every controller. */
  | { readonly do: 'stopControllers' }
  /** It starts again, with nothing in memory. */
  | { readonly do: 'startControllers' };

export interface UserStep {
  readonly request: UserRequest;
  /** The step cannot begin before these users have finished that many steps of theirs. */
  readonly after: readonly { readonly user: string; readonly steps: number }[];
  /** What the request must be answered with; another answer is noted in `surprises`. */
  readonly answer?: 'success' | Failure['reason'];
}

/**
 * Whether the owner of a third-party finalizer removes it once deletion has begun: sooner or later
 * (weakly fair), or never.
 */
export type FinalizerOwner = 'cooperative' | 'stuck';

/**
 * An object for which a controller keeps a number of children: a Deployment its ReplicaSet, a
 * ReplicaSet its pods.
 */
export interface Workload {
  readonly parent: { readonly key: ObjectKey; readonly uid: Uid };
  readonly replicas: number;
  /**
   * What the controller creates, in this order and each once. More than `replicas`: replacements;
   * once all are used up nothing that needs another one counts as quiet.
   */
  readonly children: readonly ApiObject[];
  /**
   * Name of the actor that looks after it. Absent: its controller keeps a number of children, or
   * children of fixed names.
   */
  readonly controller?: string;
  /**
   * It decides on informers' copies, which may be old, and not on the store. Only then are the
   * following fields read.
   */
  readonly caches?: 'own';
  /** What its selector matches besides its children, and what it adopts therefore. */
  readonly selects?: readonly ObjectKey[];
  /** Children are created again and again: a uid without references represents a new one (`isKnown`). */
  readonly uidsReturn?: true;
}

/** A controller that looks after one object, as a user describes it. */
export interface Operator {
  /** The client under which it sends its requests. */
  readonly name: string;
  readonly parent: { readonly key: ObjectKey; readonly uid: Uid };
  /** The finalizer that it owns: it takes it off the parent at last. */
  readonly finalizer?: string;
  /** Whether it puts it on, before anything else. */
  readonly addsFinalizer: boolean;
  /** What it creates while the parent is not being deleted; several objects may have one name. */
  readonly creates: readonly ApiObject[];
  /** As for a workload. */
  readonly uidsReturn?: true;
  /** What it deletes once the parent is being deleted, each once the one before is gone. */
  readonly deletes: readonly { readonly key: ObjectKey; readonly options: DeleteOptions }[];
  /** What has to be gone before it takes its finalizer off. */
  readonly waitsFor: readonly ('dependents' | ObjectKey)[];
  readonly reads: 'cache' | 'live';
  /** `none`: it may stop at any time, and for good. */
  readonly fairness: 'weak' | 'none';
}

/** Whether an initializer finishes its work on an object, rejects it, or never does anything. */
export type Initializer = 'cooperative' | 'rejecting' | 'stuck';

/** A right that a user lacks. */
export interface DeniedRight {
  readonly verb: 'delete' | 'update';
  /** Plural name; `*` means every resource. */
  readonly resource: string;
  /** Absent: the rule is about every subresource and about the resource itself. */
  readonly subresource?: string;
}

/** Pod garbage collection. */
export interface PodGc {
  /** `--terminated-pod-gc-threshold`: so many may stay; 0: any number. */
  readonly terminatedPods: number;
}

/** Everything that makes one model: the initial objects, the actors and what may disturb them. */
export interface Setup {
  readonly name: string;
  readonly kinds: KindTable;
  readonly rules: Rules;
  readonly objects: readonly ApiObject[];
  /** Programs by user name. No user is obliged to begin a step, but a request once begun is served. */
  readonly users: Readonly<Record<string, readonly UserStep[]>>;
  /** By finalizer name; one that is not named has a cooperative owner. */
  readonly finalizers: Readonly<Record<string, FinalizerOwner>>;
  /** `--concurrent-gc-syncs`: 20 in Kubernetes; one delete worker and one orphan worker each here. */
  readonly deleteWorkers: number;
  readonly orphanWorkers: number;
  /** `synced`: the collector has seen every object. `cold`: it has seen none of them yet. */
  readonly caches: 'synced' | 'cold';
  /** Names of the namespaces that the namespace controller empties once they are deleted. */
  readonly emptiedNamespaces?: readonly string[];
  /** After how many errors in a row of passes the controller gives a namespace up; absent: never. */
  readonly namespaceRetries?: number;
  /** `cached`: admission looks for namespaces in a cache, which may lag. */
  readonly namespaceAdmission?: 'cached';
  /**
   * Keys of the CustomResourceDefinitions that are objects of the model: their kinds are served while
   * they are stored, and their controller removes the instances of one that is being deleted.
   */
  readonly definitions?: readonly ObjectKey[];
  /** Whether kubelets end the grace periods of scheduled pods. */
  readonly kubelets?: boolean;
  /** Whether these kubelets run containers, and end a grace period only once they have ended. */
  readonly containers?: boolean;
  /** Whether claims are kept for their pods, and volumes for their claims. */
  readonly storageProtection?: boolean;
  /** Whether nodes are deleted once their machines are gone. */
  readonly nodeController?: boolean;
  /** Pod garbage collection; absent: it does not run. */
  readonly podGc?: PodGc;
  /** Rights that users lack, by user; one that is not named may do everything. */
  readonly denied?: Readonly<Record<string, readonly DeniedRight[]>>;
  /** What the Deployment and ReplicaSet controllers look after; absent: neither of them runs. */
  readonly workloads?: readonly Workload[];
  /** Controllers that a user has described. */
  readonly operators?: readonly Operator[];
  /** By name of the initializer; one that is not named finishes its work, sooner or later. */
  readonly initializers?: Readonly<Record<string, Initializer>>;
  /** The controllers of workloads never acknowledge a generation (`observedGeneration`). */
  readonly silentControllers?: true;
  /**
   * How often the collector may be told by discovery that nothing is served, and, by version of a
   * group, that this one cannot be discovered. Absent: the collector never asks, and watches the same
   * kinds all the time.
   */
  readonly discovery?: {
    readonly empty: number;
    readonly failing: Readonly<Record<string, number>>;
  };
  /** Kinds whose list the collector is never answered. It has just started. */
  readonly neverSyncs?: readonly string[];
  /** How often the member of etcd that the collector reads from may lag behind for one object. */
  readonly lags?: number;
  /** Kinds that the API server, which has just started, has yet to install. */
  readonly notInstalled?: readonly string[];
  /**
   * Events of all kinds reach the collector in the order in which they happened. No version of
   * Kubernetes does that; what is wrong all the same does not come from the lack of it.
   */
  readonly orderedDelivery?: true;
  /** How many relists may disturb the watch stream of each kind; absent means none. */
  readonly relists: Readonly<Record<string, number>>;
  /**
   * Named ways in which it may end: what is so when all users are done and all is quiet. Nothing acts
   * on them; each is asked whether it is possible.
   */
  readonly outcomes?: Readonly<Record<string, readonly Fact[]>>;
}
