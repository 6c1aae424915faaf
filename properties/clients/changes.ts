import { type ApiObject, type Change, equalJson, type OwnerReference } from '../../model/index.ts';

/** What updates ask for, in the terms of a client and without the code of the model. */

function without(finalizers: readonly string[], name: string): readonly string[] {
  return finalizers.filter((finalizer) => finalizer !== name);
}

/** The references with this one added. It replaces a reference to the same uid. */
function withReference(
  references: readonly OwnerReference[],
  reference: OwnerReference,
): readonly OwnerReference[] {
  return [...references.filter(({ uid }) => uid !== reference.uid), reference];
}

/** The fields that the change names, with the values that they are to have. */
export function askedBy(change: Change, old: ApiObject): Partial<ApiObject> {
  switch (change.do) {
    case 'nothing':
    case 'touch':
      return {};
    case 'setFinalizers':
      return { finalizers: change.finalizers };
    case 'removeFinalizer':
      return { finalizers: without(old.finalizers, change.finalizer) };
    case 'addFinalizer': {
      const there = old.finalizers.includes(change.finalizer);
      return { finalizers: there ? old.finalizers : [...old.finalizers, change.finalizer] };
    }
    case 'setOwnerReferences':
      return { ownerReferences: change.ownerReferences };
    case 'removeOwners':
      return {
        ownerReferences: old.ownerReferences.filter(({ uid }) => !change.uids.includes(uid)),
      };
    case 'unblockOwners':
      return { ownerReferences: change.ownerReferences.reduce(withReference, old.ownerReferences) };
    case 'adopt':
      return { ownerReferences: withReference(old.ownerReferences, change.reference) };
    case 'relabel':
      return { otherLabels: change.matches ? undefined : true } as Partial<ApiObject>;
    case 'scale': {
      const { replicas } = change;
      const counts = old.generation > 0 && old.replicas !== replicas;
      return { replicas, generation: old.generation + (counts ? 1 : 0) };
    }
    case 'setMetadata': {
      const { finalizers, ownerReferences, other } = change;
      const counts = other === 'spec' && old.generation > 0;
      return {
        ...(finalizers === undefined ? {} : { finalizers }),
        ...(ownerReferences === undefined ? {} : { ownerReferences }),
        generation: old.generation + (counts ? 1 : 0),
      };
    }
    case 'observeGeneration':
      return { observedGeneration: Math.max(old.observedGeneration ?? 0, change.generation) };
    case 'finishPod':
      return old.pod === undefined ? {} : { pod: { ...old.pod, finished: true } };
    case 'releaseVolume':
      return old.volume === undefined ? {} : { volume: { ...old.volume, bound: false } };
    case 'initialize': {
      const pending = old.initializers?.pending ?? [];
      if (pending[0] !== change.initializer) return {};
      if (change.failed) return { initializers: { pending, failed: true } };
      const rest = pending.slice(1);
      const initializers = rest.length === 0 ? undefined : { pending: rest };
      return { initializers } as Partial<ApiObject>;
    }
    case 'finalizeNamespace':
      return {
        specFinalizers: change.specFinalizers ?? without(old.specFinalizers ?? [], 'kubernetes'),
      };
    case 'setNamespaceStatus':
      return { phase: change.phase, conditions: change.conditions };
    default:
      throw new Error(`unknown change ${JSON.stringify(change satisfies never)}`);
  }
}

/** Whether such a change is valid for every object, and every client may ask for it. */
export function isAlwaysAccepted(change: Change, object: ApiObject): boolean {
  switch (change.do) {
    case 'setNamespaceStatus':
      return (change.phase === 'Terminating') === (object.deletionTimestamp !== null);
    case 'removeFinalizer':
    case 'removeOwners':
    case 'relabel':
    case 'scale':
    case 'observeGeneration':
    case 'finishPod':
    case 'releaseVolume':
    case 'finalizeNamespace':
      return true;
    default:
      return false;
  }
}

/** Whether both lists have the same references. Order and repetitions do not count. */
export function sameReferences(
  one: readonly OwnerReference[],
  other: readonly OwnerReference[],
): boolean {
  const includes = (list: readonly OwnerReference[], wanted: OwnerReference): boolean =>
    list.some((reference) => equalJson(reference, wanted));
  return (
    one.every((reference) => includes(other, reference)) &&
    other.every((reference) => includes(one, reference))
  );
}
