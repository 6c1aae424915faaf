import {
  type ApiObject,
  type DependentsEnd,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  ORPHAN,
  type OtherDependents,
  objectKey,
  type Propagation,
  type Setup,
  type Uid,
  usesClaim,
} from '../../model/index.ts';
import { inPostOrder } from '../../text/orders.ts';
import { containersAround, contentsByContainer } from './containers/emptied.ts';
import { withoutOwnersInEmptied, withPlainContainers } from './containers/plain.ts';
import { colorsOf, withOwners } from './likeness/colors.ts';
import { byKeyIn, byUidIn, claimantsIn, cyclesIn, dependentsIn, remembered } from './lookups.ts';
import { begunIn } from './operating/ending.ts';
import { maybeDeleted, maybeEmptied, withoutStopping } from './operating/stopping.ts';
import { inOrderOf, kindsOf, restrictedTo } from './parts.ts';
import {
  canBeForegroundBeside,
  canBeInPieces,
  canOrphan,
  canUnblock,
  isBesideContainer,
} from './piecemeal.ts';
import { withoutReplacements } from './replacements.ts';
import { isAsked, requestsAbout } from './requests.ts';
import { withoutTeardowns } from './teardowns.ts';

/** An object with its owners. What else has to do with these is outside of the piece. */
export interface Piece {
  /** The object that the piece is about, or all objects of a cycle of owners. */
  readonly subjects: readonly ApiObject[];
  /**
   * The subjects, their owners, the claims of the volumes among these, their nodes, and their
   * namespaces and definitions that are emptied; in the order of the setup.
   */
  readonly uids: readonly Uid[];
  /** Owners of the subjects that have owners themselves, with these; without subjects. */
  readonly ownersAbove: ReadonlyMap<Uid, readonly Uid[]>;
  /**
   * Those outside of the piece that depend on an object of it, or on an owner that is not there.
   */
  readonly dependents: ReadonlyMap<Uid, readonly ApiObject[]>;
  /** The pods outside of the piece that use each claim of the piece. */
  readonly users: ReadonlyMap<Uid, readonly ApiObject[]>;
  /** Places in `uids` of those that operators which may stop delete or not. */
  readonly maybe: readonly number[];
  /** What the pieces were made with (`piecesOf`). */
  readonly holders: readonly Uid[];
  /** Those of the holders that are in the piece only as they hold back what is in it. */
  readonly holding: ReadonlySet<Uid>;
}

/**
 * What was shown of the objects around a piece. Each is a set of places in `Piece.uids`, which name
 * an object in a token.
 */
export interface Shown {
  /** The collector deletes the object for its owners outside of the piece. */
  readonly deleted: readonly number[];
  /** It does so only in the foreground. */
  readonly waiting: readonly number[];
  /** Its dependents outside of the piece leave it on every run. */
  readonly left: readonly number[];
  /** One of them that blocks never leaves it. */
  readonly kept: readonly number[];
  /** The pods outside of the piece that use the claim all go on every run. */
  readonly released: readonly number[];
  /** One of them never goes. */
  readonly used: readonly number[];
  /** Of those that operators delete or not (`Piece.maybe`), these are not deleted. Absent: none. */
  readonly unsent?: readonly number[];
}

