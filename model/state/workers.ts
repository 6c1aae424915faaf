import type { DeleteCall, UpdateCall } from './calls.ts';
import type { NodeId } from './nodes.ts';
import type { OwnerReference, Uid } from './objects.ts';

/** Class of an owner reference (`GarbageCollector.classifyReferences`). */
export type ReferenceClass =
  | 'solid'
  | 'dangling'
  | 'waiting'
  /** Stored, but being deleted without waiting for its dependents: counts as gone. */
  | 'leaving';

/** `propagationPolicy` of a DELETE of the collector. */
export type Policy = 'Orphan' | 'Foreground' | 'Background';

/** The fields of the item that `attemptToDeleteItem` keeps. */
export interface LiveItem {
  readonly ownerReferences: readonly OwnerReference[];
  readonly orphan: boolean;
  readonly foreground: boolean;
}

interface Busy {
  readonly node: NodeId;
  /** The name of the item in the queue, if that was outdated when the worker took the item. */
  readonly queuedAs?: NodeId;
}

/**
 * What the decision for a DELETE with a resourceVersion was based on. Absent if the DELETE demands
 * none.
 */
interface DecidedOn {
  readonly owners?: readonly OwnerReference[];
}

/**
 * Removal of a collector finalizer (`GarbageCollector.removeFinalizer`), shared by both workers.
 */
export type FinalizerStep =
  /** `attempt` counts from 1. A conflict begins the next attempt. */
  | { readonly at: 'getForFinalizer'; readonly attempt: number }
  | { readonly at: 'patchFinalizer'; readonly attempt: number; readonly call: UpdateCall };

/** A delete worker: its next in-memory read or API call. */
export type DeleteWorker =
  | (Busy & { readonly at: 'getItem' })
  | (Busy & {
      readonly at: 'getOwner';
      readonly live: LiveItem;
      /** Classes of the references that were looked up so far, in list order. */
      readonly classes: readonly ReferenceClass[];
    })
  /** Before it reads from the graph which owners exist. */
  | (Busy & { readonly at: 'readOwners'; readonly live: LiveItem })
  /** The item and all of its owners are in foreground deletion: is there a cycle? */
  | (Busy & { readonly at: 'searchCycle'; readonly policy: Policy })
  | (Busy & DecidedOn & { readonly at: 'readDependents'; readonly policy: Policy })
  | (Busy & { readonly at: 'patchOwners'; readonly call: UpdateCall })
  | (Busy & DecidedOn & { readonly at: 'unblockOwners'; readonly call: UpdateCall })
  | (Busy & DecidedOn & { readonly at: 'delete'; readonly call: DeleteCall })
  /** The DELETE has met another version: are its owners still those that were looked up? */
  | (Busy & Required<DecidedOn> & { readonly at: 'getAfterConflict'; readonly policy: Policy })
  | (Busy & { readonly at: 'readBlockingDependents' })
  | (Busy & FinalizerStep);

/** An orphan worker: its next step. */
export type OrphanWorker =
  | { readonly node: NodeId; readonly at: 'awaitGeneration'; readonly generation: number }
  | { readonly node: NodeId; readonly at: 'readDependents' }
  | {
      readonly node: NodeId;
      readonly at: 'patchDependents';
      /** Patches in progress, by uid of the dependent. */
      readonly calls: Readonly<Record<Uid, UpdateCall>>;
      /** A patch has failed: the whole item will be tried again. */
      readonly failed: boolean;
    }
  | ({ readonly node: NodeId } & FinalizerStep);

/**
 * The routine `GCFinalizer` of the proposal of synchronous garbage collection, one API call or one
 * read of the graph at a time.
 */
export type SynchronousWorker =
  | { readonly node: NodeId; readonly at: 'getItem' }
  | { readonly node: NodeId; readonly at: 'readDependents'; readonly finalizers: readonly string[] }
  | { readonly node: NodeId; readonly at: 'putFinalizers'; readonly call: UpdateCall };
