import {
  type ApiObject,
  CLAIM_FINALIZER,
  isBeingDeleted,
  type KindTable,
  keyOf,
  type ObjectKey,
  VOLUME_FINALIZER,
} from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Requested } from '../cel/requests.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { type Links, TEARING_DOWN } from '../links.ts';
import { byKeyIn, byUidIn, dependentsIn, placesIn, remembered } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import { type ClaimsDeleted, claimsDeletedBy } from '../operating/claims.ts';
import { uninstallOf } from '../operating/definitions.ts';
import { idleOnceGone } from '../operating/flux.ts';
import type { Tracking } from '../operators.ts';

/** What the model leaves out, and what can make the fate of an object another one. */
export interface Doubt {
  /** The object that it is about. */
  readonly object: ObjectKey;
  /**
   * - admission: a DELETE of the object may be refused.
   * - refusal: a DELETE that a controller sends is refused.
   * - update: a PATCH of it may be refused, such as remedies send.
   * - controller: a controller may delete the object although it stays in the model.
   * - release: a controller may keep the object although it goes in the model.
   * - operator: the operator of the object may wait for ever before it lets it go.
   * - protection: the object may go although it is in use.
   * - kubelet: a kubelet may not end the pod.
   */
  readonly by:
    | 'admission'
    | 'refusal'
    | 'update'
    | 'controller'
    | 'release'
    | 'operator'
    | 'protection'
    | 'kubelet';
  /** One clause. */
  readonly why: string;
  /** A command that asks, if a dry run of the DELETE does not. */
  readonly settle?: string;
  /** It is about a request before which all has gone that is in the object, or beneath it. */
  readonly atEnd?: true;
}

const PROTECTION: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: CLAIM_FINALIZER,
  PersistentVolume: VOLUME_FINALIZER,
};

/**
 * The finalizer that storage protection gives to this object, where nothing else holds it; null:
 * none.
 */
function lackingProtection(object: ApiObject): string | null {
  if (isBeingDeleted(object) || object.finalizers.length > 0) return null;
  return PROTECTION[object.kind] ?? null;
}

/**
 * The object with the finalizer of storage protection. Its controllers give it to each claim and
 * volume within moments, so a DELETE between is no question that anybody has: `unprotectedIn` tells
 * of it.
 */
export function withProtection(object: ApiObject): ApiObject {
  const finalizer = lackingProtection(object);
  return finalizer === null ? object : { ...object, finalizers: [finalizer] };
}

/** The claims and volumes that go although they are in use, if nothing protects them by then. */
export function unprotectedIn(objects: readonly ApiObject[]): readonly Doubt[] {
  return objects.flatMap((object): readonly Doubt[] => {
    const finalizer = lackingProtection(object);
    if (finalizer === null) return [];
    const why = `${displayName(object)} lacks ${finalizer}: it goes at once, although it is in use, unless that is added first`;
    return [{ object: keyOf(object), by: 'protection', why }];
  });
}

/** What the operator of an object that goes may delete, although nothing in the model does. */
export function tornDownIn(
  kept: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  { tornDownWith, followedBy }: Links,
): readonly Doubt[] {
  const here = new Set(kept);
  const following = kept.filter(goes).flatMap((object) => {
    const all = followedBy(object);
    const found = all.filter((one) => here.has(one.object));
    const others = all.length - found.length;
    const more =
      others === 0 ? '' : `, as ${plural(others, 'more object')} that the answer leaves out`;
    return found.flatMap((one) => {
      const why = `${one.tool}, if it runs, deletes it with ${displayName(object)}${more}`;
      return withAllBeneath([one.object], kept, why);
    });
  });
  const torn = kept.filter(goes).flatMap((object): readonly Doubt[] => {
    const [name, found] = [displayName(object), tornDownWith(object)];
    const uninstall = uninstallOf(object, name);
    if (uninstall === null) {
      const why = `${TEARING_DOWN[object.kind]}, unless its configuration says otherwise, deletes what it has made for ${name}`;
      return withAllBeneath(found, kept, why);
    }
    const { operator, why } = uninstall;
    // What holds one of them holds the object itself. Of those that it owns, the model knows.
    const held = found.find(
      ({ finalizers, ownerReferences }) =>
        finalizers.length > 0 && !ownerReferences.some(({ uid }) => uid === object.uid),
    );
    const waits = `hangs if ${held === undefined ? '' : displayName(held)}, which ${operator} deletes first, does not go`;
    return [
      ...withAllBeneath(found, kept, why),
      ...(held === undefined
        ? []
        : [{ object: keyOf(object), by: 'operator', why: waits } as const]),
    ];
  });
  return [...torn, ...following, ...machinesDeletedIn(kept, goes)];
}

/** What a controller may do to these objects, and so to what they own. */
function withAllBeneath(
  objects: readonly ApiObject[],
  kept: readonly ApiObject[],
  why: string,
): readonly Doubt[] {
  return objects
    .flatMap((one) => [one, ...beneath(one, kept)])
    .map((one): Doubt => ({ object: keyOf(one), by: 'controller', why }));
}

