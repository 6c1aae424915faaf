import type { Draft } from 'immer';
import type { Call } from './calls.ts';
import type { NodeId } from './nodes.ts';
import type { ApiObject, Identity, ObjectKey, OwnerReference, Uid } from './objects.ts';
import type { DeleteWorker, OrphanWorker, SynchronousWorker } from './workers.ts';

/**
 * The whole system at one instant. `SLOTS` says how each top-level key is divided into slots. A key
 * that is absent from a record has the resting value, so things that have not happened yet take no
 * space.
 */
export interface Cluster {
  /** etcd, by `objectKey`. */
  readonly store: Readonly<Record<ObjectKey, ApiObject>>;
  /**
   * Optimistic reads: the object that a client has read and that no other client has written since.
   * It replaces every comparison of resourceVersions, which only ask "is it still the one I read?".
   */
  readonly unchangedSince: Readonly<Record<string, ObjectKey>>;
  /** The request in flight of each client that is not a collector worker. */
  readonly calls: Readonly<Record<string, Call>>;
  /** How many steps of its program each user has begun. */
  readonly users: Readonly<Record<string, number>>;
  /**
   * Dependents that a user was promised to be orphaned, with the uid of the owner: those that were
   * stored when a DELETE was answered with an object on which it had left `orphan`. No actor reads
   * this record; properties use it to judge the promise.
   */
  readonly promisedOrphans: Readonly<Record<Uid, Uid>>;
  /**
   * By user: the first answer that differs from the one that its step names (`UserStep.answer`).
   */
  readonly surprises: Readonly<Record<string, Surprise>>;
  /**
   * By client: an object whose removal its request had already decided or begun when it was
   * answered that there is no such object. No actor reads this record.
   */
  readonly unearned: Readonly<Record<string, ObjectKey>>;
  /** Watch events that the collector has not handled yet, one stream for each kind. */
  readonly watch: Readonly<Record<string, readonly WatchEvent[]>>;
  /**
   * The changes that have not reached the caches of actors other than the collector, by informer.
   */
  readonly unseen: Readonly<Record<string, readonly Unseen[]>>;
  /**
   * Node objects for which the collector has made a delete event itself. A set is enough: any
   * worker can stall before the GET that finds nothing, so such events come in every order, and two
   * events for one node do the same as one.
   */
  readonly graphChanges: Readonly<Record<NodeId, true>>;
  /** `GraphBuilder.uidToNode`. */
  readonly graph: Readonly<Record<Uid, GraphNode>>;
  /** `node.dependents` of each node in the graph that has any: uids, sorted. */
  readonly dependents: Readonly<Record<Uid, readonly Uid[]>>;
  /**
   * Work queues: the node objects that wait. The insertion order of the record is the queue order.
   */
  readonly attemptToDelete: Readonly<Record<NodeId, QueuedNode>>;
  readonly attemptToOrphan: Readonly<Record<NodeId, QueuedOrphan>>;
  /**
   * Node objects that a delete worker has taken and not finished. No second worker takes the same
   * one.
   */
  readonly processing: Readonly<Record<NodeId, HeldNode>>;
  /** Node objects that an orphan worker has taken and not finished. */
  readonly orphaning: Readonly<Record<NodeId, QueuedOrphan>>;
  /** The queue of owners in foreground deletion, in versions that have a separate queue. */
  readonly synchronousDeletion: Readonly<Record<NodeId, true>>;
  /**
   * `ItemExponentialFailureRateLimiter.failures` of the queues `attemptToDelete` and
   * `attemptToOrphan`: node objects that were put back, and not forgotten since. Always empty
   * unless `Setup.rateLimiter` is set.
   */
  readonly deleteFailures: Readonly<Record<NodeId, true>>;
  readonly orphanFailures: Readonly<Record<NodeId, true>>;
  /** The routine that works on that queue, while it is busy. */
  readonly synchronousWorkers: Readonly<Record<string, SynchronousWorker>>;
  /** `absentOwnerCache`. The insertion order of the record is the age of the entries. */
  readonly absentOwners: Readonly<Record<string, true>>;
  /** Delete workers that are busy. */
  readonly deleteWorkers: Readonly<Record<string, DeleteWorker>>;
  /** Orphan workers that are busy. */
  readonly orphanWorkers: Readonly<Record<string, OrphanWorker>>;
  /** Busy controllers, by the name under which they send requests. */
  readonly controllers: Readonly<Record<string, ControllerState>>;
  /**
   * `controllers`: the controller manager does not run, neither collector nor controllers.
   * `workers`: the collector has started, but its workers have not.
   */
  readonly stopped: Readonly<Record<string, true>>;
  /**
   * Kinds that the collector does not watch as usual. `unsynced`: the monitor has not listed yet.
   * `stopped`: there is no monitor. `dropped`: there is no monitor, but the informer still sends
   * events.
   */
  readonly monitors: Readonly<Record<string, 'unsynced' | 'stopped' | 'dropped'>>;
  /** `round`: the current round of `GarbageCollector.Sync`. */
  readonly syncing: Readonly<Record<string, SyncRound>>;
  /** What GETs of the collector still show of objects while its member of etcd lags behind. */
  readonly lagging: Readonly<Record<ObjectKey, { readonly object: ApiObject | null }>>;
  /** Kinds that the API server, which has just started, has not installed yet. */
  readonly notInstalled: Readonly<Record<string, true>>;
  /** By kind: the only version in which it is served, after a user has switched it. */
  readonly served: Readonly<Record<string, string>>;
  /**
   * By kind: how many events at the head of its stream come from the first list of an informer,
   * which hands its objects over in any order.
   */
  readonly listing: Readonly<Record<string, number>>;
  /**
   * How often each bounded disturbance of the environment can still happen, and how many children
   * each controller can still create.
   */
  readonly budget: Readonly<Record<string, number>>;
  /**
   * What exists outside of the cluster: a bucket, a disk. Only models with controllers in
   * TypeScript that create or delete such things have this part.
   */
  readonly outside?: Readonly<Record<string, true>>;
}

