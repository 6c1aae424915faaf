import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { type Evidence, type Held, isReached } from './evidence.ts';

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
  for (const object of objects) {
    if (!isReached(object, evidence)) continue;
    const marks = evidence.observations.get(keyOf(object))?.marks ?? [];
    // What is left there is not asked for.
    if (of === 'refused' && marks.some(({ mark }) => mark === 'abandons')) continue;
    for (const mark of marks) {
      if (mark.mark !== of) continue;
      return { by: 'elsewhere', objects: [object], why: why(displayName(object), mark.by) };
    }
  }
  return null;
}
