import { valueAt } from '../../documents/shape.ts';
import { type Requirement, selectorOf } from '../webhooks/observed.ts';
import type { Mark } from './mark.ts';

const TERMS = [
  'affinity',
  'nodeAffinity',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'nodeSelectorTerms',
];

/**
 * The labels of the nodes that may run a pod of this spec, as alternatives: `nodeSelector`, and
 * with it one of the terms of the required node affinity. What the terms say of fields, or with an
 * operator that selectors of labels lack, counts as not said. An alternative without requirements:
 * any node.
 */
export function placesOf(spec: unknown): readonly (readonly Requirement[])[] {
  const base = selectorOf({ matchLabels: valueAt(spec, ['nodeSelector']) ?? {} });
  const terms = valueAt(spec, TERMS);
  if (!Array.isArray(terms) || terms.length === 0) return [base];
  return terms.map((term) => {
    const expressions = valueAt(term, ['matchExpressions']);
    const known = (Array.isArray(expressions) ? expressions : []).filter((one) =>
      OPERATORS.includes(String(valueAt(one, ['operator']))),
    );
    return [...base, ...selectorOf({ matchExpressions: known })];
  });
}

const OPERATORS: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** The selectors of a ClusterRole whose rules are those of other roles (`aggregationRule`). */
export function aggregationOf(kind: string, manifest: unknown): readonly Mark[] {
  const selectors = valueAt(manifest, ['aggregationRule', 'clusterRoleSelectors']);
  if (kind !== 'ClusterRole' || !Array.isArray(selectors) || selectors.length === 0) return [];
  return [{ mark: 'aggregates', tool: null, selectors: selectors.map(selectorOf) }];
}
