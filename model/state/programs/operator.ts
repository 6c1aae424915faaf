import type { DeleteOptions } from '../calls.ts';
import type { ApiObject, ObjectKey, Uid } from '../objects.ts';

/** A DELETE that an operator sends. */
export interface Deletion {
  readonly key: ObjectKey;
  readonly options: DeleteOptions;
  /** The DELETEs of one wave are next to each other, and are sent together. Absent: it is alone. */
  readonly wave?: number;
}

/** Whether this is what the operator deletes, and not another object of the name. */
export function isToDelete({ options }: Deletion, object: ApiObject | null): boolean {
  const uid = options.preconditions?.uid;
  return object !== null && (uid === undefined || object.uid === uid);
}

/** A controller that manages one object, as a user describes it. */
export interface Operator {
  /** The client under which it sends its requests. */
  readonly name: string;
  readonly parent: { readonly key: ObjectKey; readonly uid: Uid };
  /** The finalizer that it owns, and removes from the parent at the end. */
  readonly finalizer?: string;
  /** Whether it adds the finalizer, before anything else. */
  readonly addsFinalizer: boolean;
  /**
   * What it creates while the parent is not being deleted. Several objects can have the same name.
   */
  readonly creates: readonly ApiObject[];
  /** As for a workload. */
  readonly uidsReturn?: true;
  /** What it deletes once the parent is being deleted, each wave after the previous one is gone. */
  readonly deletes: readonly Deletion[];
  /** It does nothing while the parent has one of these finalizers. Absent: none. */
  readonly after?: readonly string[];
  /** It does nothing while one of these is being deleted. Absent: none. */
  readonly pausedBy?: readonly ObjectKey[];
  /** What must be gone before it removes its finalizer. */
  readonly waitsFor: readonly ('dependents' | ObjectKey)[];
  /** What must be there for it to do anything once the parent is being deleted. Absent: nothing. */
  readonly needs?: readonly ObjectKey[];
  /** Objects of others that it adopts if they have no controller. Absent: none. */
  readonly adopts?: readonly ObjectKey[];
  /**
   * The finalizer on what it creates, which it removes once that is being deleted, as long as the
   * parent is there. Absent: it has none there.
   */
  readonly childFinalizer?: string;
  /**
   * What it creates once the parent is being deleted, each once, before it deletes. Absent:
   * nothing.
   */
  readonly createsInTeardown?: readonly ApiObject[];
  readonly reads: 'cache' | 'live';
  /** `none`: it can stop at any time, and for good. */
  readonly fairness: 'weak' | 'none';
}