/**
 * The pieces of a setup, those that are alike once, owners first. Null: what is true of the pieces
 * need not be true of the whole (`canBeInPieces`).
 *
 * What is shown for all runs of a piece (`pieceIn`) is true of its objects on all runs of the
 * whole. The argument is assume-guarantee reasoning (J. Misra and K. M. Chandy, 1981), with network
 * invariants in the place of the many objects that are alike (P. Wolper and V. Lovinfosse, 1989):
 * the environment of a piece can do at least as much as the real objects around it, and assumes of
 * them only what other pieces have shown before, so no argument is circular.
 *
 * Take a fair run of the whole, and leave out of its states and steps all that concerns objects
 * outside of the piece: what is stored of them, their events, nodes, queue entries and requests,
 * the kubelets of their pods, the work on their finalizers. What is left out can do this to the
 * piece:
 *
 * - A dependent of an object blocks its deletion, as long as the graph has the dependent. It leaves
 *   the graph, or loses its owner, and the owner is queued. An old event brings it back into the
 *   graph; if the owner has left the graph, it is brought back as a virtual node. A worker that
 *   decides on the policy for the owner finds such a dependent, or finds none. In the end they
 *   leave for good, or one stays. The environment does each of them at any time, any number of
 *   times (`OTHER_DEPENDENTS`); but not before the owner is being deleted, where nothing else makes
 *   them leave. A worker that orphans dependents also waits for the PATCH of each, which only
 *   delays it: no PATCH of these is refused. And a worker that decides on the policy may find that
 *   one waits for its own dependents, and unblock the owners, where `canUnblock` permits that.
 * - The owners of an owner. They queue the owner when they begin to wait, or are gone. A worker
 *   looks them up, and then deletes the owner, or does nothing. The environment queues and deletes
 *   it at any time, with each policy that can be meant (`OTHER_OWNERS`). The references themselves
 *   are left out of the piece: nothing but that worker reads them. They are patched if one of
 *   several owners is taken off, if the owner is orphaned itself, or if it unblocks its owners. The
 *   event of the PATCH changes nothing but references. If it comes after the owner is gone and its
 *   node has left the graph, the node is back until the event of the deletion. But the dependents
 *   that are still stored were queued when the node left. They are not attached to the new node:
 *   that needs an event that adds a reference, and no lost owner returns (`canRegainOwner`). So
 *   only what is gone itself is queued for such a node, and nothing is written for that. A PATCH
 *   can also make another PATCH of the owner conflict, which only delays that.
 * - An owner that is not there has other dependents. Each of their events brings its virtual node
 *   back, as for an owner that has left the graph. The collector finds that it is absent, as it
 *   would without them. With cold caches, the dependents of an owner may also be seen before or
 *   after it: the former is such an event, and the latter is no different, as nothing looks for
 *   them.
 * - Pods use a claim, until the controller that protects claims has seen them go. The environment
 *   does the same (`OTHER_USERS`). The claim of a volume is in its piece, as an owner would be; and
 *   so is the node of a pod, which pod gc, taint eviction and kubelets look at.
 *
 * A worker of the whole that looks up owners holds its item. In the piece, the item waits in the
 * queue instead if the worker will put it back, and is taken and dropped otherwise. So the run is
 * one of the piece, as far as one sees it at the subject, and at what is stored and known of its
 * owners.
 *
 * The run is also fair. A worker that is busy with something else becomes idle again and again, and
 * items are taken with strong fairness. Events ahead of an event in its stream are delivered, and
 * there are finitely many of them. The environment must do only what was shown: delete an owner
 * that begins to go on every run, remove the last dependent if all leave that owner on every run. A
 * dependent that has several owners can leave one of them and stay with another one; what is shown
 * of it says which (`Fate.always`).
 *
 * Owners in a cycle, each owned by another one, are subjects of one piece with all their
 * references: beside each other as stand-ins, each could wait for what the other one does in no run
 * of the whole. The argument takes one subject or several. It uses no order of the objects: what is
 * shown of an object is shown by what was shown before.
 *
 * Where the controller of a namespace acts as well, `meetInContainers` says why it makes no
 * difference, as long as all pods go. That of another namespace does nothing to the piece.
 *
 * If a pod of a namespace stays on every run, it is in all pieces that have the namespace. The
 * controller then never gets to other contents, nor to the end, in the piece as in the whole,
 * whatever becomes of other pods. The pod has no owners there: for the controller it makes no
 * difference whether the pod is being deleted, and that it stays was shown before.
 *
 * The controller of a definition acts in the pieces that have objects of its kind, or references of
 * a subject to one that is not there. It deletes one instance after the other; the DELETEs of
 * instances outside of the piece only delay those inside, as none of them is refused. It finds
 * instances as long as one is left anywhere. In the piece it waits instead, before it looks for
 * them: it does not look before it finds none in the whole, or, if that never happens, at any time
 * after those of the piece are gone. From then on requests for the kind find none of its objects,
 * and nothing creates one. But the collector cannot look up an owner of the kind any more, and so
 * tries for ever. In the whole it can, if instances outside of the piece are left. It does so only
 * a finite number of times, and in the piece the definition goes only then.
 *
 * A definition that has owners is in such a piece as an owner that has owners: the environment
 * deletes it if its deletion begins on every run. That is shown by a piece in which it is the
 * subject, without instances: when it begins does not depend on these. Its owners may wait for it,
 * as nothing that a controller empties is in their tree (`areContainersApart`); so they wait for its
 * instances. To them it is a dependent that leaves if it surely goes, and may stay otherwise. That
 * it goes is known once its own piece shows it and all its instances go (`KnownFates.add`).
 *
 * @param holders one pod that stays on every run, for each emptied namespace that has such pods.
 */
