import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  isWatched,
  ORPHAN,
  onlyLocalActorsAct,
  requestsOf,
  type Setup,
  type Uid,
  validateMetadata,
} from '../../model/index.ts';
import { inPostOrder } from '../../text/orders.ts';
import { byUidIn, dependentsIn } from './lookups.ts';
import { meetInContainers } from './parts.ts';
import { areRequestsApart, isAsked, isAskedWith } from './requests.ts';

/**
 * Whether the argument of `piecesOf` applies to a setup: only the collector, kubelets, owners of
 * finalizers, the protection of claims and volumes, the controller of a namespace and users
 * act, each request is about another object, nothing disturbs watches and reads, every object has at
 * most one owner, which is stored as the reference says or not at all, and owners are no cycle. With
 * cold caches, nothing is being deleted, deleted in the foreground or orphaned.
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
    !isAnyInCycle(setup, byUid) &&
    !isAnyUnblocked(setup, byUid) &&
    !isAnyOrphanedBelow(setup)
  );
}

function isUndisturbed(setup: Setup): boolean {
  const { rules, relists, lostEvents = {}, refusesUpdates = [], definitions = [] } = setup;
  const { neverSyncs = [], syncsLate = [], notInstalled = [], initializers = {} } = setup;
  const unusual = [setup.discovery, setup.orderedDelivery, setup.rateLimiter, setup.denied];
  return (
    (setup.caches === 'synced' || isPlainStart(setup)) &&
    rules.foregroundDeletion === 'deleteWorkers' &&
    rules.absenceProof === 'liveRead' &&
    // So that an object without dependents never waits for dependents.
    rules.collectorDeletePolicy === 'explicit' &&
    // So that an event that changes only references has no other effect.
    rules.deletionStart !== 'everyEvent' &&
    Object.keys({ ...relists, ...lostEvents, ...initializers }).length === 0 &&
    [definitions, neverSyncs, syncsLate, notInstalled, refusesUpdates].every(
      ({ length }) => length === 0,
    ) &&
    unusual.every((field) => field === undefined) &&
    (setup.lags ?? 0) === 0 &&
    areRequestsApart(setup) &&
    // The controller of a namespace deletes in the background, and so takes off finalizers that the
    // collector has added.
    (onlyLocalActorsAct(setup, 'none') ||
      (meetInContainers(setup) && onlyLocalActorsAct(setup, 'emptied') && !canBeForeground(setup)))
  );
}

/**
 * Whether it makes little difference that the collector sees the objects in any order: it never
 * looks for dependents, and a worker handles an object in the same way whether its virtual node was
 * there before. One that is being deleted is only handled by its virtual node.
 */
function isPlainStart(setup: Setup): boolean {
  const isOrphaning = isMeant(setup, 'Orphan', ORPHAN);
  return (
    !canBeForeground(setup) &&
    !isOrphaning &&
    !setup.objects.some(isBeingDeleted) &&
    (setup.emptiedNamespaces ?? []).length === 0
  );
}

/** Whether the collector may delete an object in the foreground: an owner waits for dependents. */
export function canBeForeground(setup: Setup): boolean {
  return isMeant(setup, 'Foreground', FOREGROUND);
}

/** Whether an object has the finalizer of a policy, or may get it by a request. */
function isMeant(setup: Setup, policy: 'Foreground' | 'Orphan', finalizer: string): boolean {
  return setup.objects.some(
    (object) => object.finalizers.includes(finalizer) || isAskedWith(setup, object, policy),
  );
}

/**
 * Whether dependents are orphaned somewhere, and an owner that has an owner itself is being deleted
 * already, has the finalizer `orphan`, or is asked for by one of several requests; or a namespace is
 * emptied meanwhile. Such an owner may be released by its own owner while it is being deleted: that
 * event can bring its node back after the collector has found it gone. Or it leaves its dependents
 * itself. Pieces have neither.
 */
function isAnyOrphanedBelow(setup: Setup): boolean {
  if (!isMeant(setup, 'Orphan', ORPHAN)) return false;
  const { objects, emptiedNamespaces = [] } = setup;
  const parents = parentsIn(setup);
  const isOneOfSeveral = requestsOf(setup).length > 1;
  return (
    emptiedNamespaces.length > 0 ||
    objects.some(
      (object) =>
        object.ownerReferences.length > 0 &&
        parents.has(object.uid) &&
        (isBeingDeleted(object) ||
          object.finalizers.includes(ORPHAN) ||
          (isOneOfSeveral && isAsked(setup, object))),
    )
  );
}

function parentsIn({ objects }: Setup): ReadonlySet<Uid> {
  return new Set(objects.flatMap(({ ownerReferences }) => ownerReferences.map(({ uid }) => uid)));
}

type ByUid = ReadonlyMap<Uid, ApiObject>;

/**
 * Whether an object is seen by the collector, and its owner is as it names it. An owner that is not
 * there has one name for all. One that the collector has not seen yet is first in the namespace of the
 * dependent, so it is in it.
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
  if (ownerReferences.length > 1 && !isSharedLeaf(object, setup)) return false;
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

/**
 * Whether an object with several owners has no dependents, and all of its owners are there. So it never
 * waits, and nothing is ever asked of its own node but whether it is there.
 */
function isSharedLeaf({ uid, ownerReferences }: ApiObject, { objects, caches }: Setup): boolean {
  const byUid = byUidIn(objects);
  const owners = new Set(ownerReferences.map((reference) => reference.uid));
  return (
    caches === 'synced' &&
    owners.size === ownerReferences.length &&
    [...owners].every((owner) => byUid.has(owner)) &&
    !dependentsIn(objects).has(uid)
  );
}

/** Whether a PATCH can take the owner off an object. An orphan worker that cannot do so tries for ever. */
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

function isAnyInCycle({ objects }: Setup, byUid: ByUid): boolean {
  const ownersOf = ({ ownerReferences }: ApiObject): readonly ApiObject[] =>
    ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []);
  const ordered = inPostOrder(objects, ownersOf);
  const places = new Map(ordered.map((object, place) => [object, place]));
  const placeOf = (object: ApiObject): number => places.get(object) ?? 0;
  // All owners come first, but for those in a cycle.
  return ordered.some((object) =>
    ownersOf(object).some((owner) => placeOf(owner) >= placeOf(object)),
  );
}

/**
 * Whether the collector may find that a dependent waits for its dependents before their owner does
 * so. The owner then stops blocking its own owners (`unblockOwnerReferences`), which pieces leave out.
 *
 * An owner of the owner may wait, and the dependent waits already, or a request makes it wait; or there
 * are several workers, and one holds the owner while another deletes a dependent that has dependents.
 */
function isAnyUnblocked(setup: Setup, byUid: ByUid): boolean {
  const { objects, deleteWorkers } = setup;
  const parents = parentsIn(setup);
  const isToWait = (object: ApiObject): boolean =>
    object.finalizers.includes(FOREGROUND) || isAskedWith(setup, object, 'Foreground');
  const ownersOf = ({ ownerReferences }: ApiObject): readonly ApiObject[] =>
    ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []);
  return objects.some((object) => {
    const mayWait = isToWait(object) || (deleteWorkers > 1 && parents.has(object.uid));
    if (!mayWait) return false;
    const above = new Set(ownersOf(object).flatMap(ownersOf));
    for (const each of above) for (const owner of ownersOf(each)) above.add(owner);
    return [...above].some(isToWait);
  });
}
