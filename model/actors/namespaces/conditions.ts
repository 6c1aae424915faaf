import type { NamespaceCondition } from '../../state/objects.ts';

/**
 * What the namespace controller writes into `status.conditions` (`status_condition_utils.go`,
 * 1.20).
 */

/** Contents left of one type; `count` as listed. */
export interface Remaining {
  readonly group: string;
  readonly resource: string;
  readonly count: number;
}

interface Standard {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** The five conditions in their order, with their text when all is well. */
const STANDARD: readonly Standard[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    type: 'NamespaceContentRemaining',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    type: 'NamespaceFinalizersRemaining',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
];

function failing(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: 'True', reason, message };
}

/** Mirrors `ProcessDiscoverResourcesErr` (1.20). */
export function discoveryFailure(error: string): NamespaceCondition {
  return failing('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', error);
}

/** Mirrors `makeDeleteContentCondition` (1.20); null without errors. */
export function contentFailure(errors: readonly string[]): NamespaceCondition | null {
  if (errors.length === 0) return null;
  return failing(
    'NamespaceDeletionContentFailure',
    'ContentDeletionFailed',
    `Failed to delete all resource types, ${errors.length} remaining: ${[...errors].sort().join(', ')}`,
  );
}

/** Mirrors `ProcessContentTotals` (1.20). */
export function contentTotals(
  remaining: readonly Remaining[],
  finalizersRemaining: Readonly<Record<string, number>>,
): readonly NamespaceCondition[] {
  const conditions: NamespaceCondition[] = [];
  if (remaining.length > 0) {
    const lines = remaining
      .filter(({ count }) => count > 0)
      .map(({ resource, group, count }) => `${resource}.${group} has ${count} resource instances`);
    conditions.push(
      failing(
        'NamespaceContentRemaining',
        'SomeResourcesRemain',
        `Some resources are remaining: ${lines.sort().join(', ')}`,
      ),
    );
  }
  const finalizers = Object.entries(finalizersRemaining);
  if (finalizers.length > 0) {
    const lines = finalizers
      .filter(([, count]) => count > 0)
      .map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
    conditions.push(
      failing(
        'NamespaceFinalizersRemaining',
        'SomeFinalizersRemain',
        `Some content in the namespace has finalizers remaining: ${lines.sort().join(', ')}`,
      ),
    );
  }
  return conditions;
}

/**
 * Mirrors `updateConditions` (1.20): each standard condition takes its new value, or its good one
 * if nothing was reported. Existing conditions keep their order, and other conditions do not
 * change.
 */
export function updateConditions(
  present: readonly NamespaceCondition[],
  reported: readonly NamespaceCondition[],
): { readonly conditions: readonly NamespaceCondition[]; readonly changed: boolean } {
  const conditions = [...present];
  let changed = false;
  for (const { type, reason, message } of STANDARD) {
    const next: NamespaceCondition = reported.find((condition) => condition.type === type) ?? {
      type,
      status: 'False',
      reason,
      message,
    };
    const index = conditions.findIndex((condition) => condition.type === type);
    const before = conditions[index];
    if (before === undefined) conditions.push(next);
    else if (sameCondition(before, next)) continue;
    else conditions[index] = next;
    changed = true;
  }
  return { conditions, changed };
}

function sameCondition(a: NamespaceCondition, b: NamespaceCondition): boolean {
  return a.status === b.status && a.message === b.message && a.reason === b.reason;
}

/** Mirrors `finalized` (1.20): nothing but `spec.finalizers` counts. */
export function isFinalized(namespace: { readonly specFinalizers?: readonly string[] }): boolean {
  return (namespace.specFinalizers ?? []).length === 0;
}
