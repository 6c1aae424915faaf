import { type ApiObject, keyOf } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { definitionName } from '../links.ts';
import { idleWithout } from '../operating/flux.ts';
import { type Evidence, firstHeld, type Held, isReached } from './evidence.ts';

/** The label of the Secrets by which Argo CD reaches other clusters (`LabelKeySecretType`). */
const SECRET_TYPE = 'argocd.argoproj.io/secret-type';

/**
 * An object that deletes what it has applied to another cluster. Argo CD, Flux and kapp-controller
 * keep their finalizers until that cluster answers (`finalizeApplicationDeletion`, `finalize`,
 * `reconcileDelete`); null: the dump shows that it does. In Fleet, the agents of the other clusters
 * have no part in finalizers.
 */
export function elsewhereDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations, kinds } = evidence;
  if (known === null) return null;
  return firstHeld('elsewhere', objects, evidence, (object) => {
    const observed = observations.get(keyOf(object));
    const mark = (observed?.marks ?? []).find((one) => one.mark === 'elsewhere');
    if (mark?.mark !== 'elsewhere' || mark.tool !== known.project) return null;
    const deletesNothing =
      observed?.of === 'reconciled' &&
      (observed.suspended ||
        (object.kind.startsWith('Kustomization.') && !observed.prunes) ||
        observed.inventory?.length === 0 ||
        idleWithout(object, dump, observations) !== null);
    if (deletesNothing) return null;
    if (mark.answers && (mark.tool !== 'Argo CD' || isRegistered(evidence))) return null;
    const resource = shellQuoted(definitionName(kinds[object.kind]));
    const scope = `${shellQuoted(object.name)} -n ${shellQuoted(object.namespace)}`;
    const fields = mark.tool === 'Argo CD' ? '{.status.sync}' : '{.status.conditions}';
    return {
      why: `${displayName(object)} deletes what it has applied to another cluster (${mark.by}), and has to reach it: the dump does not show that it does`,
      asks: `whether ${displayName(object)} reaches the other cluster`,
      settle: `kubectl get ${resource} ${scope} -o jsonpath='${fields}'`,
    };
  });
}

/** Whether Argo CD keeps the credentials of another cluster. What they are is not in a dump. */
function isRegistered(evidence: Evidence): boolean {
  const { dump, labels } = evidence;
  return dump.some(
    (object) =>
      object.kind === 'Secret' &&
      labels.get(keyOf(object))?.[SECRET_TYPE] === 'cluster' &&
      !isReached(object, evidence),
  );
}
