import {
  type ApiObject,
  type DependentsEnd,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  type OtherDependents,
  type Setup,
  type Uid,
  usesClaim,
} from '../../model/index.ts';
import { inPostOrder } from '../../text/orders.ts';
import { colorsOf, isEmptied, ownSignature } from './likeness/colors.ts';
import { byKeyIn, byUidIn, claimantsIn, dependentsIn, remembered } from './lookups.ts';
import { containersOf, inOrderOf, kindsOf, restrictedTo } from './parts.ts';
import { canBeForeground, canBeInPieces } from './piecemeal.ts';
import { withoutReplacements } from './replacements.ts';
import { isAsked, requestsAbout } from './requests.ts';
import { withoutTeardowns } from './teardowns.ts';

/** An object with its owners. What else has to do with these is outside of the piece. */
export interface Piece {
  /** The object that the piece is about. */
  readonly subject: Uid;
  /** The object, its owners, and the containers that all pieces have; in the order of the setup. */
  readonly uids: readonly Uid[];
  /** Owners of the object that have owners themselves, with these. */
  readonly ownersAbove: ReadonlyMap<Uid, readonly Uid[]>;
  /** Those outside of the piece that depend on an object of it, or on an owner that is not there. */
  readonly dependents: ReadonlyMap<Uid, readonly ApiObject[]>;
  /** The pods outside of the piece that use each claim of the piece. */
  readonly users: ReadonlyMap<Uid, readonly ApiObject[]>;
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
}

/**
 * The pieces of a setup, those that are alike once, owners first. Null: what is true of the pieces
 * need not be true of the whole (`canBeInPieces`).
 *
 * What is shown for all runs of a piece (`pieceIn`) is true of its objects on all runs of the whole.
 * The argument is assume-guarantee reasoning (J. Misra and K. M. Chandy, 1981), with network
 * invariants in the place of the many objects that are alike (P. Wolper and V. Lovinfosse, 1989):
 * the environment of a piece can do at least as much as the real objects around it, and assumes of
 * them only what other pieces have shown before, so no argument is circular.
 *
 * Take a fair run of the whole, and leave out of its states and steps all that concerns objects
 * outside of the piece: what is stored of them, their events, nodes, queue entries and requests, the
 * kubelets of their pods, the work on their finalizers. What is left out can do this to the piece:
 *
 * - A dependent of an object blocks its deletion, as long as the graph has the dependent. It leaves
 *   the graph, or loses its owner, and the owner is queued. An old event brings it back into the
 *   graph; if the owner has left the graph, it is brought back as a virtual node. A worker that
 *   decides on the policy for the owner finds such a dependent, or finds none. In the end they
 *   leave for good, or one stays. The environment does each of them at any time, any number of times
 *   (`OTHER_DEPENDENTS`); but not before the owner is being deleted, where nothing else makes them
 *   leave. A worker that orphans dependents also waits for the PATCH of each, which
 *   only delays it: no PATCH of these is refused.
 * - The owners of an owner. They queue the owner when they begin to wait, or are gone. A worker
 *   looks them up, and then deletes the owner, or does nothing. The environment queues and deletes it
 *   at any time, with each policy that can be meant (`OTHER_OWNERS`). The references themselves are left out of the piece: nothing but that worker
 *   reads them. A PATCH of them changes nothing that a step in the piece depends on. It can make
 *   another PATCH of the owner conflict, which only delays that.
 *
 * - An owner that is not there has other dependents. Each of their events brings its virtual node
 *   back, as for an owner that has left the graph. The collector finds that it is absent, as it would
 *   without them. With cold caches, the dependents of an owner may also be seen before or after it:
 *   the former is such an event, and the latter is no different, as nothing looks for them.
 * - Pods use a claim, until the controller that protects claims has seen them go. The environment does
 *   the same (`OTHER_USERS`). The claim of a volume is in its piece, as an owner would be.
 *
 * A worker of the whole that looks up owners holds its item. In the piece, the item waits in the
 * queue instead if the worker will put it back, and is taken and dropped otherwise. So the run is
 * one of the piece, as far as one sees it at the subject, and at what is stored and known of its
 * owners.
 *
 * The run is also fair. A worker that is busy with something else becomes idle again and again, and
 * items are taken with strong fairness. Events ahead of an event in its stream are delivered, and
 * there are finitely many of them. The environment must do only what was shown: delete an owner
 * that begins to go on every run, remove the last dependent if all leave on every run.
 *
 * Where the controller of a namespace acts as well, `meetInContainers` says why it makes no
 * difference, as long as all pods go.
 */
export const piecesOf: (given: Setup) => readonly Piece[] | null = remembered((given) => {
  const setup = simplified(given);
  if (!canBeInPieces(setup)) return null;
  const containers = new Set(
    containersOf(setup)
      .filter((object) => isEmptied(setup, object))
      .map(({ uid }) => uid),
  );
  const colors = colorsOf(setup, true);
  const children = dependentsIn(setup.objects);
  const byUid = byUidIn(setup.objects);
  const byKey = byKeyIn(setup.objects);
  const seen = new Set<string>();
  return ownersFirst(setup, byUid).flatMap((subject): readonly Piece[] => {
    const color = colors.get(subject.uid) ?? '';
    if (containers.has(subject.uid) || seen.has(color)) return [];
    seen.add(color);
    const claim = byKey.get(subject.volume?.claim ?? '');
    const owners = [
      ...subject.ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []),
      ...(claim === undefined ? [] : [claim]),
    ];
    const own = new Set([subject.uid, ...owners.map(({ uid }) => uid), ...containers]);
    const uids = inOrderOf(setup, [...own]).map(({ uid }) => uid);
    const above = owners.filter(({ ownerReferences }) => ownerReferences.length > 0);
    const absent = subject.ownerReferences.flatMap(({ uid }) => (byUid.has(uid) ? [] : [uid]));
    const around = [...uids, ...absent].map((uid) => {
      const outside = (children.get(uid) ?? []).filter((child) => child.uid !== subject.uid);
      return [uid, outside] as const;
    });
    return [
      {
        subject: subject.uid,
        uids,
        ownersAbove: new Map(
          above.map(({ uid, ownerReferences }) => [uid, ownerReferences.map((owner) => owner.uid)]),
        ),
        dependents: new Map(around.filter(([, outside]) => outside.length > 0)),
        users: usersOf(setup, own),
      },
    ];
  });
});

