import { valueAt } from '../../documents/shape.ts';
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
