import { valueAt } from '../../documents/shape.ts';
import { selectorOf } from '../webhooks/observed.ts';
import type { Mark } from './mark.ts';

/** The selectors of a ClusterRole whose rules are those of other roles (`aggregationRule`). */
export function aggregationOf(kind: string, manifest: unknown): readonly Mark[] {
  const selectors = valueAt(manifest, ['aggregationRule', 'clusterRoleSelectors']);
  if (kind !== 'ClusterRole' || !Array.isArray(selectors) || selectors.length === 0) return [];
  return [{ mark: 'aggregates', tool: null, selectors: selectors.map(selectorOf) }];
}
