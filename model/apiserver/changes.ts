import type { Change } from '../state/calls.ts';
import {
  type ApiObject,
  keyOf,
  type OwnerReference,
  otherSpecFinalizers,
} from '../state/objects.ts';
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
    case 'adopt':
      return {
        ...object,
        ownerReferences: mergeReferences(object.ownerReferences, [change.reference]),
      };
    case 'relabel':
      return relabelled(object, change.matches);
    case 'scale': {
      const bumped = object.generation > 0 && object.replicas !== change.replicas;
      const generation = object.generation + (bumped ? 1 : 0);
      return { ...object, replicas: change.replicas, generation };
    }
    case 'observeGeneration':
      return {
        ...object,
        observedGeneration: Math.max(object.observedGeneration ?? 0, change.generation),
      };
    case 'finishPod':
      return object.pod === undefined
        ? object
        : { ...object, pod: { ...object.pod, finished: true } };
    case 'releaseVolume':
      return object.volume === undefined
        ? object
        : { ...object, volume: { ...object.volume, bound: false } };
    case 'initialize':
      return initialized(object, change);
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

/**
 * Kinds with a generation count the changes of their spec (`PrepareForUpdate` of the strategies).
 */
function withMetadata(
  object: ApiObject,
  change: Extract<Change, { do: 'setMetadata' }>,
): ApiObject {
  const { finalizers, ownerReferences, other } = change;
  const { deletionTimestamp, deletionGracePeriodSeconds, pod, volume } = change;
  const { observedGeneration } = change;
  const bumped = other === 'spec' && object.generation > 0;
  return {
    ...object,
    ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
    ...(ownerReferences === undefined
      ? {}
      : { ownerReferences: ownerReferences.map((reference) => ({ ...reference })) }),
    ...(bumped ? { generation: object.generation + 1 } : {}),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    ...(pod === undefined ? {} : { pod }),
    ...(volume === undefined ? {} : { volume }),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
}

function relabelled(object: ApiObject, matches: boolean): ApiObject {
  const { otherLabels: _, ...rest } = object;
  return matches ? rest : { ...rest, otherLabels: true };
}

/**
 * `metav1.Initializers` (1.7): the whole struct is removed once the last pending initializer has
 * removed itself without a failure.
 */
function initialized(
  object: ApiObject,
  { initializer, failed }: Extract<Change, { do: 'initialize' }>,
): ApiObject {
  const { initializers, ...rest } = object;
  if (initializers === undefined || initializers.pending[0] !== initializer) return object;
  if (failed) return { ...rest, initializers: { ...initializers, failed } };
  const pending = initializers.pending.slice(1);
  return pending.length === 0 && initializers.failed !== true
    ? rest
    : { ...rest, initializers: { ...initializers, pending } };
}

/** Whether the change also writes something that the model does not keep. */
export function changesMore(change: Change): boolean {
  return change.do === 'touch' || (change.do === 'setMetadata' && change.other !== 'same');
}

/**
 * Mirrors `namespacedResourcesDeleter.finalizeNamespace` (1.20): the remaining finalizers as a
 * sorted set.
 */
function specFinalizersAfter(
  namespace: ApiObject,
  asked: readonly string[] | undefined,
): readonly string[] {
  if (asked !== undefined) return [...asked];
  return [...new Set(otherSpecFinalizers(namespace))].sort();
}

/**
 * Mirrors `dedupOwnerReferences` (1.20): references that are equal in every field count once.
 * References that share only the uid are all kept.
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
