import { type ApiObject, type Kind, type OwnerReference, phaseOf } from '../../../model/index.ts';
import type { SeenObject } from '../logs/observations.ts';
import type { Written } from './initial-objects.ts';

/** A field in which the model and the log differ. Values are JSON. */
export interface Difference {
  readonly field: string;
  readonly seen: unknown;
  readonly model: unknown;
}

/**
 * Why a step of the model does not fit the log. The verdict shows the misfits of the furthest
 * point.
 */
export interface Misfit {
  /** Number of changes in the store that had been explained. */
  readonly changes: number;
  /** Index of the request; null if the misfit is not about a request. */
  readonly request: number | null;
  readonly what: 'change' | 'answer' | 'collector';
  readonly sentence: string;
  readonly difference: Difference | null;
}

/** The first field in which the object of the log differs from the model's object, or null. */
export function difference(kind: Kind, seen: SeenObject, object: ApiObject): Difference | null {
  const differ = (field: string, a: unknown, b: unknown): Difference | null =>
    JSON.stringify(a) === JSON.stringify(b) ? null : { field, seen: a, model: b };
  return (
    differ('metadata.uid', seen.uid, object.uid) ??
    differ('metadata.finalizers', seen.finalizers, object.finalizers) ??
    differ(
      'metadata.ownerReferences',
      seen.ownerReferences.map(plainReference),
      object.ownerReferences.map(plainReference),
    ) ??
    differ(
      'metadata.deletionTimestamp',
      seen.deletionTimestamp !== null,
      object.deletionTimestamp !== null,
    ) ??
    differ(
      'metadata.deletionGracePeriodSeconds',
      seen.deletionGracePeriodSeconds,
      object.deletionGracePeriodSeconds,
    ) ??
    (kind.generation && seen.generation !== null
      ? differ('metadata.generation', seen.generation, object.generation)
      : null) ??
    (kind.storage === 'namespace' ? namespaceDifference(seen, object) : null)
  );
}

/** Whether the log shows the stored version of an object elsewhere with other fields of its own. */
export function writtenDifference(
  seen: SeenObject,
  written: Written | undefined,
): Difference | null {
  const { version = null, deletionTimestamp = null } = written ?? {};
  if (seen.resourceVersion !== null && version !== null && seen.resourceVersion !== version) {
    return { field: 'metadata.resourceVersion', seen: seen.resourceVersion, model: version };
  }
  if (timesAgree(seen.deletionTimestamp, deletionTimestamp)) return null;
  return {
    field: 'metadata.deletionTimestamp',
    seen: seen.deletionTimestamp,
    model: deletionTimestamp,
  };
}

/** Whether two texts of a deletionTimestamp can be of one version. Null: not known. */
function timesAgree(one: string | null, other: string | null): boolean {
  return one === null || other === null || Date.parse(one) === Date.parse(other);
}

function namespaceDifference(seen: SeenObject, object: ApiObject): Difference | null {
  if (seen.phase !== null && seen.phase !== phaseOf(object)) {
    return { field: 'status.phase', seen: seen.phase, model: phaseOf(object) };
  }
  const { specFinalizers } = seen;
  if (specFinalizers === null) return null;
  if (specFinalizers.join() === (object.specFinalizers ?? []).join()) return null;
  return { field: 'spec.finalizers', seen: specFinalizers, model: object.specFinalizers ?? [] };
}

/** The reference as a list of fields in a fixed order. Unset and absent flags are equal. */
export function plainReference(reference: OwnerReference): readonly unknown[] {
  return [
    reference.apiVersion,
    reference.kind,
    reference.name,
    reference.uid,
    reference.controller ?? null,
    reference.blockOwnerDeletion ?? null,
  ];
}

export function sameReferences(
  a: readonly OwnerReference[],
  b: readonly OwnerReference[],
): boolean {
  return JSON.stringify(a.map(plainReference)) === JSON.stringify(b.map(plainReference));
}

/**
 * Compares how deletionTimestamp moved. The model's clock counts seconds from its own start, so
 * only differences can be compared, and only if both sides had a timestamp before. A timestamp set
 * to "now" can be any.
 */
export function timestampDifference(
  seenBefore: string | null,
  seen: string | null,
  before: ApiObject | undefined,
  object: ApiObject,
): Difference | null {
  const from = before?.deletionTimestamp ?? null;
  const to = object.deletionTimestamp;
  if (seenBefore === null || seen === null || from === null || to === null) return null;
  const moved = (Date.parse(seen) - Date.parse(seenBefore)) / 1000;
  if (from === to ? moved === 0 : moved <= 0) return null;
  return { field: 'metadata.deletionTimestamp', seen: moved, model: to - from };
}