export function piecesOf(given: Setup, holders: readonly Uid[] = []): readonly Piece[] | null {
  const known = piecesBy(given);
  const key = holders.join(' ');
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = makePieces(given, holders);
  known.set(key, made);
  return made;
}

const piecesBy = remembered((_given: Setup) => new Map<string, readonly Piece[] | null>());

function makePieces(given: Setup, holders: readonly Uid[]): readonly Piece[] | null {
  const setup = simplified(given, holders);
  if (!canBeInPieces(setup)) return null;
  const byUid = byUidIn(setup.objects);
  // An empty one is a piece by itself, and so is one that may be deleted for its owners.
  const shared = new Set(
    [...contentsByContainer(setup)].flatMap(([uid, { length }]) =>
      length > 0 && byUid.get(uid)?.ownerReferences.length === 0 ? [uid] : [],
    ),
  );
  const colors = colorsOf(setup, true);
  const children = dependentsIn(setup.objects);
  const byKey = byKeyIn(setup.objects);
  const begun = begunIn(given);
  const maybe = new Set([...maybeDeleted(given)].map((key) => byKey.get(key)?.uid));
  const seen = new Set<string>();
  const nodesOf = ({ pod }: ApiObject) => byKey.get(objectKey('Node', '', pod?.node ?? '')) ?? [];
  return ownersFirst(setup, byUid).flatMap((subject): readonly Piece[] => {
    const color = colors.get(subject.uid) ?? '';
    if (shared.has(subject.uid) || seen.has(color)) return [];
    const subjects = cyclesIn(setup.objects).get(subject.uid) ?? [subject];
    for (const { uid } of subjects) seen.add(colors.get(uid) ?? '');
    const withOwn = (one: ApiObject) => (begun.has(one.uid) ? one : withOwners(setup, one));
    const owned = [...new Set(subjects.flatMap(withOwn))];
    const inside = [...owned, ...owned.flatMap(nodesOf)];
    const absent = subjects.flatMap(({ ownerReferences }) =>
      ownerReferences.filter(({ uid }) => !byUid.has(uid)),
    );
    const around = containersAround(setup, inside, absent);
    const holding = holdersOf(setup, around, holders).filter((pod) => !inside.includes(pod));
    const beside = [...holding, ...holding.flatMap(nodesOf)];
    const own = new Set([...inside, ...around, ...beside].map(({ uid }) => uid));
    const uids = inOrderOf(setup, [...own]).map(({ uid }) => uid);
    const above = [...new Set([...inside, ...around])].filter(
      (object) =>
        object.ownerReferences.length > 0 && (begun.has(object.uid) || !subjects.includes(object)),
    );
    const beneath = () =>
      [...uids, ...absent.map(({ uid }) => uid)].map((uid) => {
        const outside = (children.get(uid) ?? []).filter((child) => !subjects.includes(child));
        return [uid, outside] as const;
      });
    return [
      {
        subjects,
        uids,
        ownersAbove: new Map(
          above.map(({ uid, ownerReferences }) => [uid, ownerReferences.map((owner) => owner.uid)]),
        ),
        // All pieces beneath one owner have nearly all of its dependents: too many to keep them.
        get dependents() {
          return new Map(beneath().filter(([, outside]) => outside.length > 0));
        },
        users: usersOf(setup, own),
        maybe: uids.flatMap((uid, place) => (maybe.has(uid) ? place : [])),
        ...{ holders, holding: new Set(holding.map(({ uid }) => uid)) },
      },
    ];
  });
}

