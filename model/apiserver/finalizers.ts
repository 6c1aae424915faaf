import type { Rules } from '../rules/rules.ts';
import type { DeleteOptions } from '../state/calls.ts';
import type { DefaultPolicy } from '../state/kinds.ts';
import { type ApiObject, FOREGROUND, ORPHAN, thirdPartyFinalizers } from '../state/objects.ts';

export interface ChosenFinalizers {
  /** Whether the set differs from that of the object. */
  readonly changed: boolean;
  readonly finalizers: readonly string[];
}

/**
 * Mirrors `deletionFinalizersForGarbageCollection` (1.20): the finalizers that a DELETE leaves on
 * the object. Both finalizers of the collector are removed, then at most one is added at the end.
 * If the set does not change, the list keeps its order. Whether the object is already being deleted
 * does not matter.
 */
export function deletionFinalizers(
  rules: Rules,
  policy: DefaultPolicy,
  object: Pick<ApiObject, 'finalizers'>,
  options: DeleteOptions,
): ChosenFinalizers {
  const { finalizers } = object;
  if (rules.collectorFinalizers === 'disabled') return { changed: false, finalizers };
  const wanted = collectorFinalizer(rules, policy, finalizers, options);
  const kept = thirdPartyFinalizers(object);
  const chosen = wanted === null ? kept : [...kept, wanted];
  const before = new Set(finalizers);
  const after = new Set(chosen);
  if (before.size === after.size && [...after].every((name) => before.has(name))) {
    return { changed: false, finalizers };
  }
  return { changed: true, finalizers: chosen };
}

/**
 * Mirrors `shouldOrphanDependents` and `shouldDeleteDependents` (1.20), of which at most one is
 * true.
 */
function collectorFinalizer(
  rules: Rules,
  policy: DefaultPolicy,
  finalizers: readonly string[],
  options: DeleteOptions,
): string | null {
  const foreground = rules.collectorFinalizers === 'orphanOnly' ? null : FOREGROUND;
  if (policy === 'unsupported' && rules.unsupportedPolicy === 'honoured') return null;
  if (options.orphanDependents === true) return ORPHAN;
  if (options.orphanDependents === false) {
    const keeps = rules.orphanDependentsFalse === 'keepsForeground';
    return keeps && finalizers.includes(FOREGROUND) ? foreground : null;
  }
  switch (options.propagationPolicy) {
    case 'Orphan':
      return ORPHAN;
    case 'Background':
      return null;
    case 'Foreground':
      return foreground;
    case undefined:
      break;
    default:
      throw new Error(`unknown policy ${options.propagationPolicy satisfies never}`);
  }
  const present = finalizers.find((name) => name === ORPHAN || name === FOREGROUND);
  if (present === ORPHAN) return ORPHAN;
  if (present === FOREGROUND) return foreground;
  return policy === 'orphanDependents' ? ORPHAN : null;
}
