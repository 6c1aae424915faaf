import type { Change, DeleteOptions } from '../calls.ts';
import type { ApiObject, ObjectKey, OwnerReference, Uid } from '../objects.ts';

/**
 * Controllers that are written as a function: what such a controller reads decides what it does. A
 * model calls the function in every state in which the controller can act.
 */

/** Plain JSON: what a controller keeps in memory between two requests. */
export type Memory =
  | string
  | number
  | boolean
  | null
  | readonly Memory[]
  | { readonly [field: string]: Memory };

/**
 * What a controller can read. Objects are named `KIND/NAME` or `KIND/NAME.NAMESPACE`. Without a
 * namespace, the object is in the namespace of the request, or cluster-scoped. Everything that is
 * read is frozen.
 */
export interface Look {
  /**
   * The object in the cache of its kind, or, if the controller reads live, as stored. Null: there
   * is none.
   */
  (object: string): ApiObject | null;
  /** A GET of the stored object, past the cache. */
  live(object: string): ApiObject | null;
  /** All objects of a kind, in all namespaces, read as `look` reads. In the order of their keys. */
  list(kind: string): readonly ApiObject[];
  /** Whether something outside of the cluster exists: asks its owner, such as a cloud provider. */
  outside(name: string): boolean;
}

/** What a request is about. */
export interface Self<M = Memory> {
  /** `KIND/NAME` or `KIND/NAME.NAMESPACE`, as `look` takes it. */
  readonly object: string;
  readonly name: string;
  /** Empty: cluster-scoped. */
  readonly namespace: string;
  /** What the controller remembers. A restart of its process loses it. */
  readonly memory: M;
}

/** An object that has been read, as far as references to it need it. */
export type Owner = Pick<ApiObject, 'kind' | 'name' | 'uid'>;

interface Common {
  /** Why, in a few words, for traces. */
  readonly because?: string;
  /**
   * `true`: the tasks after it follow whatever the answer is. Default: an error ends the request.
   */
  readonly mayFail?: boolean;
}

/** How a change is written; see the documentation of `Task`. */
interface Written extends Common {
  /** Default: `update`. */
  readonly with?: 'update' | 'patch' | 'apply';
}

/**
 * What a controller does next. Each task is a request of its own, and anything can happen between
 * two of them. After an error, the controller tries the request again later.
 *
 * An update or a patch changes an object as the plan has read it. `update` is a PUT with the
 * resourceVersion that was read: a conflict if the object has changed since. `patch` is a merge
 * patch without it, which replaces the whole list by the list that was read, changed. `apply`
 * changes this one entry of the list and nothing else, as server-side apply does, with the uid that
 * was read.
 */
export type Task<M = Memory> =
  /** POST of one of the objects in `creates`. */
  | ({
      readonly do: 'create';
      readonly object: string;
      /** Its controller: gets an owner reference with `controller` and `blockOwnerDeletion`. */
      readonly controller?: Owner;
      /** Further owners, with plain references. */
      readonly owners?: readonly Owner[];
    } & Common)
  /** DELETE. It is no error if there is no such object. */
  | ({
      readonly do: 'delete';
      readonly object: string;
      /** A precondition. */
      readonly uid?: Uid;
      readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
      readonly gracePeriodSeconds?: number;
    } & Common)
  | ({
      readonly do: 'addFinalizer' | 'removeFinalizer';
      readonly object: string;
      readonly finalizer: string;
    } & Written)
  /** `adopt` makes the owner its controller, `addOwner` adds a plain reference. */
  | ({
      readonly do: 'adopt' | 'addOwner' | 'removeOwner';
      readonly object: string;
      readonly owner: Owner;
    } & Written)
  /** Something outside of the cluster. */
  | ({ readonly do: 'createOutside' | 'deleteOutside'; readonly name: string } & Common)
  /** Replaces the memory. */
  | { readonly do: 'remember'; readonly memory: M; readonly because?: string }
  /** The request is tried again later, even if the object is gone by then. */
  | { readonly do: 'requeue'; readonly because?: string };

/** A controller as a model runs it: with keys and names of the table of kinds. */
export interface ControllerProgram {
  /** The client of its requests. */
  readonly name: string;
  /** The kind whose objects its requests are about. */
  readonly for: string;
  /** The kinds that it watches, that one included. */
  readonly informers: readonly string[];
  readonly reads: 'cache' | 'live';
  /** The finalizers that it adds, and that only it removes. */
  readonly finalizers: readonly string[];
  /** Everything that it can create. Several entries of one name have uids of their own. */
  readonly creates: readonly ApiObject[];
  /** The kinds of the owners in references that it adds. */
  readonly owners: readonly string[];
  /** What it may create or delete outside of the cluster. */
  readonly outside: readonly string[];
  readonly memory: Memory;
  /** It runs while this object is stored. Absent: always. */
  readonly runsIn?: ObjectKey;
  /** How often its process may restart. */
  readonly restarts: number;
  /** `none`: it may stop at any time, for good. */
  readonly fairness: 'weak' | 'none';
  /** Must be a pure function. Whatever it returns is checked. */
  readonly plan: (look: Look, self: Self<never>) => unknown;
  /** Present: a scenario describes this controller. */
  readonly described?: Described;
}

/**
 * What a description says of a controller, for a smaller model: all live reads of a request are one
 * step, and there are no requests without the object.
 */
export interface Described {
  /** The object that it looks after: its requests are about this one only. */
  readonly object: ObjectKey;
  /** Every object that its plan can read. */
  readonly keys: readonly ObjectKey[];
  /**
   * Whether it can create an object again once nothing refers to the uid that it had. False: each
   * entry of `creates` once. A controller that lacks one is never done.
   */
  readonly uidsReturn: boolean;
}

/** A task with everything that was read for it. */
export type ProgramTask =
  | {
      readonly do: 'create';
      readonly key: ObjectKey;
      readonly references: readonly OwnerReference[];
      readonly mayFail?: true;
      readonly because?: string;
    }
  | {
      readonly do: 'delete';
      readonly key: ObjectKey;
      readonly options: DeleteOptions;
      readonly mayFail?: true;
      readonly because?: string;
    }
  | {
      readonly do: 'write';
      readonly key: ObjectKey;
      readonly change: Change;
      /** The object must have it. */
      readonly uid?: Uid;
      /** A PUT with the version that was read. Absent: a PATCH. */
      readonly put?: true;
      readonly words: string;
      readonly mayFail?: true;
      readonly because?: string;
    }
  | {
      readonly do: 'outside';
      readonly name: string;
      readonly exists: boolean;
      readonly because?: string;
    }
  | { readonly do: 'remember'; readonly memory: Memory; readonly because?: string }
  | { readonly do: 'requeue'; readonly because?: string };

/** The informer of a kind that belongs to this controller. */
export function programInformer({ name }: Pick<ControllerProgram, 'name'>, kind: string): string {
  return `${name}: ${kind}`;
}