/** Without the controllers in whose place less is as good. */
export const simplified: (setup: Setup) => Setup = remembered((setup) =>
  withoutReplacements(withoutTeardowns(setup)),
);

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
  const setup = simplified(given);
  const { uids, ownersAbove, dependents, users } = piece;
  const objects = inOrderOf(setup, uids).map((object) =>
    ownersAbove.has(object.uid) ? { ...object, ownerReferences: [] } : object,
  );
  const part = restrictedTo(setup, objects);
  const placed = (places: readonly number[]): ReadonlySet<Uid> =>
    new Set(places.flatMap((place) => uids[place] ?? []));
  const [left, kept, waiting] = [placed(shown.left), placed(shown.kept), placed(shown.waiting)];
  const [released, used] = [placed(shown.released), placed(shown.used)];
  const otherUsers = objects
    .filter(({ uid }) => users.has(uid))
    .map((claim): [ObjectKey, DependentsEnd] => {
      const end = released.has(claim.uid) ? 'leave' : used.has(claim.uid) ? 'stay' : 'mayStay';
      return [keyOf(claim), end];
    });
  const otherDependents = [...dependents].map(([uid, outside]): [Uid, OtherDependents] => {
    const isLeft = left.has(uid);
    const end = isLeft ? 'leave' : 'mayStay';
    const blocking = outside.filter((child) => blocks(child, uid)).length;
    return [
      uid,
      {
        ...(blocking === 0 ? {} : { blocking: kept.has(uid) ? 'stay' : end }),
        ...(blocking === outside.length ? {} : { free: end }),
        ...(isAttached(setup, uid, outside) ? { attached: true as const } : {}),
      },
    ];
  });
  const policies = policiesIn(setup);
  const otherOwners = [...placed(shown.deleted)].map(
    (uid) => [uid, waiting.has(uid) ? (['Foreground'] as const) : policies] as const,
  );
  const alone: Setup = {
    ...part,
    users: requestsAbout(setup, objects),
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

/**
 * The same for pieces that differ only in names, uids and in kinds that nothing tells apart: what is
 * shown of one is true of the other, place by place.
 */
export function patternOf(piece: Setup): string {
  const { objects, kinds, ...rest } = piece;
  const placeOf = (uid: Uid): number => objects.findIndex((object) => object.uid === uid);
  const byPlace = <Value>(record: Readonly<Record<Uid, Value>> = {}): unknown =>
    Object.entries(record).map(([uid, value]) => [placeOf(uid), value]);
  const named = new Set(objects.flatMap(({ finalizers }) => finalizers));
  return JSON.stringify([
    objects.map((object) => [
      ownSignature(object, kinds),
      // Each kind has a watch stream of its own.
      objects.findIndex(({ kind }) => kind === object.kind),
      object.ownerReferences.map(({ uid, apiVersion, kind, blockOwnerDeletion, controller }) => [
        ...[placeOf(uid), blockOwnerDeletion ?? null, controller ?? null],
        // What is not there may have a name that nothing is served under.
        ...(placeOf(uid) < 0 ? [apiVersion, kind] : []),
      ]),
      // Claims and pods that use them, volumes and their claims.
      objects.flatMap((claim, place) =>
        usesClaim(claim)(object) || object.volume?.claim === keyOf(claim) ? [place] : [],
      ),
    ]),
    // A user sends its requests in their order; the names of users do not matter.
    Object.values(rest.users).map((steps) =>
      steps.map(({ request }) =>
        'key' in request
          ? [objects.findIndex((object) => keyOf(object) === request.key), { ...request, key: '' }]
          : request,
      ),
    ),
    Object.entries(rest.finalizers).filter(([finalizer]) => named.has(finalizer)),
    byPlace(rest.otherDependents),
    byPlace(rest.otherOwners),
    objects.map((object) => rest.otherUsers?.[keyOf(object)] ?? null),
    // The controller of a namespace goes through the kinds in their order.
    (rest.emptiedNamespaces ?? []).length === 0 ? null : objects.map(({ kind }) => kind),
  ]);
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
  const isEmptying = (setup.emptiedNamespaces ?? []).length > 0;
  return !isAsked(setup, child) && !isBeingDeleted(child) && !isEmptying;
}

/** The policies with which the collector can delete an object of the setup for its owners. */
const policiesIn = remembered((setup: Setup): readonly ('Foreground' | 'Background')[] =>
  canBeForeground(setup) ? ['Background', 'Foreground'] : ['Background'],
);

/** There are no cycles. */
function ownersFirst({ objects }: Setup, byUid: ReadonlyMap<Uid, ApiObject>): readonly ApiObject[] {
  return inPostOrder(objects, ({ ownerReferences }) =>
    ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []),
  );
}
