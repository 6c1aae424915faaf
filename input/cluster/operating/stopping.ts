import {
  formatKey,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type Operator,
  type Setup,
  type UserStep,
} from '../../../model/index.ts';
import { byKeyIn, remembered } from '../lookups.ts';

/**
 * The setup without the operators that may stop at any time. In their place, a user sends each of
 * their DELETEs or not (`maybeDeleted`), and the owners of their finalizers remove them or not.
 *
 * Argument: each run is one of this setup, as far as one sees it at the objects. Such an operator
 * reads the store, so it sends no second DELETE of an object that is being deleted. It may do
 * everything at any time, or never, and so waits for nothing that has to happen.
 *
 * What is true of all runs is shown for each set of the DELETEs that may be sent. On the runs on
 * which exactly these are sent, all users finish. A piece has the DELETEs of its own objects only,
 * and what is shown with each set of those is true with each set of all.
 */
export function withoutStopping(setup: Setup): Setup {
  const { operators = [], ...rest } = setup;
  const stopping = operators.filter(mayStop);
  const others = operators.filter((operator) => !mayStop(operator));
  if (stopping.length === 0 || !areOnlyDeleting(setup, stopping, others)) return setup;
  const names = stopping.flatMap(({ finalizer }) => finalizer ?? []);
  return {
    ...rest,
    ...(others.length === 0 ? {} : { operators: others }),
    users: { ...rest.users, ...deletesOfUsers(stopping) },
    finalizers: {
      ...rest.finalizers,
      ...Object.fromEntries(names.map((name) => [name, 'unknown' as const])),
    },
  };
}

/** Store keys of what users delete or not in the place of operators that may stop. */
export const maybeDeleted = remembered(({ operators = [] }: Setup): ReadonlySet<ObjectKey> => {
  const deletes = operators.filter(mayStop).flatMap((operator) => operator.deletes);
  return new Set(deletes.map(({ key }) => key));
});

/** Names of the namespaces among them, but for those that are being deleted anyway. */
export function maybeEmptied(setup: Setup): readonly string[] {
  const maybe = maybeDeleted(setup);
  return setup.objects.flatMap((object) =>
    object.kind === 'Namespace' && !isBeingDeleted(object) && maybe.has(keyOf(object))
      ? [object.name]
      : [],
  );
}

/** Users that send the DELETEs of operators. */
export function deletesOfUsers(
  operators: readonly Operator[],
): Readonly<Record<string, readonly UserStep[]>> {
  const requests = operators.flatMap(({ name, deletes }) =>
    deletes.map(({ key, options }): [string, readonly UserStep[]] => {
      // In a run, the DELETE is the operator's.
      const user = deletes.length === 1 ? name : `${name}, for ${formatKey(key)}`;
      return [user, [{ request: { do: 'delete', key, options }, after: [] }]];
    }),
  );
  return Object.fromEntries(requests);
}

/** Whether the operator only deletes and removes its finalizer, and reads the store. */
export function isOnlyDeleting(operator: Operator): boolean {
  const { addsFinalizer, creates, createsInTeardown = [], adopts = [] } = operator;
  return (
    !addsFinalizer &&
    [creates, createsInTeardown, adopts].every(({ length }) => length === 0) &&
    operator.childFinalizer === undefined &&
    operator.reads === 'live'
  );
}

function mayStop({ fairness }: Operator): boolean {
  return fairness === 'none';
}

function areOnlyDeleting(
  { objects, workloads }: Setup,
  stopping: readonly Operator[],
  others: readonly Operator[],
): boolean {
  // While an operator has the finalizer of one object, nothing else removes it from others.
  const taken = new Set(others.flatMap(({ finalizer }) => finalizer ?? []));
  const byKey = byKeyIn(objects);
  return (
    workloads === undefined &&
    stopping.every((operator) => {
      const { finalizer, parent } = operator;
      return (
        isOnlyDeleting(operator) &&
        (finalizer === undefined || !taken.has(finalizer)) &&
        byKey.get(parent.key)?.uid === parent.uid
      );
    })
  );
}
