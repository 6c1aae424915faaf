import type { PropertyResult } from '../../checker/index.ts';
import { displayName } from '../../input/manifests/names.ts';
import { propertyId } from '../../input/property-names.ts';
import { resolveKind, type Setup } from '../../model/index.ts';

const OWNERS_DOCUMENTED =
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/';

/**
 * Where Kubernetes documents the behaviour that breaks a property here; null: nowhere, so it is a
 * risk. A cluster-scoped dependent of a namespaced owner is never collected, and that is documented.
 */
export function documentedAt({ name, broken }: PropertyResult, setup: Setup): string | null {
  if (propertyId(name) !== 'cascade-completes') return null;
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
  return isExplained && broken.length > 0 ? OWNERS_DOCUMENTED : null;
}
