import {
  type ApiObject,
  type ClaimRetention,
  controllerReference,
  isBeingDeleted,
  isInRange,
  type KindTable,
  keyOf,
  podReference,
  retainedReferences,
} from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import { byKindIn, dependentsIn } from './lookups.ts';
import type { Observation, WorkloadObservation } from './observations.ts';

/** The claims that a StatefulSet has made for its pods, in a dump. */
export interface SetClaims {
  readonly claims: readonly ApiObject[];
  readonly retention: ClaimRetention;
  /** `spec.replicas`. */
  readonly replicas: number;
  /** Those whose owner references its controller still changes, and what they are to have. */
  readonly changing: readonly { readonly claim: ApiObject; readonly gains: boolean }[];
  /** Claims of pods that are not there: the controller never touches them. */
  readonly withoutPod: readonly ApiObject[];
}

/** The claims of the pods beneath an object, however deep. */
export function claimsOfPodsBeneath(
  object: ApiObject,
  all: readonly ApiObject[],
): readonly ApiObject[] {
  const dependents = dependentsIn(all);
  const found = new Set([object]);
  for (const one of found) {
    for (const other of dependents.get(one.uid) ?? []) found.add(other);
  }
  const names = new Set(
    [...found].flatMap(({ namespace, pod }) =>
      (pod?.claims ?? []).map((claim) => `${namespace}/${claim}`),
    ),
  );
  return (byKindIn(all).get('PersistentVolumeClaim') ?? []).filter(({ namespace, name }) =>
    names.has(`${namespace}/${name}`),
  );
}

/** Null: not a StatefulSet, or none of its claims is in the dump. */
export function claimsOfSet(
  set: ApiObject,
  all: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
  kinds: KindTable,
): SetClaims | null {
  const observed = observations.get(keyOf(set));
  if (set.kind !== 'StatefulSet.apps' || observed?.of !== 'workload') return null;
  const { namespace, name } = set;
  const claims = (byKindIn(all).get('PersistentVolumeClaim') ?? []).filter(
    (claim) => claim.namespace === namespace && isMadeFor(claim.name, name, observed),
  );
  if (claims.length === 0) return null;
  const pods = (dependentsIn(all).get(set.uid) ?? []).filter(
    (object) =>
      object.kind === 'Pod' &&
      object.namespace === namespace &&
      object.ownerReferences.some(({ uid, controller }) => controller && uid === set.uid),
  );
  const byEnding = groupedBy(
    claims.flatMap((claim) => endingsOf(claim.name).map((ending) => ({ claim, ending }))),
    ({ ending }) => ending,
  );
  const ofPod = (pod: ApiObject): readonly ApiObject[] =>
    (byEnding.get(pod.name) ?? []).map(({ claim }) => claim);
  const { whenDeleted, whenScaled, firstOrdinal, replicas } = observed;
  const retention: ClaimRetention = {
    ...{ whenDeleted, whenScaled, firstOrdinal },
    ofPods: Object.fromEntries(pods.map((pod) => [keyOf(pod), ofPod(pod).map(keyOf)])),
  };
  const parent = { key: keyOf(set), uid: set.uid };
  const changing = isBeingDeleted(set)
    ? []
    : pods.flatMap((pod) => {
        const inRange = isInRange(retention, keyOf(pod), replicas);
        if (isBeingDeleted(pod) && inRange) return [];
        const holder = {
          retention,
          rules: { claimRetention: 'ownerReferences' as const },
          set: controllerReference({ kinds }, parent),
          pod: podReference({ key: keyOf(pod), uid: pod.uid }),
          inRange,
        };
        return ofPod(pod).flatMap((claim) => {
          const has = claim.ownerReferences.map(({ uid }) => uid);
          const wants = retainedReferences(holder, claim.ownerReferences).map(({ uid }) => uid);
          const gains = wants.some((uid) => !has.includes(uid));
          const loses = has.some((uid) => !wants.includes(uid));
          return gains || loses ? [{ claim, gains }] : [];
        });
      });
  const held = new Set(pods.flatMap(ofPod));
  const withoutPod = claims.filter((claim) => !held.has(claim));
  return { claims, retention, replicas, changing, withoutPod };
}

/** What is behind each hyphen. */
function endingsOf(name: string): readonly string[] {
  return name
    .split('-')
    .flatMap((_, place, words) => (place === 0 ? [] : words.slice(place).join('-')));
}

/** `getPersistentVolumeClaimName`: TEMPLATE-SET-ORDINAL. */
function isMadeFor(claim: string, set: string, { claimTemplates }: WorkloadObservation): boolean {
  return claimTemplates.some((template) => {
    const start = `${template}-${set}-`;
    return claim.startsWith(start) && /^\d+$/.test(claim.slice(start.length));
  });
}
