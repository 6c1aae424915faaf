import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  isWatched,
  keyOf,
  ORPHAN,
  onlyLocalActorsAct,
  type Setup,
  type Uid,
  type UserStep,
  validateMetadata,
} from '../../model/index.ts';
import {
  contentsByContainer,
  haveContainers,
  isContainerIn,
  surelyEmptied,
} from './containers/emptied.ts';
import { isEmptied, withOwners } from './likeness/colors.ts';
import { definitionName } from './links.ts';
import { byKeyIn, byUidIn, cyclesIn, dependentsIn, remembered } from './lookups.ts';
import { treesWithin } from './parts.ts';
import { areRequestsApart, isAskedWith, orphansByDefault } from './requests.ts';

/**
 * Whether the argument of `piecesOf` applies to a setup: only the collector, kubelets, owners of
 * finalizers, the protection of claims and volumes, pod gc, taint eviction, the controllers of
 * namespaces and definitions, and users act, each request is about another object, nothing disturbs
 * watches and reads, every owner is stored as the reference says, or it is the only one and not
 * there at all, no lost owner returns, and no object is owned by both a claim and the pod that owns
 * that. With cold caches, nothing is being deleted, deleted in the foreground or orphaned, no
 * object has several owners, and owners are no cycle (nor are they where a cycle is searched for,
 * `canHaveCycles`).
 */
export function canBeInPieces(setup: Setup): boolean {
  const byUid = byUidIn(setup.objects);
  const named = new Map<Uid, Set<string>>();
  for (const { ownerReferences, namespace } of setup.objects) {
    for (const { uid, apiVersion, kind, name } of ownerReferences) {
      const place = [apiVersion, kind, namespace, name].join('/');
      named.set(uid, (named.get(uid) ?? new Set()).add(place));
    }
  }
  return (
    isUndisturbed(setup) &&
    setup.objects.every((object) => isPlain(setup, object, byUid, named)) &&
    !setup.objects.some((object) => hasClaimAndItsPod(setup, object)) &&
    !setup.objects.some((object) => canRegainOwner(setup, object)) &&
    (canHaveCycles(setup) || cyclesIn(setup.objects).size === 0)
  );
}

/**
 * Whether owners in a cycle do no more than their pieces show. If one that finds itself in a cycle
 * takes its own finalizer off, it goes while a dependent blocks it. Beside that dependent, a piece
 * has no cycle, and so would show that the owner stays. And where one waits from the start, what
 * the collector has queued by then depends on which object of the cycle it saw first
 * (`initialCluster`).
 */
function canHaveCycles({ caches, rules, objects }: Setup): boolean {
  return (
    caches === 'synced' &&
    rules.cycleBreaking !== 'searchCycle' &&
    !objects.some((object) => isBeingDeleted(object) && object.finalizers.includes(FOREGROUND))
  );
}

function isUndisturbed(setup: Setup): boolean {
  const { rules, relists, lostEvents = {}, refusesUpdates = [] } = setup;
  const { neverSyncs = [], syncsLate = [], notInstalled = [], initializers = {} } = setup;
  const { discovery, orderedDelivery, rateLimiter, denied, definitionLookup } = setup;
  const unusual = [discovery, orderedDelivery, rateLimiter, denied, definitionLookup];
  return (
    (setup.caches === 'synced' || isPlainStart(setup)) &&
    rules.foregroundDeletion === 'deleteWorkers' &&
    rules.absenceProof === 'liveRead' &&
    // So that an object without dependents never waits for dependents.
    rules.collectorDeletePolicy === 'explicit' &&
    // So that it is the event of its only owner that queues an object first (`canUnblock`).
    rules.itemsBeingDeleted === 'skipped' &&
    // So that an event that changes only references has no other effect.
    rules.deletionStart !== 'everyEvent' &&
    Object.keys({ ...relists, ...lostEvents, ...initializers }).length === 0 &&
    [neverSyncs, syncsLate, notInstalled, refusesUpdates].every(({ length }) => length === 0) &&
    unusual.every((field) => field === undefined) &&
    (setup.lags ?? 0) === 0 &&
    areRequestsApart(setup) &&
    (onlyLocalActorsAct(setup, 'none') ||
      (haveContainers(setup) &&
        areDefinitionsPlain(setup) &&
        onlyLocalActorsAct(setup, 'emptied') &&
        areContainersApart(setup)))
  );
}

/**
 * Whether nothing waits for dependents, or is orphaned, in a tree of objects in which controllers
 * of namespaces delete. They delete in the background, and so take off finalizers that the
 * collector has added.
 *
 * They do nothing to what is in other trees. Those of definitions do: once a definition is gone,
 * the collector no longer finds out that an owner of the kind is absent.
 */
