import { formatKey } from '../state/keys.ts';
import type { ApiObject, OwnerReference } from '../state/objects.ts';
import type { Context } from './context.ts';
import type { Names } from './names.ts';

/**
 * What was read of an object, as a clause that follows its name. For lists the clause contains the
 * whole list, because it often lacks the entry that the reducer looked for. Null if there are no
 * words.
 */
export function objectWords(
  { names }: Context,
  object: ApiObject,
  [field = '', ...below]: readonly string[],
  value: unknown,
): string | null {
  switch (field) {
    case '':
      return 'is stored';
    case 'uid':
      return `has uid ${object.uid}`;
    case 'deletionTimestamp':
      return value === null ? 'is not being deleted' : 'is being deleted';
    case 'deletionGracePeriodSeconds': {
      if (value === null) return 'has no grace period';
      return value === 0 ? 'has no grace period left' : `has ${value} s of grace`;
    }
    case 'finalizers':
      return listed('finalizer', object.finalizers);
    case 'specFinalizers':
      return listed('spec.finalizer', object.specFinalizers ?? []);
    case 'ownerReferences':
      return listed(
        'owner',
        object.ownerReferences.map((reference) => ownerWords(names, reference, object.namespace)),
      );
    case 'generation':
      return `has generation ${object.generation}`;
    case 'observedGeneration':
      return object.observedGeneration === undefined
        ? 'tells no observed generation'
        : `has generation ${object.observedGeneration} observed`;
    case 'initializers': {
      const pending = object.initializers?.pending ?? [];
      if (object.initializers?.failed === true) return 'has been rejected by an initializer';
      return pending.length === 0
        ? 'waits for no initializer'
        : `waits for initializer ${pending[0]} first`;
    }
    case 'phase':
      return object.phase === undefined ? 'has no phase' : `is in phase ${object.phase}`;
    case 'replicas':
      return object.replicas === undefined
        ? 'has not been scaled'
        : `asks for ${object.replicas} replicas`;
    case 'otherLabels':
      return value === true ? 'is matched by no selector' : 'is matched by its selector';
    case 'pod':
      return podWords(object, below);
    case 'volume':
      return volumeWords(object, below);
    default:
      return null;
  }
}

function listed(noun: string, items: readonly string[]): string {
  if (items.length === 0) return `has no ${noun}`;
  return `has ${noun}${items.length === 1 ? '' : 's'} ${items.join(', ')}`;
}

function podWords({ pod }: ApiObject, [field = '']: readonly string[]): string | null {
  switch (field) {
    case '':
      return pod === undefined ? 'is no pod' : 'is a pod';
    case 'finished':
      return pod?.finished === true ? 'has finished' : 'has not finished';
    case 'claims':
      return listed('claim', pod?.claims ?? []);
    case 'node':
      return pod?.node === undefined ? 'is on no node' : `is on Node/${pod.node}`;
    default:
      return null;
  }
}

function volumeWords({ volume }: ApiObject, [field = '']: readonly string[]): string | null {
  if (volume === undefined) return null;
  if (field.startsWith('claim')) return `is for ${formatKey(volume.claim)}`;
  return volume.bound ? 'is bound' : 'is not bound';
}

/** An owner as it appears in a line about its dependent. */
export function ownerWords(names: Names, reference: OwnerReference, namespace: string): string {
  const blocks = reference.blockOwnerDeletion === true ? ' (blocking)' : '';
  return `${names.owner(reference, namespace)}${blocks}`;
}