export type ClusterDraft = Draft<Cluster>;

/**
 * The work in progress of a controller, a kubelet or a waiting client. Each actor declares the
 * roles of its states (`ControllerRole`), so the set of roles is open.
 */
export interface ControllerState {
  readonly role: string;
}

/** A change that has not reached a cache. */
export interface Unseen extends Losable {
  readonly key: ObjectKey;
  /** The object under the key before the change. Null: there was none. */
  readonly before: ApiObject | null;
}

export interface Surprise {
  /** Index of the step in the user's program. */
  readonly step: number;
  readonly code: number;
  /** Reason of the error; null for a success. */
  readonly reason: string | null;
}

/**
 * A round of Sync: before the monitors change to match the answer of discovery, or before each of
 * them has listed.
 */
export type SyncRound =
  | { readonly at: 'resync'; readonly kinds: readonly string[] }
  | { readonly at: 'wait' };

/** The part of an object that the graph builder reads. */
export interface Observed {
  readonly identity: Identity;
  readonly ownerReferences: readonly OwnerReference[];
  readonly deletion: DeletionMarks;
  /**
   * Present if the collector waits until the generation has been acknowledged (rule
   * `observedGeneration`).
   */
  readonly generation?: number;
}

/** What `deletionStartsWithFinalizer` reads of an object. */
export interface DeletionMarks {
  readonly beingDeleted: boolean;
  readonly orphan: boolean;
  readonly foreground: boolean;
}

/**
 * A change as an informer hands it over. `old` is the informer's copy from before: usually the same
 * object, but after a relist it can be an earlier object of that name.
 */
export type WatchEvent = (
  | { readonly type: 'add'; readonly key: ObjectKey; readonly object: Observed }
  | {
      readonly type: 'update';
      readonly key: ObjectKey;
      readonly object: Observed;
      readonly old: DeletionMarks & { readonly uid: Uid };
    }
  | { readonly type: 'delete'; readonly key: ObjectKey; readonly object: Observed }
) &
  Losable;