/**
 * The claims without an owner that the owner of a finalizer deletes beneath an object that goes. Of
 * a finalizer that nobody knows, the owner may: many operators of databases have such a finalizer.
 */
export function claimsDeletedIn(
  kept: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  { waitedFor }: Links,
  table: readonly KnownFinalizer[],
  kinds: KindTable,
): readonly Doubt[] {
  const claims = new Map<string, ApiObject>(
    kept.flatMap((one) => (one.kind === 'PersistentVolumeClaim' ? [[keyOf(one), one]] : [])),
  );
  if (claims.size === 0) return [];
  return kept.filter(goes).flatMap((object) => {
    const deleted = claimsDeletedBy(object, table, kinds);
    if (deleted === null) return [];
    const why = claimsWords(deleted, `the claims of ${displayName(object)} with their data`);
    const found = beneath(object, kept).flatMap((one) => [
      ...(one.kind === 'StatefulSet.apps' ? waitedFor(one) : []).filter(
        ({ kind }) => kind === 'PersistentVolumeClaim',
      ),
      ...(one.pod?.claims ?? []).flatMap(
        (name) => claims.get(`PersistentVolumeClaim/${one.namespace}/${name}`) ?? [],
      ),
    ]);
    return [...new Set(found)]
      .filter((claim) => !goes(claim))
      .map((claim): Doubt => ({ object: keyOf(claim), by: 'controller', why }));
  });
}

/** @param claims those of an object, in words. */
function claimsWords({ finalizer, known }: ClaimsDeleted, claims: string): string {
  return known === null
    ? `the owner of ${finalizer} may delete ${claims}: nothing is known of it`
    : `${known.owner} deletes ${claims}, unless it is told otherwise`;
}

const TERMINATION = 'karpenter.sh/termination';

/**
 * The NodeClaim that owns a node, which Karpenter deletes with it (`finalize` of its termination).
 */
function machinesDeletedIn(
  kept: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
): readonly Doubt[] {
  const owners = byUidIn(kept);
  return kept.filter(goes).flatMap((node): readonly Doubt[] => {
    if (node.kind !== 'Node' || !node.finalizers.includes(TERMINATION)) return [];
    const claims = node.ownerReferences.flatMap(({ uid }) => owners.get(uid) ?? []);
    return claims
      .filter((claim) => claim.kind === 'NodeClaim.karpenter.sh' && !goes(claim))
      .map((claim) => {
        const why = `Karpenter deletes ${displayName(claim)} and its machine with ${displayName(node)}`;
        return { object: keyOf(claim), by: 'controller', why };
      });
  });
}

/** What Flux may leave, as something without which it deletes nothing may go first. */
export function abandonedIn(
  kept: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  { trackedBy }: Links,
  observations: ReadonlyMap<string, Observation>,
  all: readonly ApiObject[],
): readonly Doubt[] {
  return kept.filter(goes).flatMap((object) => {
    const idle = idleOnceGone(object, all, observations, goes);
    if (idle === null) return [];
    const why = `goes with ${displayName(object)}, unless that leaves it: ${idle}`;
    return withAllBeneath(trackedBy(object), kept, why);
  });
}

/** The Applications of a set that goes, if its controller takes their owner references off. */
export function releasedIn(
  kept: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  observations: ReadonlyMap<string, Observation>,
  tracking: readonly Tracking[],
  requested: Requested,
): readonly Doubt[] {
  return kept.filter(goes).flatMap((set) => {
    const releases = observations.get(keyOf(set))?.marks?.find(({ mark }) => mark === 'releases');
    const policy = requested.get(keyOf(set));
    // Without a finalizer it is gone at once, and its controller sees no deletion.
    const isSeen = set.finalizers.length > 0 || policy === 'Foreground';
    if (releases?.mark !== 'releases' || !isSeen) return [];
    const why = `stays if the Argo CD ApplicationSet controller, unless its own --policy says otherwise, takes the owner references to ${displayName(set)} off first (${releases.by})`;
    return beneath(set, kept, tracking)
      .filter((one) => !requested.has(keyOf(one)))
      .map((one): Doubt => ({ object: keyOf(one), by: 'release', why }));
  });
}

/** What an object owns, directly or through others, and what their operators delete with them. */
export function beneath(
  object: ApiObject,
  objects: readonly ApiObject[],
  tracking: readonly Tracking[] = [],
): readonly ApiObject[] {
  const [byKey, places] = [byKeyIn(objects), placesIn(objects)];
  const placeOf = ({ uid }: ApiObject): number => places.get(uid) ?? 0;
  const found = new Set([object]);
  for (const one of found) {
    const tracked = (trackedIn(tracking).get(keyOf(one)) ?? []).flatMap((entry) =>
      entry.tracked.flatMap((key) => byKey.get(key) ?? []),
    );
    const next = [...(dependentsIn(objects).get(one.uid) ?? []), ...tracked];
    for (const other of next.sort((a, b) => placeOf(a) - placeOf(b))) found.add(other);
  }
  return [...found].filter((one) => one !== object);
}

const trackedIn = remembered((tracking: readonly Tracking[]) =>
  groupedBy(tracking, (entry): string => entry.object),
);