/** Those of these pods that are in one of these namespaces. */
function holdersOf(
  { objects }: Setup,
  containers: readonly ApiObject[],
  holders: readonly Uid[],
): readonly ApiObject[] {
  const byUid = byUidIn(objects);
  const names = containers.flatMap(({ kind, name }) => (kind === 'Namespace' ? name : []));
  return holders
    .flatMap((uid) => byUid.get(uid) ?? [])
    .filter(({ namespace }) => names.includes(namespace));
}

/**
 * With less in the place of controllers and of policies, where that is as good.
 *
 * @param holders see `piecesOf`.
 */
export function simplified(setup: Setup, holders: readonly Uid[] = []): Setup {
  const known = simpleBy(setup);
  const key = holders.join(' ');
  const found = known.get(key);
  if (found !== undefined) return found;
  const byUid = byUidIn(setup.objects);
  const holding = holders.flatMap((uid) => byUid.get(uid)?.namespace ?? []);
  const held = new Set([...holding, ...maybeEmptied(setup)]);
  const alone = withoutReplacements(withoutTeardowns(withoutStopping(setup), held));
  const made = withoutOwnersInEmptied(withPlainContainers(alone, held), held);
  known.set(key, made);
  return made;
}

const simpleBy = remembered((_setup: Setup) => new Map<string, Setup>());

function usersOf(setup: Setup, own: ReadonlySet<Uid>): Piece['users'] {
  const claimants = claimantsIn(setup.objects);
  const claims = inOrderOf(setup, [...own]).filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const found = claims.map((claim): readonly [Uid, readonly ApiObject[]] => {
    const users = (claimants.get(keyOf(claim)) ?? []).filter(usesClaim(claim));
    return [claim.uid, users.filter(({ uid }) => !own.has(uid))];
  });
  return new Map(found.filter(([, users]) => users.length > 0));
}

