import { type ApiObject, isBeingDeleted, type Operator, type Setup } from '../../../model/index.ts';
import { definedIn, isContainerIn, isSurelyDeleted, surelyEmptied } from '../containers/emptied.ts';
import { definitionName } from '../links.ts';
import { byKeyIn, byUidIn, definitionIn } from '../lookups.ts';
import { canOrphan, isToWait } from '../piecemeal.ts';

/**
 * Whether operators surely begin and end their work, as all is deleted in the background: nothing
 * waits for dependents, and nothing is orphaned.
 *
 * Argument: a DELETE in the background of an object that is being deleted in the background changes
 * nothing. So it does not matter whether the collector or a controller has sent one before, and an
 * operator can delete dependents of its own object. It does so, as the deletion of that one begins
 * on every run. It never pauses, nor does one DELETE wait for another one.
 *
 * What it deletes only waits for finalizers on itself: it is no pod, claim, volume, namespace or
 * definition. Take a run on which operators do not end. Each of them waits for an object that does
 * not go, though it is being deleted, and though all goes if all operators end. So that one has the
 * finalizer of another operator that does not end. The operators are in an order, so there is none.
 *
 * @param held names of namespaces that may not be emptied.
 */
export function areInBackground(
  setup: Setup,
  operators: readonly Operator[],
  held: ReadonlySet<string>,
): boolean {
  const { objects, kinds } = setup;
  const byKey = byKeyIn(objects);
  const byUid = byUidIn(objects);
  const emptied = surelyEmptied(setup, held);
  const isPlain = (target: ApiObject | undefined): boolean =>
    target !== undefined &&
    kinds[target.kind]?.storage === 'generic' &&
    target.pod === undefined &&
    target.volume === undefined &&
    target.kind !== 'PersistentVolumeClaim' &&
    !isContainerIn(setup, target);
  const isInBackground = ({ parent, deletes, pausedBy = [] }: Operator): boolean =>
    byUid.get(parent.uid)?.pod === undefined &&
    pausedBy.length === 0 &&
    new Set(deletes.map(({ wave }) => wave)).size <= 1 &&
    deletes.every(
      ({ key, options }) => options.propagationPolicy === 'Background' && isPlain(byKey.get(key)),
    );
  /** Whether its deletion begins because of something that no operator does. */
  const beginsAtOnce = (parent: ApiObject): boolean => {
    const name = definitionName(kinds[parent.kind]) ?? '';
    const definition = definedIn(setup).has(name) ? definitionIn(objects, name) : undefined;
    return [parent, ...(definition === undefined ? [] : [definition])].some(
      (one) => isBeingDeleted(one) || isSurelyDeleted(setup, one) || emptied.has(one.namespace),
    );
  };
  if (objects.some((one) => isToWait(setup, one) || canOrphan(setup, one))) return false;
  if (!operators.every(isInBackground)) return false;
  // The operators of which the deletion of their object begins, from the first ones down.
  let open = operators.filter(({ deletes }) => deletes.length > 0);
  const begun = new Set(objects.filter(beginsAtOnce).map(({ uid }) => uid));
  for (;;) {
    const next = open.filter(({ parent }) => begun.has(parent.uid));
    if (next.length === 0) return open.length === 0 && !leadBack(operators, byKey);
    open = open.filter((operator) => !next.includes(operator));
    for (const { deletes } of next)
      for (const { key } of deletes) begun.add(byKey.get(key)?.uid ?? '');
  }
}

/** Whether an operator may wait for itself. */
function leadBack(operators: readonly Operator[], byKey: ReadonlyMap<string, ApiObject>): boolean {
  const below = (key: string): readonly string[] =>
    operators
      .filter(({ parent }) => parent.uid === byKey.get(key)?.uid)
      .flatMap(({ deletes, waitsFor }) => [...deletes.map((one) => one.key), ...waitsFor]);
  return operators.some(({ parent }) => {
    const seen = new Set(below(parent.key));
    for (const key of seen) for (const next of below(key)) seen.add(next);
    return seen.has(parent.key);
  });
}
