import type { Rules } from '../rules/rules.ts';
import type { DeleteOptions } from '../state/calls.ts';
import {
  type ApiObject,
  FOREGROUND,
  NAMESPACE_TOKEN,
  type NamespacePhase,
  ORPHAN,
  thirdPartyFinalizers,
} from '../state/objects.ts';
import { validateFinalizerNames } from './validation.ts';

/** The storage of Namespaces (`registry/core/namespace/storage`, `strategy.go`, 1.20). */

export function phaseOf(namespace: ApiObject): NamespacePhase {
  return namespace.phase ?? (namespace.deletionTimestamp === null ? 'Active' : 'Terminating');
}

/**
 * Mirrors the transaction of `REST.Delete` (1.20) for a Namespace that was not in deletion yet: it
 * sets deletionTimestamp without a grace period, the phase Terminating and the collector's
 * finalizers.
 *
 * Kubernetes collects the finalizers in a map, so their new order is arbitrary. Here the others
 * keep their order and those of the collector come last. No rule reads the order.
 */
export function terminateNamespace(
  rules: Rules,
  namespace: ApiObject,
  options: DeleteOptions,
): ApiObject {
  return {
    ...namespace,
    deletionTimestamp: namespace.deletionTimestamp ?? 0,
    phase: 'Terminating',
    finalizers: namespaceFinalizers(rules, namespace.finalizers, options),
  };
}

/**
 * Mirrors `shouldHaveOrphanFinalizer` and `shouldHaveDeleteDependentsFinalizer` (1.20). Unlike the
 * generic store, `orphanDependents: false` adds `foregroundDeletion`.
 */
function namespaceFinalizers(
  rules: Rules,
  finalizers: readonly string[],
  options: DeleteOptions,
): readonly string[] {
  if (rules.namespaceDeleteFinalizers === 'untouched') return finalizers;
  const { orphanDependents, propagationPolicy } = options;
  const should = (finalizer: string, orphan: boolean, policy: string): boolean => {
    if (orphanDependents !== undefined) return orphanDependents === orphan;
    if (propagationPolicy !== undefined) return propagationPolicy === policy;
    return finalizers.includes(finalizer);
  };
  const wanted = [
    ...(should(ORPHAN, true, 'Orphan') ? [ORPHAN] : []),
    ...(should(FOREGROUND, false, 'Foreground') ? [FOREGROUND] : []),
  ];
  const present = [ORPHAN, FOREGROUND].filter((name) => finalizers.includes(name));
  if (wanted.join() === present.join()) return finalizers;
  return [...new Set(thirdPartyFinalizers({ finalizers })), ...wanted];
}

/** Mirrors `namespaceStrategy.PrepareForCreate` (1.20). */
export function prepareNamespace(namespace: ApiObject): ApiObject {
  const specFinalizers = namespace.specFinalizers ?? [];
  return {
    ...namespace,
    phase: 'Active',
    specFinalizers: specFinalizers.includes(NAMESPACE_TOKEN)
      ? specFinalizers
      : [...specFinalizers, NAMESPACE_TOKEN],
  };
}

/** The part of a Namespace that an update can change. */
export type NamespaceUpdate = 'metadata' | 'status' | 'finalize';

/**
 * Mirrors `PrepareForUpdate` of the three strategies (1.20): an ordinary update keeps
 * spec.finalizers and the status, a status update keeps the spec, and a finalize call keeps the
 * status.
 */
export function prepareNamespaceUpdate(
  part: NamespaceUpdate,
  next: ApiObject,
  stored: ApiObject,
): ApiObject {
  const { specFinalizers: nextSpec, phase: nextPhase, conditions: nextConditions, ...rest } = next;
  const specFinalizers = part === 'finalize' ? nextSpec : stored.specFinalizers;
  const phase = part === 'status' ? nextPhase : stored.phase;
  const conditions = part === 'status' ? nextConditions : stored.conditions;
  return {
    ...rest,
    ...(specFinalizers === undefined ? {} : { specFinalizers }),
    ...(phase === undefined ? {} : { phase }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/**
 * The errors of the strategy for this part (`ValidateNamespace*Update`, 1.20), except those of
 * metadata.
 */
export function validateNamespaceUpdate(part: NamespaceUpdate, next: ApiObject): readonly string[] {
  switch (part) {
    case 'metadata':
      return [];
    case 'status':
      return validateStatus(next);
    case 'finalize':
      return validateFinalizerNames(next.specFinalizers ?? [], 'standardOrPrefixed').map(
        ({ field, message }) => `spec.${field}: Invalid value: ${message}`,
      );
    default:
      throw new Error(`unknown part ${part satisfies never}`);
  }
}

/** Mirrors `ValidateNamespaceStatusUpdate` (1.20): the phase must match deletionTimestamp. */
function validateStatus(next: ApiObject): readonly string[] {
  const wanted: NamespacePhase = next.deletionTimestamp === null ? 'Active' : 'Terminating';
  if (phaseOf(next) === wanted) return [];
  const when = wanted === 'Active' ? 'is empty' : 'is not empty';
  return [
    `status.Phase: Invalid value: "${phaseOf(next)}": may only be '${wanted}' if \`deletionTimestamp\` ${when}`,
  ];
}
