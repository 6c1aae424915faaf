import {
  type ApiObject,
  type Deletion,
  isBeingDeleted,
  kindOf,
  type ObjectKey,
  type Operator,
  requestsOf,
  type Setup,
  type Uid,
} from '../../model/index.ts';
import { isContainerIn, surelyEmptied } from './containers/emptied.ts';
import { withoutOwnersWithin } from './containers/plain.ts';
import { byKeyIn } from './lookups.ts';
import { areInBackground } from './operating/background.ts';
import { areOfOperators } from './operating/ending.ts';
import { deletesOfUsers, isOnlyDeleting, withoutStopping } from './operating/stopping.ts';
import { isDeletedBy, mayBeDeletedBeside, withoutItsNamespaces } from './operating/waves.ts';
import { treesWithin } from './parts.ts';
import { isSpecial } from './piecemeal.ts';

/**
 * The setup without its operators, if all that they do is to delete other objects once their own is
 * being deleted, and to remove their finalizer from it once those are gone. In their place, a user
 * sends each of the DELETEs, and the owners of the finalizers remove them.
 *
 * Argument: each run is one of this setup, as far as one sees it at the objects. What the operators
 * do at some time can be done here at any time. The objects that they delete are deleted by nothing
 * else, and are deleted once. A run is also fair here if each operator ends its work. Then its
 * object is being deleted, and what it deletes goes: `areTornDown` asks it of the fates. That is no
 * circle. An operator deletes in trees of objects other than its own, no tree is deleted in by two,
 * and these trees are in an order. So from the last tree up, each goes once what is asked of it is
 * sent; and from the first tree down, it is sent.
 *
 * What an operator deletes in one tree is of one wave, so no tree waits for the DELETE of a later
 * one. What pauses it is among what it deletes, and goes once it is being deleted. If it deletes
 * several objects in a tree, nothing else deletes them, so it has sent all of these DELETEs before
 * one of them pauses it. What has to come off its object first is taken off by owners that wait for
 * nothing.
 *
 * If one of these objects is a namespace, its controller may delete others of them. It begins after
 * the DELETE of the namespace, and by then the whole wave is on its way: only before a wave does an
 * operator look at what pauses it, and an object that is gone is no error. Argo CD sends no more of
 * a wave after such an error. Then the controller deletes what is left in the namespace, which so
 * goes all the same, and the operator continues.
 *
 * Where all is deleted in the background, there is more that need not be asked (`areInBackground`).
 *
 * A namespace that is surely emptied connects none of its contents. Its controller deletes each of
 * them, whatever operators do: nothing waits for dependents there (`withPlainContainers`), and it
 * waits for the pods alone, of which none has the finalizer of an operator. Nor do owners connect
 * them, as `withoutOwnersInEmptied` says; the pieces lack these owners as well. What an operator
 * deletes there may so have been deleted before, for an owner, and it sends no DELETE. Then it sends
 * one here that changes nothing, together with the next one of the controller.
 *
 * Nor does a definition connect its instances: its controller sends all DELETEs before it waits for
 * anything, and what it deletes is stored until its finalizers are off. Once the definition is gone,
 * no instance is left whose operator has anything to do. It does connect them if an operator deletes
 * it and so waits for all of them, or if its owners may go only because of an operator: that one may
 * wait for an instance, or be one, and never begin (`treesBeside`).
 *
 * @param held names of namespaces that may not be emptied.
 */
export function withoutTeardowns(setup: Setup, held: ReadonlySet<string>): Setup {
  const { operators = [], ...rest } = setup;
  if (operators.length === 0) return setup;
  if (!areOnlyTeardowns(withoutOwnersWithin(setup, held), operators, held)) return setup;
  return { ...rest, users: { ...rest.users, ...deletesOfUsers(operators) } };
}

/** Whether the operators that `withoutTeardowns` leaves out do what stands in their place. */
export function areTornDown(setup: Setup, goes: (uid: Uid) => boolean): boolean {
  const { operators = [], objects } = withoutStopping(setup);
  const byKey = byKeyIn(objects);
  return operators.every(({ parent, deletes }) =>
    [parent.key, ...deletes.map(({ key }) => key)].every((key) => goes(byKey.get(key)?.uid ?? '')),
  );
}

function areOnlyTeardowns(
  setup: Setup,
  operators: readonly Operator[],
  held: ReadonlySet<string>,
): boolean {
  const { objects, usersFinish, finalizers, workloads } = setup;
  const byKey: ReadonlyMap<ObjectKey, ApiObject> = byKeyIn(objects);
  const isItself = (operator: Operator): boolean => {
    const { parent, finalizer, deletes, waitsFor } = operator;
    const targets = new Set<string>(deletes.map(({ key }) => key));
    const { after = [], pausedBy = [] } = operator;
    return (
      byKey.get(parent.key)?.uid === parent.uid &&
      finalizer !== undefined &&
      [...pausedBy, ...waitsFor].every((key) => targets.has(key)) &&
      // The owner of one of these may wait for that of another one.
      !operators.some((other) => after.includes(other.finalizer ?? '')) &&
      byKey.get(parent.key)?.finalizers.includes(finalizer) === true &&
      (finalizers[finalizer] ?? 'cooperative') === 'cooperative' &&
      deletes.every(({ key }) => {
        const target = byKey.get(key);
        return target !== undefined && !isBeingDeleted(target);
      })
    );
  };
  return (
    usersFinish === true &&
    workloads === undefined &&
    // A PATCH may take the finalizer off.
    requestsOf(setup).every((request) => request.do === 'delete') &&
    operators.every((operator) => isPlain(operator) && isItself(operator)) &&
    areOfOperators(setup, operators) &&
    (areInBackground(setup, operators, held) || areInOrder(setup, operators, byKey, held))
  );
}