/**
 * The watch has lost this event: the next list replaces it, or a later event of the same name does.
 */
export interface Losable {
  readonly lost?: true;
}

/** `garbagecollector.node`, without its uid, which is the key in the graph. */
export interface GraphNode {
  readonly identity: Identity;
  /** Made from a reference only: no event has shown the object. */
  readonly virtual: boolean;
  readonly beingDeleted: boolean;
  readonly deletingDependents: boolean;
  /** The owner references of the last event. */
  readonly owners: readonly OwnerReference[];
  /**
   * Owners whose dependents will be orphaned: the generation that the controller must acknowledge
   * first.
   */
  readonly notedGeneration?: number;
  /** Dependents that were queued because this owner is in foreground deletion; sorted. */
  readonly queuedDependents?: readonly Uid[];
}

/**
 * The state of a queued node object: still the graph's, or detached from it (removed or replaced)
 * while it was virtual, while it was being deleted, while it was deleting its dependents, or
 * otherwise.
 */
export type QueuedNode =
  | 'current'
  | 'detached'
  | 'detachedVirtual'
  | 'detachedDeleting'
  | 'detachedDeletingDependents';

/**
 * A node object that a delete worker holds: still the graph's, or one that has left the graph. The
 * worker continues with the state that the object had when it left.
 */
export type HeldNode = 'current' | DetachedNode;

export interface DetachedNode {
  readonly virtual: boolean;
  readonly beingDeleted: boolean;
  readonly deletingDependents: boolean;
  readonly owners: readonly OwnerReference[];
  /** Sorted. */
  readonly dependents: readonly Uid[];
}

/**
 * An entry of the orphan queue: the graph's node, or one that has left the graph with the
 * dependents that it had then (node objects, sorted).
 */
export type QueuedOrphan = 'current' | { readonly dependents: readonly NodeId[] };

/** How the state is divided into slots; same structure as the checker's `SlotKind`. */
export const SLOTS = {
  store: 'entries',
  unchangedSince: 'entries',
  calls: 'entries',
  users: 'entries',
  promisedOrphans: 'entries',
  surprises: 'entries',
  unearned: 'entries',
  watch: 'queues',
  unseen: 'queues',
  graphChanges: 'flags',
  graph: 'entries',
  dependents: 'entries',
  attemptToDelete: 'entries',
  attemptToOrphan: 'entries',
  processing: 'entries',
  orphaning: 'entries',
  synchronousDeletion: 'flags',
  deleteFailures: 'flags',
  orphanFailures: 'flags',
  synchronousWorkers: 'entries',
  absentOwners: 'flags',
  deleteWorkers: 'entries',
  orphanWorkers: 'entries',
  controllers: 'entries',
  stopped: 'flags',
  monitors: 'entries',
  syncing: 'entries',
  lagging: 'entries',
  notInstalled: 'flags',
  served: 'entries',
  listing: 'entries',
  budget: 'entries',
} as const satisfies Record<
  Exclude<keyof Cluster, 'outside'>,
  'value' | 'entries' | 'flags' | 'queues'
>;

/** An empty cluster: nothing is stored, known or in progress. */
export const EMPTY_CLUSTER: Cluster = {
  store: {},
  unchangedSince: {},
  calls: {},
  users: {},
  promisedOrphans: {},
  surprises: {},
  unearned: {},
  watch: {},
  unseen: {},
  graphChanges: {},
  graph: {},
  dependents: {},
  attemptToDelete: {},
  attemptToOrphan: {},
  processing: {},
  orphaning: {},
  synchronousDeletion: {},
  deleteFailures: {},
  orphanFailures: {},
  synchronousWorkers: {},
  absentOwners: {},
  deleteWorkers: {},
  orphanWorkers: {},
  controllers: {},
  stopped: {},
  monitors: {},
  syncing: {},
  lagging: {},
  notInstalled: {},
  served: {},
  listing: {},
  budget: {},
};
