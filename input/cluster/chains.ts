import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  isWatched,
  ORPHAN,
  type OtherDependents,
  onlyCollectorActs,
  onlyCollectorAndNamespacesAct,
  type Setup,
  type Uid,
  validateMetadata,
} from '../../model/index.ts';
import { divided, meetInContainers } from './parts.ts';

/** A chain of owners: an object without dependents, and everything that is above it. */
export interface Chain {
  /** Uids, in the order of the objects of the setup. */
  readonly uids: readonly Uid[];
  /**
   * By owner in the chain that has dependents outside of it: those dependents. The places of these
   * owners in `uids` name them in a world.
   */
  readonly others: ReadonlyMap<Uid, readonly ApiObject[]>;
}

/**
 * The chains of owners of a setup, those that are alike once, if each of them can be searched by
 * itself. Null: they cannot.
 *
 * What is true of all runs of one chain beside other dependents (`besideOthers`) is then true of the
 * chain in all runs of the whole. The argument is that of network invariants (P. Wolper and
 * V. Lovinfosse, 1989): the other dependents are an environment that can do at least as much as
 * the real ones.
 *
 * Take a fair run of the whole, and leave out of its states and steps all that concerns objects
 * outside of the chain: what is stored of them, their events, nodes, queue entries and requests, the
 * kubelets of their pods, the work on their finalizers. An object outside of the chain has at most one
 * owner, and no object of the chain refers to it. So what is left out can do four things to an owner
 * in the chain. It blocks the owner's deletion, as long as the graph has such a dependent. It leaves
 * the graph, or loses its owner, and the owner is queued. An old event brings it back into the
 * graph, and if the owner has left the graph, brings back the owner as a virtual node. And in the
 * end it leaves for good. The environment does each of them at any time, any number of times
 * (`OTHER_DEPENDENTS`). A worker that orphans the owner's dependents also waits for the PATCH of each,
 * which only delays it: no PATCH of these is refused (`canLoseOwner`). So the run is one of the chain
 * beside the environment. The owner is deleted in the foreground if it has dependents. That needs no
 * step of the environment: the chain has a dependent of that owner itself, and the graph has it
 * until the owner waits.
 *
 * The run is also fair. A worker that is busy with something else becomes idle again and again, and
 * items are taken with strong fairness. Events ahead of an event in its stream are delivered, and
 * there are finitely many of them. The environment as such need not do anything (`mayStay`). It
 * does away with the last dependent in the end (`leave`) only where all these dependents were shown to
 * go on every run, in their own chains, and without this assumption: the caller ascends from the
 * dependents to the owners.
 *
 * Where the controller of a namespace acts as well, `meetInContainers` says why it makes no
 * difference, as long as everything goes.
 */
export function chainsApart(setup: Setup): readonly Chain[] | null {
  if (!isUndisturbed(setup) || !setup.objects.every((object) => isPlain(setup, object)))
    return null;
  const children = childrenOf(setup);
  const chains: Chain[] = [];
  for (const { objects } of divided(setup, 'chains')) {
    const uids = objects.map(({ uid }) => uid);
    const own = new Set(uids);
    if (objects.some(({ ownerReferences }) => ownerReferences.some(({ uid }) => !own.has(uid)))) {
      return null;
    }
    const others = new Map<Uid, readonly ApiObject[]>();
    for (const uid of uids) {
      const outside = (children.get(uid) ?? []).filter((child) => !own.has(child.uid));
      if (outside.length === 0) continue;
      if (new Set(outside.map((child) => blocks(child))).size > 1) return null;
      if (setup.deleteWorkers > 1 && outside.some((child) => children.has(child.uid))) return null;
      others.set(uid, outside);
    }
    chains.push({ uids, others });
  }
  return chains;
}

/**
 * A chain of the setup as a setup of its own, beside the dependents that it leaves out.
 *
 * @param leaving places in the chain of the owners whose other dependents all leave in the end.
 */
export function besideOthers(setup: Setup, part: Setup, leaving: readonly number[]): Setup {
  const own = new Set(part.objects.map(({ uid }) => uid));
  const others = new Map<Uid, OtherDependents>();
  for (const [place, { uid }] of part.objects.entries()) {
    const outside = setup.objects.filter(
      (object) =>
        !own.has(object.uid) && object.ownerReferences.some((reference) => reference.uid === uid),
    );
    const [first] = outside;
    if (first === undefined) continue;
    others.set(uid, { block: blocks(first), end: leaving.includes(place) ? 'leave' : 'mayStay' });
  }
  return others.size === 0 ? part : { ...part, otherDependents: Object.fromEntries(others) };
}

function blocks({ ownerReferences }: ApiObject): boolean {
  return ownerReferences.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
}

function childrenOf({ objects }: Setup): ReadonlyMap<Uid, readonly ApiObject[]> {
  const found = new Map<Uid, ApiObject[]>();
  for (const object of objects) {
    for (const { uid } of object.ownerReferences) {
      found.set(uid, [...(found.get(uid) ?? []), object]);
    }
  }
  return found;
}

/**
 * Whether the only steps are those of the collector, of kubelets, of owners of finalizers and of
 * users that delete, and nothing disturbs watches and reads.
 */
function isUndisturbed(setup: Setup): boolean {
  const { rules, users, relists, lostEvents = {}, refusesUpdates = [], definitions = [] } = setup;
  const { neverSyncs = [], syncsLate = [], notInstalled = [], initializers = {} } = setup;
  const unusual = [setup.discovery, setup.orderedDelivery, setup.rateLimiter, setup.denied];
  const requests = Object.values(users).flatMap((steps) => steps.map(({ request }) => request.do));
  return (
    setup.caches === 'synced' &&
    rules.foregroundDeletion === 'deleteWorkers' &&
    rules.absenceProof === 'liveRead' &&
    // So that an object without dependents never waits for dependents.
    rules.collectorDeletePolicy === 'explicit' &&
    Object.keys({ ...relists, ...lostEvents, ...initializers }).length === 0 &&
    [definitions, neverSyncs, syncsLate, notInstalled, refusesUpdates].every(
      ({ length }) => length === 0,
    ) &&
    unusual.every((field) => field === undefined) &&
    (setup.lags ?? 0) === 0 &&
    requests.length === 1 &&
    requests[0] === 'delete' &&
    (onlyCollectorActs(setup) || (meetInContainers(setup) && onlyCollectorAndNamespacesAct(setup)))
  );
}

/**
 * Whether an object has at most one owner, which is stored as the reference says, is not being
 * deleted yet, and is seen by the collector like its owner.
 */
function isPlain({ objects, kinds, rules }: Setup, object: ApiObject): boolean {
  const { ownerReferences, finalizers, kind, namespace } = object;
  if (isBeingDeleted(object)) return false;
  if (finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN)) return false;
  if (!isWatched({ kinds, rules }, kind) || ownerReferences.length > 1) return false;
  if (ownerReferences.length > 0 && !canLoseOwner({ kinds, rules }, object)) return false;
  return ownerReferences.every((reference) => {
    const owner = objects.find(({ uid }) => uid === reference.uid);
    if (owner === undefined || owner === object) return false;
    return (
      owner.name === reference.name &&
      owner.namespace === namespace &&
      kinds[owner.kind]?.apiVersions[0] === reference.apiVersion &&
      kinds[owner.kind]?.kind === reference.kind
    );
  });
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
