import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  isWatched,
  ORPHAN,
  onlyLocalActorsAct,
  type Setup,
  type Uid,
  validateMetadata,
} from '../../model/index.ts';
import {
  contentsByContainer,
  definedIn,
  definitionNamed,
  haveContainers,
} from './containers/emptied.ts';
import { isEmptied, withOwners } from './likeness/colors.ts';
import { definitionName } from './links.ts';
import { byUidIn, cyclesIn, dependentsIn, remembered } from './lookups.ts';
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
 * of namespaces and definitions delete. They delete in the background, and so take off finalizers
 * that the collector has added.
 *
 * They do nothing to what is in other trees, but for one thing: once a definition is gone, the
 * collector no longer finds out that an owner of the kind is absent. So a tree with such an owner
 * counts as theirs.
 *
 * The controller of a definition deletes its instances, and nothing in the tree of its owners. It
 * only delays when the definition goes. So that tree counts as theirs only if an instance is in it
 * for another reason. Owners of a definition may wait for it (`KnownFates.add`).
 */
function areContainersApart(setup: Setup): boolean {
  return !setup.objects.some((one) => isSpecial(setup, one) && isBesideContainer(setup, one));
}

/** Whether the object waits for its dependents, or orphans them, or may do so for a request. */
export function isSpecial(setup: Setup, object: ApiObject): boolean {
  return isToWait(setup, object) || canOrphan(setup, object);
}

/** Whether a controller deletes something in the tree of the object, or the kind of a lost owner. */
export function isBesideContainer(setup: Setup, { uid }: ApiObject): boolean {
  return haveContainers(setup) && besideContainers(setup).has(uid);
}

const besideContainers = remembered((setup: Setup): ReadonlySet<Uid> => {
  const { objects } = setup;
  const names = definedIn(setup);
  const byUid = byUidIn(objects);
  const hasLost = ({ ownerReferences }: ApiObject): boolean =>
    ownerReferences.some(
      (reference) => !byUid.has(reference.uid) && names.has(definitionNamed(setup, reference)),
    );
  const contents = [...contentsByContainer(setup).values()].flat();
  const found = [...contents, ...objects.filter((one) => isEmptied(setup, one) || hasLost(one))];
  const theirs = new Set(found.map(({ uid }) => uid));
  const trees = treesWithin({ ...setup, definitions: [] });
  return new Set(trees.filter((uids) => uids.some((uid) => theirs.has(uid))).flat());
});

/**
 * Whether a definition refuses no DELETE and no PATCH, and its instances are deleted in the
 * background.
 */
function areDefinitionsPlain({ objects, kinds, rules, definitions = [] }: Setup): boolean {
  if (definitions.length === 0) return true;
  const names = definedIn({ definitions });
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
export function isToWait(setup: Setup, object: ApiObject): boolean {
  return object.finalizers.includes(FOREGROUND) || isAskedWith(setup, object, 'Foreground');
}

/** Whether the object has the finalizer `orphan`, or may get it by a request. */
export function canOrphan(setup: Setup, object: ApiObject): boolean {
  return object.finalizers.includes(ORPHAN) || isAskedWith(setup, object, 'Orphan');
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
 * ever. And where the API server refuses the owners that an object has, it refuses each PATCH of a
 * finalizer too; pieces in which the object has lost its references would not.
 */
function canLoseOwner(
  { kinds, rules }: Pick<Setup, 'kinds' | 'rules'>,
  { kind, finalizers, ownerReferences }: ApiObject,
): boolean {
  const served = kinds[kind];
  if (served === undefined) return false;
  const names = served.finalizerNames ?? 'standardOrPrefixed';
  if (validateMetadata({ finalizers, ownerReferences }, names).length > 0) return false;
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
