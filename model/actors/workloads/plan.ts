import type { ApiObject, ObjectKey, Uid } from '../../state/objects.ts';

/** A request that a controller has decided on. */
export type Task =
  | {
      readonly do: 'adopt' | 'release' | 'delete';
      readonly key: ObjectKey;
      readonly uid: Uid;
    }
  | { readonly do: 'create'; readonly uid: Uid };

/** What a controller wants to do. */
export interface Plan {
  readonly tasks: readonly Task[];
  /** The controller wants to create one more object than it can. */
  readonly lacks: boolean;
}

export const NO_PLAN: Plan = { tasks: [], lacks: false };

/** Returns an object as the controller knows it. */
export type Look = (key: ObjectKey) => ApiObject | null;
