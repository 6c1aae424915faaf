import type { Rules } from '../rules/rules.ts';
import type { Change, DeleteOptions, Failure } from './calls.ts';
import type { Condition } from './conditions.ts';
import type { Fact } from './facts.ts';
import type { KindTable } from './kinds.ts';
import type { ApiObject, ObjectKey, Uid } from './objects.ts';
import type { Operator } from './programs/operator.ts';
import type { ControllerProgram } from './programs/program.ts';

/** Spellings of `--cascade`. */
export const CASCADES = ['true', 'false', 'background', 'orphan', 'foreground'] as const;

export interface KubectlFlags {
  readonly cascade: (typeof CASCADES)[number];
  readonly wait: boolean;
  /**
   * The grace period that `DeleteOptions.Complete` derives from the flags. Absent: none is sent.
   */
  readonly gracePeriod?: number;
  /** `--dry-run=server`. */
  readonly dryRun?: true;
}

/** One request of a user, or a wait. The steps of a user come one after the other. */
export type UserRequest =
  | { readonly do: 'create'; readonly object: ApiObject }
  | {
      readonly do: 'delete';
      readonly key: ObjectKey;
      readonly options: DeleteOptions;
      /** The version that the request uses. Absent: the preferred version. */
      readonly apiVersion?: string;
    }
  | {
      readonly do: 'update';
      readonly key: ObjectKey;
      readonly change: Change;
      /** PUT (true) or PATCH (false). */
      readonly put: boolean;
      readonly uid: Uid | null;
      /** Whether the request demands the object as this user read it in an earlier `read` step. */
      readonly resourceVersion: boolean;
    }
  /** `kubectl delete`, which may wait until the object is gone. */
  | { readonly do: 'kubectlDelete'; readonly key: ObjectKey; readonly flags: KubectlFlags }
  /** The machine of a node disappears, together with its kubelet. */
  | { readonly do: 'loseNode'; readonly node: string }
  /** GET, to remember the resourceVersion for a later precondition. */
  | { readonly do: 'read'; readonly key: ObjectKey }
  /** Waits until API server, watch streams and collector have nothing left to do. */
  | { readonly do: 'settle' }
  /** Waits until all of these facts are true at once. Without facts: a pause of any length. */
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
   * The definition of a custom kind changes: from now on the kind is served in this version only.
   * `kind` is a name in the table of kinds, and the version is one of its `laterVersions`.
   */
  | { readonly do: 'serveVersion'; readonly kind: string; readonly version: string }
  /** The controller manager ends: the collector and every controller. */
  | { readonly do: 'stopControllers' }
  /** The controller manager starts again, with nothing in memory. */
  | { readonly do: 'startControllers' };

export interface UserStep {
  readonly request: UserRequest;
  /** The step cannot begin before each of these users has finished this number of steps. */
  readonly after: readonly { readonly user: string; readonly steps: number }[];
  /** The expected answer to the request. A different answer is recorded in `surprises`. */
  readonly answer?: 'success' | Failure['reason'];
}

/**
 * What the owner of a third-party finalizer does once deletion has begun: `cooperative` removes the
 * finalizer eventually (weakly fair), `unknown` may remove it or not, `stuck` never removes it.
 */
export type FinalizerOwner = 'cooperative' | 'unknown' | 'stuck';

/**
 * An object for which a controller keeps a number of children: a ReplicaSet for a Deployment, pods
 * for a ReplicaSet.
 */
export interface Workload {
  readonly parent: { readonly key: ObjectKey; readonly uid: Uid };
  readonly replicas: number;
  /**
   * What the controller creates, in this order and each child once. If there are more than
   * `replicas`, the others are replacements. After all are used up, the cluster never becomes quiet
   * while the controller needs another one.
   */
  readonly children: readonly ApiObject[];
  /**
   * Name of the actor that manages the workload. Absent: its controller keeps a number of children,
   * or children of fixed names.
   */
  readonly controller?: string;
  /**
   * The controller decides on informers' copies, which can be old, and not on the store. The
   * following fields are read only in this case.
   */
  readonly caches?: 'own';
  /** Other objects that its selector matches, which the controller therefore adopts. */
  readonly selects?: readonly ObjectKey[];
  /**
   * Children are created again and again: a uid without references represents a new one
   * (`isKnown`).
   */
  readonly uidsReturn?: true;
  /** Of a StatefulSet: what becomes of the claims of its pods. Absent: they stay. */
  readonly claims?: ClaimRetention;
}

/**
 * `spec.persistentVolumeClaimRetentionPolicy` of a StatefulSet, and the claims that it made for its
 * pods.
 */
export interface ClaimRetention {
  readonly whenDeleted: 'Retain' | 'Delete';
  readonly whenScaled: 'Retain' | 'Delete';
  /** `spec.ordinals.start`. */
  readonly firstOrdinal: number;
  readonly ofPods: Readonly<Record<ObjectKey, readonly ObjectKey[]>>;
}

