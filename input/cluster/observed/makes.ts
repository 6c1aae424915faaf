import { textAt, valueAt } from '../../documents/shape.ts';
import { groupOf } from '../../manifests/names.ts';
import type { Mark } from './mark.ts';

/**
 * What a controller keeps up for an object, without an owner reference: the namespace of an anchor
 * (`writeNamespace`) or of the agent of a Klusterlet, and the Secret of an ExternalSecret, unless it
 * only adds to one that is there.
 */
export function makesOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  if (kind === 'Klusterlet' && apiVersion.startsWith('operator.open-cluster-management.io/')) {
    const isHere = valueAt(manifest, ['spec', 'deployOption', 'mode']) !== 'Hosted';
    const said = valueAt(manifest, ['spec', 'namespace']);
    const name = typeof said === 'string' && said !== '' ? said : 'open-cluster-management-agent';
    return isHere
      ? [{ mark: 'makes', tool: 'Open Cluster Management', kind: 'Namespace', name }]
      : [];
  }
  const own = valueAt(manifest, ['metadata', 'name']);
  if (kind === 'SubnamespaceAnchor' && apiVersion.startsWith('hnc.x-k8s.io/')) {
    return typeof own === 'string'
      ? [{ mark: 'makes', tool: 'HNC', kind: 'Namespace', name: own }]
      : [];
  }
  if (kind !== 'ExternalSecret' || !apiVersion.startsWith('external-secrets.io/')) return [];
  const policy = valueAt(manifest, ['spec', 'target', 'creationPolicy']);
  const name = valueAt(manifest, ['spec', 'target', 'name']) ?? own;
  if (policy === 'Merge' || policy === 'None' || typeof name !== 'string') return [];
  return [{ mark: 'makes', tool: 'External Secrets', kind: 'Secret', name }];
}

/** The claims that Harvester deletes with a virtual machine (`removePVCInRemovedPVCsAnnotation`). */
const REMOVED_CLAIMS = 'harvesterhci.io/removedPersistentVolumeClaims';

/** What a controller deletes with an object, by names that the object has or that are made of its own. */
export function removesOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  const group = groupOf(apiVersion) ?? '';
  const own = textAt(manifest, ['metadata', 'name']) ?? '';
  const beside = textAt(manifest, ['metadata', 'namespace']) ?? '';
  switch (`${kind}.${group}`) {
    case 'VirtualMachine.kubevirt.io': {
      const names = textAt(manifest, ['metadata', 'annotations', REMOVED_CLAIMS]) ?? '';
      return names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => ({
          ...{ mark: 'manages', tool: 'Harvester', kind: 'PersistentVolumeClaim' },
          ...{ namespace: beside, name },
        }));
    }
    // `reconcileDelete`, in the namespace `EksaSystemNamespace`
    case 'Cluster.anywhere.eks.amazonaws.com':
      return [
        {
          ...{ mark: 'manages', tool: 'EKS Anywhere', kind: 'Cluster', group: 'cluster.x-k8s.io' },
          ...{ namespace: 'eksa-system', name: own },
        },
      ];
    // `handleDelete` of its `ClusterReconciler`
    case 'Cluster.fleet.cattle.io': {
      const name = textAt(manifest, ['status', 'namespace']);
      const ofAgent = { kind: 'Bundle', group: 'fleet.cattle.io', namespace: beside };
      return [
        { mark: 'manages', tool: 'Fleet', ...ofAgent, name: `fleet-agent-${own}` },
        ...(name === null
          ? []
          : [{ mark: 'manages', tool: 'Fleet', kind: 'Namespace', namespace: '', name } as const]),
      ];
    }
    default:
      return [];
  }
}
