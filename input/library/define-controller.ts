import type { Look, Memory, Self, Task } from '../../model/index.ts';

/** A manifest, as `kubectl get -o yaml` prints it. Only its metadata is read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly finalizers?: readonly string[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** The memory that began like this: any text for a text, any number for a number. */
export type Widened<M> = Memory extends M
  ? M
  : M extends string
    ? string
    : M extends number
      ? number
      : M extends boolean
        ? boolean
        : M extends readonly (infer Part)[]
          ? readonly Widened<Part>[]
          : M extends object
            ? { readonly [Field in keyof M]: Widened<M[Field]> }
            : M;

/**
 * A controller. Kinds are named as in manifests (`Database`), with the group where that is needed
 * (`Database.example.com`); objects `KIND/NAME` or `KIND/NAME.NAMESPACE`.
 */
export interface ControllerSpec<M extends Memory = Memory> {
  /** Lower-case letters with a dash: `database-operator`. */
  readonly name: string;
  /** The kind that it reconciles. */
  readonly for: string;
  /** Further kinds that it watches, and so has in its caches [none]. */
  readonly informers?: readonly string[];
  /** `cache` [default]: `look` reads the caches, which lag. `live`: it sends a GET. */
  readonly reads?: 'cache' | 'live';
  /** The finalizers that it adds, and that nobody else removes [none]. */
  readonly finalizers?: readonly string[];
  /** Everything that it may create [nothing]. */
  readonly creates?: readonly Manifest[];
  /**
   * How many objects of one name and with uids of their own anybody in the cluster can remember at
   * a time [2]. One more is created only when one of them is forgotten.
   */
  readonly incarnations?: number;
  /** The kinds of the owners that it gives to objects [the kind that it reconciles]. */
  readonly owners?: readonly string[];
  /** What it may create or delete outside of the cluster: a bucket, a disk [nothing]. */
  readonly outside?: readonly string[];
  /** What it starts with in memory: plain JSON [null]. A restart brings it back to this. */
  readonly memory?: M;
  /** The object that runs it, such as its Deployment: it stops when that is gone [none]. */
  readonly runsIn?: string;
  /** How often its process may restart [0]. */
  readonly restarts?: number;
  /** `true`: it may stop for good at any time [false]. */
  readonly mayStop?: boolean;
  /**
   * What to do for one object, from what can be read. Called in every state in which it can act, so
   * it must be a pure function: no promises, no clock, nothing kept in variables.
   */
  readonly plan: (look: Look, self: Self<Widened<M>>) => readonly Task<Widened<M>>[];
}

/** A controller of any memory. */
export type Controller = Omit<ControllerSpec<never>, 'memory'> & { readonly memory?: Memory };

/** A controller with checked types. Returns what it is given; `clusterModel` checks the values. */
export function defineController<M extends Memory = Memory>(spec: ControllerSpec<M>): Controller {
  return spec as unknown as Controller;
}