/** Whether the operator only deletes and removes its finalizer, and never stops. */
function isPlain(operator: Operator): boolean {
  const { needs = [], fairness, deletes } = operator;
  return (
    isOnlyDeleting(operator) &&
    // What comes first may wait for what comes next.
    (deletes.length < 2 || deletes.every(({ wave }) => wave !== undefined)) &&
    needs.length === 0 &&
    fairness === 'weak'
  );
}

/**
 * Whether nothing owns what operators delete, at most one deletes in a tree of objects, and one wave
 * of its DELETEs, and no chain of operators leads back. If several of these objects pause it,
 * nothing else deletes them but controllers of namespaces among them.
 */
function areInOrder(
  setup: Setup,
  operators: readonly Operator[],
  byKey: ReadonlyMap<ObjectKey, ApiObject>,
  held: ReadonlySet<string>,
): boolean {
  const trees = treesBeside(
    { ...setup, emptiedNamespaces: waiting(setup, operators, held) },
    operators,
    byKey,
  );
  const treeOf = new Map(trees.flatMap((uids, tree) => uids.map((uid) => [uid, tree] as const)));
  const place = (key: ObjectKey): number => treeOf.get(byKey.get(key)?.uid ?? '') ?? -1;
  /** By tree: the operator that deletes in it, and the tree of its object. */
  const above = new Map<number, { readonly operator: Operator; readonly tree: number }>();
  const first = new Map<number, Deletion>();
  for (const operator of operators) {
    const tree = place(operator.parent.key);
    const beside = withoutItsNamespaces(setup, operator);
    const isDisturbed = ({ key }: Deletion): boolean =>
      operator.pausedBy !== undefined && mayBeDeletedBeside(beside, operator, key);
    for (const deletion of operator.deletes) {
      if (byKey.get(deletion.key)?.ownerReferences.length !== 0) return false;
      const below = place(deletion.key);
      const known = above.get(below);
      if (known !== undefined && known.operator !== operator) return false;
      const other = first.get(below);
      if (other !== undefined && other.wave !== deletion.wave) return false;
      if (other !== undefined && [other, deletion].some(isDisturbed)) return false;
      above.set(below, { operator, tree });
      first.set(below, deletion);
    }
  }
  return [...above.keys()].every((start) => {
    const seen = new Set<number>();
    for (let tree: number | undefined = start; tree !== undefined; tree = above.get(tree)?.tree) {
      if (seen.has(tree)) return false;
      seen.add(tree);
    }
    return true;
  });
}

/**
 * The trees, with the instances of each definition whose tree has what an operator deletes, or the
 * object of one. Its deletion may begin only because of them. Then an operator that waits for an
 * instance to be deleted may wait for itself. So it is where other objects of the tree wait for
 * their dependents: these may wait for an instance. Definitions themselves have no dependents.
 */
function treesBeside(
  setup: Setup,
  operators: readonly Operator[],
  byKey: ReadonlyMap<ObjectKey, { readonly uid: Uid }>,
): readonly (readonly Uid[])[] {
  const { definitions = [] } = setup;
  const keys = operators.flatMap(({ parent, deletes }) => [
    parent.key,
    ...deletes.map(({ key }) => key),
  ]);
  const theirs = new Set([
    ...keys.flatMap((key) => byKey.get(key)?.uid ?? []),
    ...setup.objects
      .filter((one) => !isContainerIn(setup, one) && isSpecial(setup, one))
      .map(({ uid }) => uid),
  ]);
  let connecting: readonly ObjectKey[] = [];
  for (;;) {
    const trees = treesWithin({ ...setup, definitions: connecting });
    const near = new Set(trees.filter((uids) => uids.some((uid) => theirs.has(uid))).flat());
    const found = definitions.filter((key) => near.has(byKey.get(key)?.uid ?? ''));
    if (found.length === connecting.length) return trees;
    connecting = found;
  }
}

/**
 * The emptied namespaces that may wait for an operator, and so connect their contents. An operator
 * that deletes one waits for all that is in it, and a pod that has the finalizer of an operator
 * holds back other contents.
 */
function waiting(
  setup: Setup,
  operators: readonly Operator[],
  held: ReadonlySet<string>,
): readonly string[] {
  const { emptiedNamespaces: names = [] } = setup;
  if (operators.some(({ parent }) => kindOf(parent.key) === 'Pod')) return names;
  const emptied = surelyEmptied(setup, held);
  return names.filter(
    (name) => !emptied.has(name) || operators.some((operator) => isDeletedBy(operator, name)),
  );
}
