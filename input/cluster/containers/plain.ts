import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type Setup,
  type UserStep,
  validateMetadata,
} from '../../../model/index.ts';
import { isEmptied } from '../likeness/colors.ts';
import { definitionName } from '../links.ts';
import { byKeyIn, dependentsIn } from '../lookups.ts';
import { canBeInPieces } from '../piecemeal.ts';
import { deletesOf } from '../requests.ts';
import { definedIn, isContainerIn, surelyEmptied } from './emptied.ts';

/**
 * The setup with DELETEs in the background of namespaces and definitions that their controllers
 * empty, of instances without owners and dependents, and of what is in namespaces that are surely
 * emptied. What becomes of the objects of a setup in pieces is the same.
 *
 * Argument: another policy adds a finalizer of the collector to the namespace. That has no owners
 * and no dependents (`haveContainers`), so nothing is deleted or orphaned for it. The collector
 * removes the finalizer on every run, once the API server accepts the other ones: it sees that the
 * DELETE has added it (`isNoticed`). The controller empties the namespace all the same, as it reads
 * the time of the deletion and the finalizers of the spec. Whichever are removed last, the namespace
 * goes with them. Nothing can be created in it until then, and nothing else reads whether it is
 * there. A definition has no policy until it is being deleted (`terminateDefinition`), and from then
 * on the same is true of it. It is true as well of an instance of such a definition that has neither
 * owners nor dependents.
 *
 * In a namespace that is surely emptied, the controller deletes all contents in the background,
 * again and again, and so takes `foregroundDeletion` off those that wait for dependents. The
 * collector deletes such dependents, or takes the owner off. They are in the same namespace, so the
 * controller deletes them too, and each goes once its other finalizers are off.
 *
 * What waits there from the start, in the graph of the collector as well, is no different from what
 * a DELETE has just made wait. It has no `foregroundDeletion` here. If it has no other finalizer, the
 * DELETE of the controller removes it, as it would take the last finalizer off.
 *
 * @param held names of namespaces that may not be emptied.
 */
export function withPlainContainers(setup: Setup, held: ReadonlySet<string>): Setup {
  const { users, objects } = setup;
  const dependents = dependentsIn(objects);
  const defined = definedIn(setup);
  const isAlone = ({ uid, kind, ownerReferences }: ApiObject): boolean =>
    ownerReferences.length === 0 &&
    !dependents.has(uid) &&
    defined.has(definitionName(setup.kinds[kind]));
  const plain = new Set<string>(
    objects
      // An active namespace without finalizers of the spec stays, unless another one is removed.
      .filter((object) =>
        isEmptied(setup, object)
          ? (object.specFinalizers ?? []).length > 0
          : isContainerIn(setup, object) || isAlone(object),
      )
      .map(keyOf),
  );
  const emptied = surelyEmptied(setup, held);
  const byKey = byKeyIn(objects);
  const changed = (step: UserStep): UserStep => {
    const { request } = step;
    if (request.do !== 'delete') return step;
    const { propagationPolicy: policy } = request.options;
    const isWithin = emptied.has(byKey.get(request.key)?.namespace ?? '');
    const isChanged =
      (plain.has(request.key) && isNoticed(setup, request.key)) ||
      (isWithin && policy === 'Foreground');
    // One without a policy keeps what finalizers of the collector are there.
    if (!isChanged || policy === undefined) return step;
    if (policy === 'Background') return step;
    const taken = { propagationPolicy: 'Background', sentPolicy: policy } as const;
    const options = { ...request.options, ...taken };
    return { ...step, request: { ...request, options } };
  };
  if (plain.size === 0) return setup;
  const inBackground = Object.entries(users).map(([user, steps]) => [user, steps.map(changed)]);
  return {
    ...setup,
    objects: objects.map((object) => withoutWaiting(object, emptied)),
    users: Object.fromEntries(inBackground),
  };
}

/**
 * Whether the collector sees on every run that a DELETE adds its finalizer to the object. Before
 * 1.16 it looks only at events with which the deletion begins.
 */
function isNoticed(setup: Setup, key: ObjectKey): boolean {
  if (setup.rules.deletionStart === 'deletionTimestampAndFinalizer') return true;
  const object = byKeyIn(setup.objects).get(key);
  const deletes = deletesOf(setup).filter((one) => one.key === key);
  return object !== undefined && !isBeingDeleted(object) && deletes.length === 1;
}

/** The object, not waiting for its dependents if it is in one of these namespaces. */
function withoutWaiting(object: ApiObject, emptied: ReadonlySet<string>): ApiObject {
  const { namespace, finalizers } = object;
  const isWaiting = isBeingDeleted(object) && finalizers.includes(FOREGROUND);
  if (!isWaiting || !emptied.has(namespace)) return object;
  return { ...object, finalizers: finalizers.filter((name) => name !== FOREGROUND) };
}

/**
 * The setup in which objects of namespaces that are surely emptied have no owners. What becomes of
 * the objects is the same, if all pods go and the setup can be in pieces.
 *
 * Argument: in the tree of such an object nothing waits for dependents and nothing is orphaned
 * (`areContainersApart`), so all that the collector does to it is to delete it in the background,
 * or to take off a reference. The controller of the namespace deletes it as well, on every run. From then on only finalizers, kubelets, claims
 * and volumes hold the object, regardless of what has deleted it and when. Four readers of owners
 * are left. The controller of Jobs lets go of a pod that is being deleted, with any owner. Claims,
 * and pods on nodes that are lost, keep their owners. So does an object of which the API server
 * refuses each PATCH for its owners, as its finalizers then never come off.
 *
 * The owners lose dependents by this. None of them waits for these.
 *
 * @param held names of namespaces that may not be emptied.
 */
export function withoutOwnersInEmptied(setup: Setup, held: ReadonlySet<string>): Setup {
  return canBeInPieces(setup) ? withoutOwnersWithin(setup, held) : setup;
}

/** The same without asking whether the setup can be in pieces. */
export function withoutOwnersWithin(setup: Setup, held: ReadonlySet<string>): Setup {
  const emptied = surelyEmptied(setup, held);
  if (emptied.size === 0) return setup;
  const { taintEviction, podGc } = setup;
  const readsPods = taintEviction === true || podGc !== undefined;
  const objects = setup.objects.map((object) => {
    const { kind, namespace, ownerReferences, pod } = object;
    if (!emptied.has(namespace) || ownerReferences.length === 0) return object;
    const isRead = kind === 'PersistentVolumeClaim' || (pod !== undefined && readsPods);
    const isRefused = validateMetadata({ finalizers: [], ownerReferences }, 'qualified').length > 0;
    return isRead || isRefused ? object : { ...object, ownerReferences: [] };
  });
  return { ...setup, objects };
}
