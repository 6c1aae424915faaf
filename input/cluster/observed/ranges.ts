import { valueAt } from '../../documents/shape.ts';
import type { Mark } from './mark.ts';

const CALICO = /^(crd\.)?projectcalico\.org\//;

/**
 * What a ServiceCIDR and an IPAddress say: the ranges, and the Service of the address. A pool of
 * Calico and a block of addresses of it say their range.
 */
export function rangesOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  if (CALICO.test(apiVersion) && ['IPPool', 'IPAMBlock'].includes(kind)) {
    const cidr = valueAt(manifest, ['spec', 'cidr']);
    return typeof cidr === 'string' ? [{ mark: 'ranges', tool: null, cidrs: [cidr] }] : [];
  }
  if (!apiVersion.startsWith('networking.k8s.io/')) return [];
  if (kind === 'ServiceCIDR') {
    const cidrs = valueAt(manifest, ['spec', 'cidrs']);
    return Array.isArray(cidrs)
      ? [{ mark: 'ranges', tool: null, cidrs: cidrs.map((one) => String(one)) }]
      : [];
  }
  const parent = (field: string): unknown => valueAt(manifest, ['spec', 'parentRef', field]);
  const [namespace, name] = [parent('namespace'), parent('name')];
  const isOfService = kind === 'IPAddress' && parent('resource') === 'services';
  return isOfService && typeof namespace === 'string' && typeof name === 'string'
    ? [{ mark: 'addressOf', tool: null, namespace, name }]
    : [];
}
