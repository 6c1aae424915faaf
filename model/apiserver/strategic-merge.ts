import type { OwnerReference } from '../state/objects.ts';
import { inPatchOrder } from './list-order.ts';

/**
 * The strategic merge patch of a list of owner references, whose merge key is the uid. Mirrors
 * `mergeSlice` of `strategicpatch/patch.go` (1.20): the first live reference with the uid takes
 * over the fields of the patch, and a missing reference is added. References of the patch keep the
 * order of the patch, and the others keep the live order. Live references of both groups stay
 * interleaved as they were.
 */
export function mergeReferences(
  live: readonly OwnerReference[],
  patch: readonly OwnerReference[],
): readonly OwnerReference[] {
  const merged: OwnerReference[] = live.map((reference) => ({ ...reference }));
  for (const reference of patch) {
    const index = merged.findIndex(({ uid }) => uid === reference.uid);
    const found = merged[index];
    if (found === undefined) merged.push({ ...reference });
    else merged[index] = { ...found, ...reference };
  }
  return inPatchOrder(
    merged,
    patch.map(({ uid }) => uid),
    live,
    ({ uid }) => uid,
  );
}
