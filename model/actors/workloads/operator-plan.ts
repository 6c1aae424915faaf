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

/** Children that are being deleted and have its finalizer. */
function letGo(
  { childFinalizer, creates, createsInTeardown = [] }: Operator,
  { look }: Pick<OperatorSight, 'look'>,
): Plan['tasks'] {
  if (childFinalizer === undefined) return [];
  const keys = new Set([...creates, ...createsInTeardown].map(keyOf));
  return [...keys].flatMap((key) => {
    const child = look(key);
    if (child === null || !isBeingDeleted(child)) return [];
    if (!child.finalizers.includes(childFinalizer)) return [];
    return [{ do: 'removeChildFinalizer' as const, key, uid: child.uid }];
  });
}

/** The finalizer comes first: anything created before it is set could be left behind. */
function planUpkeep(operator: Operator, { look, isFree }: OperatorSight, parent: ApiObject): Plan {
  const { finalizer, addsFinalizer, creates, adopts = [] } = operator;
  if (addsFinalizer && finalizer !== undefined && !parent.finalizers.includes(finalizer)) {
    return { tasks: [{ do: 'addFinalizer' }], lacks: false };
  }
  const missing = [...new Set(creates.map(keyOf))].filter((key) => look(key) === null);
  const free = missing.flatMap((key) => {
    const next = creates.find((object) => keyOf(object) === key && isFree(object.uid));
    return next === undefined ? [] : [{ do: 'create' as const, uid: next.uid }];
  });
  const adopted = adopts.flatMap((key) => {
    const object = look(key);
    if (object === null || isBeingDeleted(object)) return [];
    if (object.ownerReferences.some(({ controller }) => controller === true)) return [];
    return [{ do: 'adopt' as const, key, uid: object.uid }];
  });
  const tasks = [...letGo(operator, { look }), ...adopted, ...free];
  return { tasks, lacks: free.length < missing.length };
}

/**
 * Creates what the teardown needs, each object once. Deletes one object after the other, each after
 * the previous one is gone, or all at once. Then waits, and then removes the finalizer.
 */
function planTeardown(
  operator: Operator,
  { look, isFree, dependents, keepsFinalizer }: OperatorSight,
  parent: ApiObject,
): Plan {
  const { finalizer, deletes, waitsFor, atOnce, needs = [], createsInTeardown = [] } = operator;
  const { uid } = operator.parent;
  const letting = letGo(operator, { look });
  if (letting.length > 0) return { tasks: letting, lacks: false };
  if (finalizer !== undefined && !parent.finalizers.includes(finalizer)) return NO_PLAN;
  if (needs.some((key) => look(key) === null)) return NO_PLAN;
  const created = createsInTeardown.filter((child) => isFree(child.uid));
  if (created.length > 0) {
    return { tasks: created.map((child) => ({ do: 'create', uid: child.uid })), lacks: false };
  }
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
