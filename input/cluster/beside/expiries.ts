import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Observation } from '../observations.ts';

/**
 * What deletes an object at a time that it says itself: a sentence without its full stop; null:
 * nothing does (`TTLAfterFinished`, and the label `cleanup.kyverno.io/ttl`).
 */
export function expiryOf(
  object: ApiObject,
  observations: ReadonlyMap<string, Observation>,
): string | null {
  if (isBeingDeleted(object)) return null;
  const observed = observations.get(keyOf(object));
  const name = displayName(object);
  const mark = observed?.marks?.find((one) => one.mark === 'expires');
  if (mark?.mark === 'expires') {
    return `Kyverno, if its cleanup controller runs and may do so, deletes ${name} ${mark.when} (cleanup.kyverno.io/ttl)`;
  }
  if (observed?.of !== 'workload' || observed.ttl === null || !observed.finished) return null;
  const ended = Date.parse(observed.finishedAt);
  const at = new Date(ended + observed.ttl * 1000);
  const when = Number.isNaN(at.getTime())
    ? `${observed.ttl} s later`
    : `${observed.ttl} s later, at ${at.toISOString().replace('.000Z', 'Z')}`;
  return `${name} has finished, and is deleted by itself ${when}, in the foreground`;
}
