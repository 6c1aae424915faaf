import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { idleOnceGone, idleWithout, kubeConfigOf, lackingAccountOf } from '../operating/flux.ts';
import { type Evidence, firstHeld, type Held, isReached, lackedIn } from './evidence.ts';

/**
 * An App whose service account is not there, or may go first: kapp cannot delete anything
 * (`newKapp`).
 */
export function accountDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations, goes } = evidence;
  if (known?.project !== 'kapp-controller') return null;
  return firstHeld('lacking', objects, evidence, (object) => {
    const idle =
      idleWithout(object, dump, observations) ?? idleOnceGone(object, dump, observations, goes);
    if (idle === null) return null;
    const why = `${known.owner} cannot delete what ${displayName(object)} deployed: ${idle}`;
    const name = lackingAccountOf(object, dump, observations);
    const lacks = { kind: 'ServiceAccount', name: name ?? '', namespace: object.namespace };
    return { why, ...(name === null ? {} : lackedIn(evidence, lacks)) };
  });
}

/**
 * A Kustomization that reaches its cluster by a Secret that is not there, or may go first
 * (`finalize`).
 */
export function kubeConfigDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations } = evidence;
  if (known?.project !== 'Flux') return null;
  return firstHeld('lacking', objects, evidence, (object) => {
    const observed = observations.get(keyOf(object));
    const deletes = observed?.of === 'reconciled' && observed.prunes && !observed.suspended;
    if (!object.kind.startsWith('Kustomization.') || !deletes) return null;
    if (observed.inventory?.length === 0) return null;
    const config = kubeConfigOf(object, dump, observations);
    if (config === null) return null;
    const { secret, name } = config;
    if (secret !== null && (!isReached(secret, evidence) || secret.finalizers.length > 0)) {
      return null;
    }
    const lack = secret === null ? 'which the dump lacks' : 'which may go first';
    const why = `${displayName(object)} reaches its cluster only by Secret/${name}, ${lack}`;
    const lacks = { kind: 'Secret', name, namespace: object.namespace };
    return { why, ...(secret === null ? lackedIn(evidence, lacks) : {}) };
  });
}
