import { valueAt } from '../../documents/shape.ts';
import { quantityOf } from '../cel/quantity.ts';
import type { Mark } from './mark.ts';

/**
 * The resources of which a quota says that more is used than it allows: it was lowered since then.
 * What is used exactly as allowed is no obstacle, as an object that goes gives back its part.
 */
export function exceedsOf(
  apiVersion: string,
  kind: string,
  manifest: unknown,
): readonly Extract<Mark, { readonly mark: 'exceeds' }>[] {
  if (apiVersion !== 'v1' || kind !== 'ResourceQuota') return [];
  const hard = valueAt(manifest, ['status', 'hard']);
  if (typeof hard !== 'object' || hard === null) return [];
  return Object.entries(hard).flatMap(([resource, allowed]) => {
    const used: unknown = valueAt(manifest, ['status', 'used', resource]);
    const [most, now] = [allowed, used].map((one) => quantityOf(String(one)) ?? null);
    if (!most || !now || now.compare(most) !== 1n) return [];
    return [{ mark: 'exceeds', tool: null, resource, by: `${used} of ${allowed} ${resource}` }];
  });
}
