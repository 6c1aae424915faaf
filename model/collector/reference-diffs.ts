import type { OwnerReference } from '../state/objects.ts';

/** What an event changes in the owner references of a node (`graph_builder.go`, 1.20). */

export interface ChangedReference {
  readonly before: OwnerReference;
  readonly after: OwnerReference;
}

/**
 * Mirrors `referencesDiffs`, which compares by uid. A reference that differs in other fields counts
 * as changed.
 */
export function referencesDiffs(
  before: readonly OwnerReference[],
  after: readonly OwnerReference[],
): {
  readonly added: readonly OwnerReference[];
  readonly removed: readonly OwnerReference[];
  readonly changed: readonly ChangedReference[];
} {
  const left = new Map(before.map((reference) => [reference.uid, reference]));
  const added: OwnerReference[] = [];
  const changed: ChangedReference[] = [];
  for (const reference of after) {
    const known = left.get(reference.uid);
    if (known === undefined) added.push(reference);
    else if (!sameReference(known, reference)) changed.push({ before: known, after: reference });
    // A second reference to the same uid counts as added, as it does upstream.
    left.delete(reference.uid);
  }
  const removed = [...left.values()];
  return { added, removed, changed };
}

function sameReference(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}
