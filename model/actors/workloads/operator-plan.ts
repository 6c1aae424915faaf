import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type Uid,
} from '../../state/objects.ts';
import type { Operator } from '../../state/setup.ts';
import { type Look, NO_PLAN, type Plan } from './plan.ts';

/**
 * What the controller of a user's own kind bases its decisions on, as the fields of its description
 * say.
 */
export interface OperatorSight {
  readonly look: Look;
  readonly isFree: (uid: Uid) => boolean;
  /** Keys that objects with an owner reference to the parent can have. */
  readonly dependents: readonly ObjectKey[];
  /** The description says that it never removes its finalizer. */
  readonly keepsFinalizer: boolean;
}

export function planOperator(operator: Operator, sight: OperatorSight): Plan {
  const parent = sight.look(operator.parent.key);
  if (parent === null || parent.uid !== operator.parent.uid) return NO_PLAN;
  return isBeingDeleted(parent)
    ? planTeardown(operator, sight, parent)
    : planUpkeep(operator, sight, parent);
}

/** The finalizer comes first: anything created before it is set could be left behind. */
function planUpkeep(
  { finalizer, addsFinalizer, creates }: Operator,
  { look, isFree }: OperatorSight,
  parent: ApiObject,
): Plan {
  if (addsFinalizer && finalizer !== undefined && !parent.finalizers.includes(finalizer)) {
    return { tasks: [{ do: 'addFinalizer' }], lacks: false };
  }
  const missing = [...new Set(creates.map(keyOf))].filter((key) => look(key) === null);
  const free = missing.flatMap((key) => {
    const next = creates.find((object) => keyOf(object) === key && isFree(object.uid));
    return next === undefined ? [] : [{ do: 'create' as const, uid: next.uid }];
  });
  return { tasks: free, lacks: free.length < missing.length };
}

/**
 * Deletes one object after the other, each after the previous one is gone, or all at once. Then
 * waits, and then removes the finalizer.
 */
function planTeardown(
  { parent: { uid }, finalizer, deletes, waitsFor, atOnce }: Operator,
  { look, dependents, keepsFinalizer }: OperatorSight,
  parent: ApiObject,
): Plan {
  if (finalizer !== undefined && !parent.finalizers.includes(finalizer)) return NO_PLAN;
  const together = (atOnce === true ? deletes : []).flatMap(({ key }) => {
    const target = look(key);
    if (target === null || isBeingDeleted(target)) return [];
    return [{ do: 'delete' as const, key, uid: target.uid }];
  });
  if (together.length > 0) return { tasks: together, lacks: false };
  for (const { key } of atOnce === true ? [] : deletes) {
    const target = look(key);
    if (target === null) continue;
    if (isBeingDeleted(target)) return NO_PLAN;
    return { tasks: [{ do: 'delete', key, uid: target.uid }], lacks: false };
  }
  const waits = waitsFor.some((what) =>
    what === 'dependents' ? dependents.some(isDependent) : look(what) !== null,
  );
  if (waits || finalizer === undefined || keepsFinalizer) return NO_PLAN;
  return { tasks: [{ do: 'removeFinalizer' }], lacks: false };

  function isDependent(key: ObjectKey): boolean {
    return look(key)?.ownerReferences.some((reference) => reference.uid === uid) === true;
  }
}