function areContainersApart(setup: Setup): boolean {
  const { objects, definitions = [] } = setup;
  const special = objects.filter((one) => isToWait(setup, one) || canOrphan(setup, one));
  if (special.length === 0) return true;
  return definitions.length === 0 && !special.some((one) => isBesideContainer(setup, one));
}

/** Whether a controller empties something in the tree of the object. */
export function isBesideContainer(setup: Setup, { uid }: ApiObject): boolean {
  return haveContainers(setup) && besideContainers(setup).has(uid);
}

const besideContainers = remembered((setup: Setup): ReadonlySet<Uid> => {
  const containers = contentsByContainer(setup);
  const trees = treesWithin(setup).filter((uids) => uids.some((uid) => containers.has(uid)));
  return new Set(trees.flat());
});

/**
 * Whether a definition refuses no DELETE and no PATCH, and its instances are deleted in the
 * background.
 */
function areDefinitionsPlain({ objects, kinds, rules, definitions = [] }: Setup): boolean {
  if (definitions.length === 0) return true;
  const names = new Set(definitions.map((key) => key.slice(key.lastIndexOf('//') + 2)));
  return (
    rules.terminatingDefinition === 'rejectsCreates' &&
    objects.every(({ kind }) => {
      const served = kinds[kind];
      return !names.has(definitionName(served)) || !orphansByDefault(served);
    })
  );
}

/**
 * Whether it makes little difference that the collector sees the objects in any order: it never
 * looks for dependents, and a worker handles an object in the same way whether its virtual node was
 * there before. One that is being deleted is only handled by its virtual node.
 */
function isPlainStart(setup: Setup): boolean {
  return (
    !canBeForeground(setup) &&
    !setup.objects.some((object) => canOrphan(setup, object)) &&
    !setup.objects.some(isBeingDeleted) &&
    !haveContainers(setup)
  );
}

/** Whether the collector may delete an object in the foreground: an owner waits for dependents. */
const canBeForeground = remembered((setup: Setup): boolean =>
  setup.objects.some((object) => isToWait(setup, object)),
);

/** The same for the objects of the tree of one. */
export function canBeForegroundBeside(setup: Setup, object: ApiObject): boolean {
  return canBeForeground(setup) && !isBesideContainer(setup, object);
}

/** Whether the object waits for its dependents, or may do so because of a request. */
function isToWait(setup: Setup, object: ApiObject): boolean {
  return object.finalizers.includes(FOREGROUND) || isAskedWith(setup, object, 'Foreground');
}

/** Whether the object has the finalizer `orphan`, or may get it by a request. */
export function canOrphan(setup: Setup, object: ApiObject): boolean {
  return object.finalizers.includes(ORPHAN) || isAskedWith(setup, object, 'Orphan');
}

/**
 * The setup with DELETEs in the background of namespaces and definitions that their controllers
 * empty, and of what is in namespaces that are surely emptied. What becomes of the objects of a
 * setup in pieces is the same.
 *
 * Argument: another policy adds a finalizer of the collector to the namespace. That has no owners
 * and no dependents (`haveContainers`), so nothing is deleted or orphaned for it, and the collector
 * removes the finalizer on every run, once the API server accepts the other ones. The controller
 * empties the namespace all the same, as it reads the time of the deletion and the finalizers of
 * the spec. Whichever are removed last, the namespace goes with them. Nothing can be created in it
 * until then, and nothing else reads whether it is there. A definition has no policy until it is
 * being deleted (`terminateDefinition`), and from then on the same is true of it.
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
 * @param held names of namespaces of which a pod stays.
 */