/** Whether an initializer finishes its work on an object, rejects it, or never acts. */
export type Initializer = 'cooperative' | 'rejecting' | 'stuck';

/** A right that a user lacks. */
export interface DeniedRight {
  readonly verb: 'delete' | 'update';
  /** Plural name. `*` means every resource. */
  readonly resource: string;
  /** Absent: the rule applies to the resource itself and to every subresource. */
  readonly subresource?: string;
}

/** Pod garbage collection. */
export interface PodGc {
  /** `--terminated-pod-gc-threshold`: how many terminated pods may stay. 0: any number. */
  readonly terminatedPods: number;
  /**
   * Names of lost nodes with the taint `node.kubernetes.io/out-of-service`. Pods there that are
   * being deleted are removed by force (1.24). Absent: none.
   */
  readonly outOfService?: readonly string[];
}

/** A way in which runs may end, and how often they are to end so. */
export interface Outcome {
  /** True at the end of such a run. */
  readonly facts: readonly Fact[];
  readonly expect: 'never' | 'sometimes' | 'always';
}

/** The temporal forms of a property that an author writes. */
export const OWN_FORMS = ['never', 'always', 'eventually', 'leadsTo'] as const;

/** A property that the author of a scenario has written. */
export interface OwnProperty {
  readonly form: (typeof OWN_FORMS)[number];
  /** The states that are judged. Absent: all. Always present for `leadsTo`. */
  readonly when?: Condition;
  readonly condition: Condition;
}

/**
 * Everything that makes one model: the initial objects, the actors and the possible disturbances.
 */
