import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { type Evidence, firstHeld, type Held } from './evidence.ts';

/**
 * An object whose controller or provider may refuse to delete what it stands for, as it is
 * protected or not empty; null: none that the dump shows.
 */
export function refusedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  return externalDoubt(known, objects, evidence, 'refused', (name, by) => `${name}: ${by}`);
}

/** One with which its controller fails now, as its conditions say; null: none. */
export function failingDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  return externalDoubt(
    known,
    objects,
    evidence,
    'fails',
    (name, by) => `${name} reports ${by}: ${known?.owner} may fail to delete what it stands for`,
  );
}

function externalDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
  of: 'refused' | 'fails',
  why: (name: string, by: string) => string,
): Held | null {
  if (known === null || (of === 'fails' && known.external !== true)) return null;
  return firstHeld('elsewhere', objects, evidence, (object) => {
    const marks = evidence.observations.get(keyOf(object))?.marks ?? [];
    // What is left there is not asked for.
    if (of === 'refused' && marks.some(({ mark }) => mark === 'abandons')) return null;
    const found = marks.find(({ mark }) => mark === of);
    return found?.mark === of ? why(displayName(object), found.by) : null;
  });
}