export function withPlainContainers(setup: Setup, held: ReadonlySet<string>): Setup {
  const { users, objects } = setup;
  const plain = new Set<string>(
    objects
      // An active namespace without finalizers of the spec stays, unless another one is removed.
      .filter((object) =>
        isEmptied(setup, object)
          ? (object.specFinalizers ?? []).length > 0
          : isContainerIn(setup, object),
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
    const isChanged = plain.has(request.key) || (isWithin && policy === 'Foreground');
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
 * @param held names of namespaces of which a pod stays.
 */
export function withoutOwnersInEmptied(setup: Setup, held: ReadonlySet<string>): Setup {
  const emptied = surelyEmptied(setup, held);
  if (emptied.size === 0 || !canBeInPieces(setup)) return setup;
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

type ByUid = ReadonlyMap<Uid, ApiObject>;

/**
 * Whether an object is seen by the collector, and its owner is as it names it. An owner that is not
 * there has one name for all. One that the collector has not seen yet is first in the namespace of
 * the dependent, so it is in it.
 */
function isPlain(
  setup: Setup,
  object: ApiObject,
  byUid: ByUid,
  named: ReadonlyMap<Uid, ReadonlySet<string>>,
): boolean {
  const { kinds, rules, caches } = setup;
  const { ownerReferences, kind, namespace } = object;
  if (!isWatched({ kinds, rules }, kind)) return false;
  if (ownerReferences.length > 1 && !areOwnersThere(object, setup)) return false;
  if (ownerReferences.length > 0 && !canLoseOwner({ kinds, rules }, object)) return false;
  return ownerReferences.every((reference) => {
    const owner = byUid.get(reference.uid);
    if (owner === undefined) return named.get(reference.uid)?.size === 1;
    const served = kinds[owner.kind];
    if (served === undefined) return false;
    return (
      owner.name === reference.name &&
      (owner.namespace === namespace || (!served.namespaced && caches === 'synced')) &&
      served.apiVersions[0] === reference.apiVersion &&
      served.kind === reference.kind
    );
  });
}

/** Whether the owners of an object that has several are there, each named once. */
function areOwnersThere({ ownerReferences }: ApiObject, { objects, caches }: Setup): boolean {
  const byUid = byUidIn(objects);
  const owners = new Set(ownerReferences.map((reference) => reference.uid));
  return (
    caches === 'synced' &&
    owners.size === ownerReferences.length &&
    [...owners].every((owner) => byUid.has(owner))
  );
}

/**
 * Whether a PATCH can take the owner off an object. An orphan worker that cannot do so tries for
 * ever.
 */
function canLoseOwner(
  { kinds, rules }: Pick<Setup, 'kinds' | 'rules'>,
  { kind, finalizers }: ApiObject,
): boolean {
  const served = kinds[kind];
  if (served === undefined) return false;
  const names = served.finalizerNames ?? 'standardOrPrefixed';
  if (validateMetadata({ finalizers, ownerReferences: [] }, names).length > 0) return false;
  return served.patchTypes !== 'mergeOnly' || rules.ownerPatchFallback !== 'none';
}

/**
 * Whether above an object are both a claim and the pod that owns it. A piece lacks that reference,
 * by which claim protection knows that it need not wait until the pod is gone (`usesClaim`).
 */
function hasClaimAndItsPod(setup: Setup, object: ApiObject): boolean {
  const [, ...above] = withOwners(setup, object);
  const uids = new Set(above.map(({ uid }) => uid));
  return above.some(
    ({ kind, ownerReferences }) =>
      kind === 'PersistentVolumeClaim' && ownerReferences.some(({ uid }) => uids.has(uid)),
  );
}

/**
 * Whether the collector may find that a dependent of an object waits for its dependents before it
 * knows that the object does so. The object then stops blocking its own owners
 * (`unblockOwnerReferences`).
 *
 * Something above the object waits, and the dependent waits already, or a request makes it wait. Or
 * the collector makes a dependent wait that has dependents: an event of another owner queues that
 * one while the event of this one is late; or there are several workers, and one holds the object
 * meanwhile. With one owner and one worker, it is the event of that owner that queues the
 * dependent, unless one of a cycle stops blocking it.
 */
export function canUnblock(setup: Setup, { uid, ownerReferences }: ApiObject): boolean {
  if (ownerReferences.length === 0 || !beneathWaiting(setup).has(uid)) return false;
  const dependents = dependentsIn(setup.objects);
  const isInCycle = cyclesIn(setup.objects).has(uid);
  return (dependents.get(uid) ?? []).some(
    (object) =>
      isToWait(setup, object) ||
      (dependents.has(object.uid) &&
        (setup.deleteWorkers > 1 || isInCycle || object.ownerReferences.length > 1)),
  );
}

/** Uids of all objects that have one above them that waits, or may do so. */
const beneathWaiting = remembered((setup: Setup): ReadonlySet<Uid> => {
  const dependents = dependentsIn(setup.objects);
  const beneath = ({ uid }: ApiObject): readonly ApiObject[] => dependents.get(uid) ?? [];
  const found = new Set(setup.objects.filter((object) => isToWait(setup, object)).flatMap(beneath));
  for (const object of found) for (const next of beneath(object)) found.add(next);
  return new Set([...found].map(({ uid }) => uid));
});

/**
 * Whether an owner that an object has lost may return. An object that unblocks its owners sends the
 * references that the graph knows (`unblockedReferences`), which may have been taken off meanwhile:
 * those to one of several owners, or to one that orphans it.
 */
function canRegainOwner(setup: Setup, object: ApiObject): boolean {
  const { ownerReferences } = object;
  const byUid = byUidIn(setup.objects);
  const canLose =
    ownerReferences.length > 1 ||
    ownerReferences.some(({ uid }) => {
      const owner = byUid.get(uid);
      return owner !== undefined && canOrphan(setup, owner);
    });
  return canLose && canUnblock(setup, object);
}