export interface Setup {
  readonly name: string;
  readonly kinds: KindTable;
  readonly rules: Rules;
  readonly objects: readonly ApiObject[];
  /**
   * Requests from outside can store any object, so the setup does not name all that can be. The
   * steps of such a model are its candidates (`openModel`); it cannot be searched. Absent: the
   * setup names every object.
   */
  readonly open?: true;
  /**
   * Programs by user name. A user need not begin a step, but a request that has begun is always
   * served.
   */
  readonly users: Readonly<Record<string, readonly UserStep[]>>;
  /**
   * Every user sends all of its requests sooner or later. So what only lasts until a request is
   * sent does not last for ever. Absent: users may stop at any time.
   */
  readonly usersFinish?: true;
  /** By finalizer name. A finalizer that is not listed has a cooperative owner. */
  readonly finalizers: Readonly<Record<string, FinalizerOwner>>;
  /**
   * `--concurrent-gc-syncs`: 20 in Kubernetes. Here one delete worker and one orphan worker each.
   */
  readonly deleteWorkers: number;
  readonly orphanWorkers: number;
  /** `synced`: the collector has seen every object. `cold`: it has not seen any of them yet. */
  readonly caches: 'synced' | 'cold';
  /** Names of the namespaces that the namespace controller empties once they are deleted. */
  readonly emptiedNamespaces?: readonly string[];
  /**
   * The number of failed passes in a row after which the controller gives a namespace up. Absent:
   * never.
   */
  readonly namespaceRetries?: number;
  /**
   * `related`: the collector sees only objects that can have owners, dependents or its finalizers.
   * To it, the others make no difference. Absent: it sees all.
   */
  readonly observed?: 'related';
  /**
   * The emptied namespaces have other contents, which are not objects of the model and can change
   * at any time. So the controller can begin again at any time.
   */
  readonly otherContents?: true;
  /**
   * By owner: it has any number of further dependents, which are not objects of the model. Each of
   * them leaves the collector's graph at any time. Absent: there are none.
   */
  readonly otherDependents?: Readonly<Record<Uid, OtherDependents>>;
  /**
   * By object: it has owners that are not objects of the model. Because of them the collector
   * deletes it sooner or later, with any of these policies. Absent: there are none.
   */
  readonly otherOwners?: Readonly<Record<Uid, readonly Propagation[]>>;
  /**
   * By key of a claim: pods that are not objects of the model use it, until they are gone. Absent:
   * there are none.
   */
  readonly otherUsers?: Readonly<Record<ObjectKey, DependentsEnd>>;
  /**
   * `cached`: admission looks up namespaces in a cache, which can lag. `bounded`: it does, but less
   * long than the namespace controller waits before it begins, and so do requests that it admits.
   */
  readonly namespaceAdmission?: 'cached' | 'bounded';
  /**
   * Keys of the CustomResourceDefinitions that are objects of the model. Their kinds are served
   * while they are stored, and their controller removes the instances of a definition that is being
   * deleted.
   */
  readonly definitions?: readonly ObjectKey[];
  /** `cached`: requests for custom resources find their definition in a cache, which can lag. */
  readonly definitionLookup?: 'cached';
  /** Whether kubelets end the grace periods of scheduled pods. */
  readonly kubelets?: boolean;
  /**
   * Whether these kubelets run containers, and end a grace period only after the containers have
   * ended.
   */
  readonly containers?: boolean;
  /** Whether claims are protected while pods use them, and volumes while they have a claim. */
  readonly storageProtection?: boolean;
  /** Whether nodes are deleted once their machines are gone. */
  readonly nodeController?: boolean;
  /** Names of nodes whose machines are gone at the start. Absent: none. */
  readonly lostNodes?: readonly string[];
  /**
   * Whether taint eviction marks the pods of lost nodes for deletion, except for those that
   * tolerate the taint, such as those of DaemonSets.
   */
  readonly taintEviction?: boolean;
  /** Pod garbage collection. Absent: it does not run. */
  readonly podGc?: PodGc;
  /** Rights that users lack, by user. A user that is not listed may do everything. */
  readonly denied?: Readonly<Record<string, readonly DeniedRight[]>>;
  /** What the Deployment and ReplicaSet controllers manage. Absent: neither of them runs. */
  readonly workloads?: readonly Workload[];
  /** Controllers that a user has described. */
  readonly operators?: readonly Operator[];
  /** Controllers that a user has written in TypeScript. Never part of a stored setup. */
  readonly programs?: readonly ControllerProgram[];
  /** What exists outside of the cluster at the start. */
  readonly outside?: readonly string[];
  /** By name of the initializer. An initializer that is not listed finishes its work eventually. */
  readonly initializers?: Readonly<Record<string, Initializer>>;
  /** The controllers of workloads never acknowledge a generation (`observedGeneration`). */
  readonly silentControllers?: true;
  /**
   * How often discovery can answer the collector that nothing is served, and, by version of a
   * group, that this one cannot be discovered. Absent: the collector never asks, and always watches
   * the same kinds.
   */
  readonly discovery?: {
    readonly empty: number;
    readonly failing: Readonly<Record<string, number>>;
  };
  /** Kinds for which the collector, which has just started, never gets an answer to its list. */
  readonly neverSyncs?: readonly string[];
  /**
   * Kinds whose first list reaches the collector, which has just started, later than those of the
   * other kinds: sooner or later, after any delay.
   */
  readonly syncsLate?: readonly string[];
  /**
   * How often the member of etcd that the collector reads from can begin to lag behind for one
   * object.
   */
  readonly lags?: number;
  /**
   * Versions of groups whose own API server does not answer, as `group/version`. Discovery then
   * fails in part, for good, so the namespace controller finalizes nothing. Absent: none.
   */
  readonly unavailableApis?: readonly string[];
  /**
   * Kinds whose validation refuses every PUT and PATCH of an object, whatever it changes, except
   * those of its subresources: the stored objects no longer fit the schema, or an admission webhook
   * refuses them. Absent: none.
   */
  readonly refusesUpdates?: readonly string[];
  /**
   * The state includes which items the rate limiters of the work queues remember, so that a
   * property can ask for it. Nothing else depends on it.
   */
  readonly rateLimiter?: true;
  /** Kinds that the API server, which has just started, has not installed yet. */
  readonly notInstalled?: readonly string[];
  /**
   * Events of all kinds reach the collector in the order in which they happened. No version of
   * Kubernetes does that. A violation that remains does not come from the lack of this order.
   */
  readonly orderedDelivery?: true;
  /** How many relists can disturb the watch stream of each kind. Absent: none. */
  readonly relists: Readonly<Record<string, number>>;
  /**
   * How many events each watch of a kind can lose. Later events arrive, and the watch ends sooner
   * or later, so that a list shows the difference. Absent: none.
   */
  readonly lostEvents?: Readonly<Record<string, number>>;
  /**
   * Named outcomes: what is true when all users are done and all is quiet. No actor reads them;
   * each one is a property.
   */
  readonly outcomes?: Readonly<Record<string, Outcome>>;
  /** Properties that the author of a scenario has written, by name. No actor reads them. */
  readonly ownProperties?: Readonly<Record<string, OwnProperty>>;
}

/** Dependents of one owner that are not objects of the model: how those with each flag end. */
export interface OtherDependents {
  /** Those that set blockOwnerDeletion. Absent: there are none. */
  readonly blocking?: DependentsEnd;
  /** The others. Absent: there are none. */
  readonly free?: DependentsEnd;
  /** None of them leaves before the owner is being deleted. Absent: they leave at any time. */
  readonly attached?: true;
  /** One of them may wait before the collector knows that the owner does. Absent: none does. */
  readonly waiting?: true;
}

/** How a DELETE of the collector treats dependents. */
export type Propagation = 'Foreground' | 'Background' | 'Orphan';

/**
 * `leave`: all of them are gone in the end. `mayStay`: some of them may stay for ever. `stay`: one
 * of them never leaves.
 */
export type DependentsEnd = 'leave' | 'mayStay' | 'stay';
