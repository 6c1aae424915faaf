import type { ApiObject, ObjectKey, OwnerReference, Uid } from '../../state/objects.ts';

/** A request that a controller has decided on. */
export type Task =
  | {
      readonly do: 'adopt' | 'release' | 'delete';
      readonly key: ObjectKey;
      readonly uid: Uid;
    }
  | { readonly do: 'create'; readonly uid: Uid }
  /** A PUT of the object as it was seen, with other references. */
  | {
      readonly do: 'setOwners';
      readonly key: ObjectKey;
      readonly uid: Uid;
      readonly seen: ApiObject;
      readonly ownerReferences: readonly OwnerReference[];
    };

/** What a controller wants to do. */
export interface Plan {
  readonly tasks: readonly Task[];
  /** The controller wants to create one more object than it can. */
  readonly lacks: boolean;
}

export const NO_PLAN: Plan = { tasks: [], lacks: false };

/** Returns an object as the controller knows it. */
export type Look = (key: ObjectKey) => ApiObject | null;
