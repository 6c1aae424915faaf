import { type ApiObject, objectKey } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKeyIn } from '../lookups.ts';
import { type Mark, marksOn } from '../marks.ts';
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
  const marksOf = (one: ApiObject): readonly Mark[] => marksOn(observations, one);
  const own = marksOf(object);
  const said = own.find(({ mark }) => mark === 'abandons');
  if (said?.mark === 'abandons') return said.by;
  const [, service] = ACK.exec(object.kind) ?? [];
  if (known === null || service === undefined) return null;
  const policyOf = (place: ApiObject, of: string) =>
    marksOf(place).find((mark) => mark.mark === 'policy' && mark.service === of);
  const namespace = byKeyIn(dump).get(objectKey('Namespace', '', object.namespace));
  // A namespace that the dump lacks may say that it is deleted.
  if (namespace === undefined || policyOf(object, '') !== undefined) return null;
  const isOfNamespace = policyOf(namespace, service) !== undefined;
  // One of several controllers looks after the object. An old ReplicaSet is none of them.
  const places = isOfNamespace
    ? [namespace]
    : workloadsOf(known, dump).filter(
        ({ kind, ownerReferences }) => kind !== 'ReplicaSet.apps' || ownerReferences.length === 0,
      );
  const policies = places.map((place) => policyOf(place, isOfNamespace ? service : ''));
  const [first] = places;
  const [policy] = policies;
  if (first === undefined || policy?.mark !== 'policy') return null;
  const isRetained = policies.every((one) => one?.mark === 'policy' && one.value === 'retain');
  return isRetained ? `${policy.by} of ${displayName(first)}: retain` : null;
}
