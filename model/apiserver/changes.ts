import { type ApiObject, keyOf, type OwnerReference } from '../objects.ts';
import type { Change } from './call.ts';
import { NAMESPACE_TOKEN } from './namespace.ts';
import { mergeReferences } from './strategic-merge.ts';

/** The object that an update or patch asks for, given the stored one. */
export function applyChange(object: ApiObject, change: Change): ApiObject {
  switch (change.do) {
    case 'nothing':
    case 'touch':
      return object;
    case 'setMetadata':
      return withMetadata(object, change);
    case 'setFinalizers':
      return { ...object, finalizers: [...change.finalizers] };
    case 'removeFinalizer':
      return {
        ...object,
        finalizers: object.finalizers.filter((name) => name !== change.finalizer),
      };
    case 'addFinalizer':
      if (object.finalizers.includes(change.finalizer)) return object;
      return { ...object, finalizers: [...object.finalizers, change.finalizer] };
    case 'setOwnerReferences':
      return {
        ...object,
        ownerReferences: change.ownerReferences.map((reference) => ({ ...reference })),
      };
    case 'removeOwners':
      return {
        ...object,
        ownerReferences: object.ownerReferences.filter(({ uid }) => !change.uids.includes(uid)),
      };
    case 'unblockOwners':
      return {
        ...object,
        ownerReferences: mergeReferences(object.ownerReferences, change.ownerReferences),
      };
    case 'observeGeneration':
      return {
        ...object,
        observedGeneration: Math.max(object.observedGeneration ?? 0, change.generation),
      };
    case 'finalizeNamespace':
      return { ...object, specFinalizers: specFinalizersAfter(object, change.specFinalizers) };
    case 'setNamespaceStatus':
      return {
        ...object,
        phase: change.phase,
        conditions: change.conditions.map((condition) => ({ ...condition })),
      };
    default:
      throw new Error(
        `unknown change to ${keyOf(object)}: ${JSON.stringify(change satisfies never)}`,
      );
  }
}

/** Kinds that keep a generation count the changes of their spec (`PrepareForUpdate` of the strategies). */
function withMetadata(
  object: ApiObject,
  { finalizers, ownerReferences, other }: Extract<Change, { do: 'setMetadata' }>,
): ApiObject {
  const bumped = other === 'spec' && object.generation > 0;
  return {
    ...object,
    ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
    ...(ownerReferences === undefined
      ? {}
      : { ownerReferences: ownerReferences.map((reference) => ({ ...reference })) }),
    ...(bumped ? { generation: object.generation + 1 } : {}),
  };
}

/** Whether the change writes something that the model does not keep. */
export function changesMore(change: Change): boolean {
  return change.do === 'touch' || (change.do === 'setMetadata' && change.other !== 'same');
}

/** Mirrors `namespacedResourcesDeleter.finalizeNamespace` (1.20): the rest as a sorted set. */
function specFinalizersAfter(
  namespace: ApiObject,
  asked: readonly string[] | undefined,
): readonly string[] {
  if (asked !== undefined) return [...asked];
  const rest = (namespace.specFinalizers ?? []).filter((name) => name !== NAMESPACE_TOKEN);
  return [...new Set(rest)].sort();
}

/**
 * Mirrors `dedupOwnerReferences` (1.20): references that are equal in every field count once; two
 * that share no more than the uid are both kept.
 */
export function withoutDuplicateOwners(
  references: readonly OwnerReference[],
): readonly OwnerReference[] {
  const seen = new Set<string>();
  return references.filter((reference) => {
    const text = JSON.stringify([
      reference.apiVersion,
      reference.kind,
      reference.name,
      reference.uid,
      reference.controller ?? null,
      reference.blockOwnerDeletion ?? null,
    ]);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
