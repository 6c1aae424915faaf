import type { Rules } from '../../rules/rules.ts';
import { equalJson } from '../../state/equal.ts';
import {
  type ApiObject,
  keyOf,
  type ObjectKey,
  type OwnerReference,
  type Uid,
} from '../../state/objects.ts';
import type { ClaimRetention, Workload } from '../../state/setup.ts';
import { controllerReference, podReference } from '../../state/workloads.ts';
import type { Look, Task } from './plan.ts';

/**
 * The owner references that the StatefulSet controller keeps on the claims of its pods
 * (`persistentVolumeClaimRetentionPolicy`, on by default since 1.27):
 * `StatefulPodControl.UpdatePodClaimForRetentionPolicy`. The references decide what the collector
 * does to the claims. Without its pod, a claim is never touched.
 */

/** What decides which references a claim is to have. */
interface Holder {
  readonly retention: ClaimRetention;
  readonly rules: Pick<Rules, 'claimRetention'>;
  /** As the claim refers to the StatefulSet and to the pod, if it does. */
  readonly set: OwnerReference;
  readonly pod: OwnerReference;
  /** Whether the ordinal of the pod is one that the set wants. */
  readonly inRange: boolean;
}

/** The updates of the claims of a pod that do not have the references that they are to have. */
export function claimTasks(
  workload: Workload,
  pod: ApiObject,
  replicas: number,
  { rules, look, kinds }: { readonly rules: Rules; readonly look: Look } & Pick<Setups, 'kinds'>,
): readonly Task[] {
  const { claims: retention, parent } = workload;
  if (retention === undefined || rules.claimRetention === 'none') return [];
  const holder: Holder = {
    retention,
    rules,
    set: controllerReference({ kinds }, parent),
    pod: podReference({ key: keyOf(pod), uid: pod.uid }),
    inRange: isInRange(retention, keyOf(pod), replicas),
  };
  return (retention.ofPods[keyOf(pod)] ?? []).flatMap((key): readonly Task[] => {
    const claim = look(key);
    if (claim === null) return [];
    const ownerReferences = retainedReferences(holder, claim.ownerReferences);
    if (equalJson(ownerReferences, claim.ownerReferences)) return [];
    return [{ do: 'setOwners', key, uid: claim.uid, seen: claim, ownerReferences }];
  });
}

type Setups = Parameters<typeof controllerReference>[0];

/** Mirrors `podInOrdinalRange`. */
export function isInRange(
  { firstOrdinal }: Pick<ClaimRetention, 'firstOrdinal'>,
  pod: ObjectKey,
  replicas: number,
): boolean {
  const ordinal = Number(/-(\d+)$/.exec(pod)?.[1] ?? Number.NaN);
  return ordinal >= firstOrdinal && ordinal < firstOrdinal + replicas;
}

/** The references that the controller wants the claim to have, given those that it has. */
export function retainedReferences(
  holder: Holder,
  references: readonly OwnerReference[],
): readonly OwnerReference[] {
  return holder.rules.claimRetention === 'controllerReferences'
    ? asController(holder, references)
    : asOwner(holder, references);
}

/** The one of the two that is to own the claim; null: neither. */
function wanted({ retention, inRange, set, pod }: Holder): OwnerReference | null {
  if (retention.whenScaled === 'Delete' && !inRange) return pod;
  return retention.whenDeleted === 'Delete' ? set : null;
}

/** Mirrors `updateClaimOwnerRefForSetAndPod` (1.27): references by uid, none of a controller. */
function asOwner(holder: Holder, references: readonly OwnerReference[]): readonly OwnerReference[] {
  const owner = wanted(holder);
  const { set, pod } = holder;
  const kept = references.filter(
    ({ uid }) => uid === owner?.uid || (uid !== set.uid && uid !== pod.uid),
  );
  if (owner === null || kept.some(({ uid }) => uid === owner.uid)) return kept;
  const { apiVersion, kind, name, uid } = owner;
  return [...kept, { apiVersion, kind, name, uid }];
}

/**
 * Mirrors `isClaimOwnerUpToDate` and `updateClaimOwnerRefForSetAndPod` (1.31): the set or the pod
 * becomes the controller of the claim. A claim that an earlier set or pod of the name owns is left
 * alone, and one that another controller has gets no reference.
 */
function asController(
  holder: Holder,
  references: readonly OwnerReference[],
): readonly OwnerReference[] {
  const { set, pod } = holder;
  const own = (uid: Uid): boolean => uid === set.uid || uid === pod.uid;
  const named = (reference: OwnerReference): boolean =>
    isSamePlace(reference, set) || isSamePlace(reference, pod);
  if (references.some((reference) => named(reference) && !own(reference.uid))) return references;
  const others = references.filter((reference) => !named(reference));
  const isTaken =
    (holder.retention.whenDeleted === 'Delete' || holder.retention.whenScaled === 'Delete') &&
    others.some(({ controller }) => controller === true);
  const owner = isTaken ? null : wanted(holder);
  const has = references.filter(({ uid }) => own(uid));
  const isUpToDate =
    has.length === (owner === null ? 0 : 1) &&
    has.every(({ uid, controller }) => uid === owner?.uid && controller === true);
  if (isUpToDate) return references;
  return owner === null ? others : [...others, owner];
}

function isSamePlace(
  { apiVersion, kind, name }: OwnerReference,
  other: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>,
): boolean {
  return apiVersion === other.apiVersion && kind === other.kind && name === other.name;
}

/**
 * Mirrors `PodClaimIsStale`: while a claim that goes with its pod names an earlier pod, no other
 * pod is made.
 */
export function isClaimStale({ claims }: Workload, pod: ObjectKey, look: Look): boolean {
  if (claims?.whenScaled !== 'Delete') return false;
  const name = pod.slice(pod.lastIndexOf('/') + 1);
  return (claims.ofPods[pod] ?? []).some((key) =>
    look(key)?.ownerReferences.some(
      (reference) => reference.kind === 'Pod' && reference.name === name,
    ),
  );
}
