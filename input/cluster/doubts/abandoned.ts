import { type ApiObject, keyOf, objectKey } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKeyIn } from '../lookups.ts';
import type { Mark } from '../marks.ts';
import type { Observation } from '../observations.ts';
import { workloadsOf } from '../observed/finalizer-owners.ts';

const ACK = /^[^.]+\.(.*)\.services\.k8s\.aws$/;

/**
 * What says that the thing outside of the cluster outlives the object: its own words, or those of
 * its namespace or its controller (`getDeletionPolicy` of AWS Controllers for Kubernetes, in this
 * order); null: nothing.
 */
export function abandonedBy(
  object: ApiObject,
  known: KnownFinalizer | null,
  dump: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): string | null {
  const marksOf = (one: ApiObject): readonly Mark[] => observations.get(keyOf(one))?.marks ?? [];
  const own = marksOf(object);
  const said = own.find(({ mark }) => mark === 'abandons');
  if (said?.mark === 'abandons') return said.by;
  const [, service] = ACK.exec(object.kind) ?? [];
  if (known === null || service === undefined) return null;
  const namespace = byKeyIn(dump).get(objectKey('Namespace', '', object.namespace));
  const places: readonly (readonly [ApiObject, string])[] = [
    [object, ''],
    ...(namespace === undefined ? [] : [[namespace, service] as const]),
    ...workloadsOf(known, dump).map((one) => [one, ''] as const),
  ];
  for (const [place, of] of places) {
    const found = marksOf(place).find((mark) => mark.mark === 'policy' && mark.service === of);
    if (found?.mark !== 'policy') continue;
    return found.value === 'retain' ? `${found.by} of ${displayName(place)}: retain` : null;
  }
  return null;
}