/** A piece as a setup of its own, beside what is around it. */
export function pieceIn(given: Setup, piece: Piece, shown: Shown): Setup {
  const { subjects, uids, ownersAbove, dependents, users, holders, holding } = piece;
  const setup = simplified(given, holders);
  const objects = inOrderOf(setup, uids).map((object) =>
    ownersAbove.has(object.uid) || holding.has(object.uid)
      ? { ...object, ownerReferences: [] }
      : object,
  );
  const part = restrictedTo(setup, objects);
  const placed = (places: readonly number[]): ReadonlySet<Uid> =>
    new Set(places.flatMap((place) => uids[place] ?? []));
  const [left, kept, waiting] = [placed(shown.left), placed(shown.kept), placed(shown.waiting)];
  const [released, used] = [placed(shown.released), placed(shown.used)];
  const unsent = placed(shown.unsent ?? []);
  const sent = objects.filter(({ uid }) => !unsent.has(uid));
  const otherUsers = objects
    .filter(({ uid }) => users.has(uid))
    .map((claim): [ObjectKey, DependentsEnd] => {
      const end = released.has(claim.uid) ? 'leave' : used.has(claim.uid) ? 'stay' : 'mayStay';
      return [keyOf(claim), end];
    });
  // Only owners that wait notice whether the last one has left. What the others do, which nothing
  // makes them do, does not change.
  const isNoticed = subjects.some((subject) => canBeForegroundBeside(setup, subject));
  const otherDependents = [...dependents].map(([uid, outside]): [Uid, OtherDependents] => {
    const end = !isNoticed ? 'stay' : left.has(uid) ? 'leave' : 'mayStay';
    const blocking = outside.filter((child) => blocks(child, uid));
    const isAnyFree = outside.length > blocking.length;
    return [
      uid,
      {
        ...(blocking.length === 0 ? {} : { blocking: kept.has(uid) ? 'stay' : end }),
        // One that stops blocking is still a dependent.
        ...(isAnyFree || blocking.some((child) => canUnblock(setup, child)) ? { free: end } : {}),
        ...(isAttached(setup, uid, outside) ? { attached: true as const } : {}),
        // Only subjects have their references here.
        ...(subjects.some((subject) => subject.uid === uid && canUnblock(setup, subject))
          ? { waiting: true as const }
          : {}),
      },
    ];
  });
  const deleted = placed(shown.deleted);
  const otherOwners = objects
    .filter(({ uid }) => deleted.has(uid))
    .map((object): [Uid, readonly Propagation[]] => {
      return [object.uid, policiesOf(setup, object, waiting.has(object.uid))];
    });
  const alone: Setup = {
    ...part,
    users: requestsAbout(setup, sent),
    ...((setup.emptiedNamespaces ?? []).length === 0 ? {} : { otherContents: true as const }),
    ...(otherDependents.length === 0
      ? {}
      : { otherDependents: Object.fromEntries(otherDependents) }),
    ...(otherUsers.length === 0 ? {} : { otherUsers: Object.fromEntries(otherUsers) }),
    // Present in every piece: what else is asked of pieces depends on it.
    otherOwners: Object.fromEntries(otherOwners),
  };
  return { ...alone, kinds: kindsOf(alone) };
}

/** Whether the object names this owner with blockOwnerDeletion. */
export function blocks({ ownerReferences }: ApiObject, owner: Uid): boolean {
  return ownerReferences.some(
    ({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true,
  );
}

/** Whether these dependents are with their owner until it is being deleted. */
function isAttached(setup: Setup, owner: Uid, outside: readonly ApiObject[]): boolean {
  return byUidIn(setup.objects).has(owner) && outside.every((child) => isUntouched(setup, child));
}

/** Whether only what happens to its owner makes a dependent leave it. */
function isUntouched(setup: Setup, child: ApiObject): boolean {
  return (
    !isAsked(setup, child) &&
    !isBeingDeleted(child) &&
    !isBesideContainer(setup, child) &&
    !isOnNode(setup, child)
  );
}

/** Whether taint eviction or pod gc may delete it for its node. */
function isOnNode({ taintEviction, podGc }: Setup, { pod }: ApiObject): boolean {
  return pod?.node !== undefined && (taintEviction === true || podGc !== undefined);
}

/**
 * The policies with which the collector can delete an object for its owners. One that is being
 * deleted from the start is not deleted again. An object keeps the finalizer `orphan` until it is
 * being deleted, unless a request takes it off; so it is never deleted in the background.
 *
 * @param waits whether it is deleted only in the foreground.
 */
function policiesOf(setup: Setup, object: ApiObject, waits: boolean): readonly Propagation[] {
  if (isBeingDeleted(object)) return [];
  if (waits) return ['Foreground'];
  const isOrphaning = object.finalizers.includes(ORPHAN) && !isAsked(setup, object);
  return [
    ...(isOrphaning ? [] : (['Background'] as const)),
    ...(canBeForegroundBeside(setup, object) ? (['Foreground'] as const) : []),
    ...(canOrphan(setup, object) ? (['Orphan'] as const) : []),
  ];
}

/** All owners come first, but for those in a cycle. */
function ownersFirst({ objects }: Setup, byUid: ReadonlyMap<Uid, ApiObject>): readonly ApiObject[] {
  return inPostOrder(objects, ({ ownerReferences }) =>
    ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []),
  );
}
