import type { PropertyResult } from '../../checker/index.ts';
import { displayName } from '../../input/manifests/names.ts';
import { propertyId } from '../../input/property-names.ts';
import { resolveKind, type Setup } from '../../model/index.ts';

const OWNERS_DOCUMENTED =
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/';

const TOTALS_LEFT_OUT = 'https://github.com/kubernetes/kubernetes/issues/138208';

/**
 * Where Kubernetes documents the behaviour that breaks a property here; null: nowhere, so it is a
 * risk. A cluster-scoped dependent of a namespaced owner is never collected, and that is documented.
 * So is that the conditions of a namespace leave out what is left while pods are left, since 1.33.
 */
export function documentedAt({ name, broken }: PropertyResult, setup: Setup): string | null {
  switch (propertyId(name)) {
    case 'cascade-completes':
      return isOfUnreachable(broken, setup) ? OWNERS_DOCUMENTED : null;
    case 'namespace-status-reports-result':
      return leavesTotalsOut(broken, setup) ? TOTALS_LEFT_OUT : null;
    default:
      return null;
  }
}

function leavesTotalsOut(broken: readonly string[], { rules }: Setup): boolean {
  return (
    rules.namespaceContentOrder === 'podsFirst' &&
    rules.namespaceTotals === 'notWhilePodsRemain' &&
    broken.length > 0 &&
    broken.every((line) => line.endsWith(': something is left'))
  );
}

function isOfUnreachable(broken: readonly string[], setup: Setup): boolean {
  const unreachable = setup.objects.filter(
    ({ namespace, ownerReferences }) =>
      namespace === '' &&
      ownerReferences.some(
        ({ apiVersion, kind }) => resolveKind(setup.kinds, apiVersion, kind)?.namespaced === true,
      ),
  );
  const isExplained = broken.every((line) =>
    unreachable.some((object) => line.includes(displayName(object))),
  );
  return isExplained && broken.length > 0;
}
