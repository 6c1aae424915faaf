import { valueAt } from '../../documents/shape.ts';
import type { Mark } from './mark.ts';

/** What a ServiceCIDR and an IPAddress say: the ranges, and the Service of the address. */
export function rangesOf(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
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
