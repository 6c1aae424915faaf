import { type Body, bodyIn, isBody, textIn } from '../cluster/body.ts';

/** Whether labels are chosen. Mirrors `metav1.LabelSelectorAsSelector`. */
export type LabelChoice = (labels: Body) => boolean;

/**
 * @returns null for a selector that is wrong. One that is absent chooses nothing, an empty one all.
 */
export function labelChoice(selector: unknown): LabelChoice | null {
  if (selector === undefined || selector === null) return () => false;
  if (!isBody(selector)) return null;
  const { matchExpressions = [] } = selector;
  if (!Array.isArray(matchExpressions)) return null;
  const expressions = matchExpressions.map((one) => (isBody(one) ? expression(one) : null));
  const equal = Object.entries(bodyIn(selector, 'matchLabels')).map(
    ([key, value]): LabelChoice =>
      (labels) =>
        labelIn(labels, key) === value,
  );
  const demands = [...equal, ...expressions];
  if (demands.includes(null)) return null;
  return (labels) => demands.every((demand) => demand?.(labels));
}

function expression(given: Body): LabelChoice | null {
  const key = textIn(given, 'key');
  const values: readonly unknown[] = Array.isArray(given.values) ? given.values : [];
  switch (given.operator) {
    case 'In':
      return values.length === 0 ? null : (labels) => values.includes(labelIn(labels, key));
    case 'NotIn':
      return values.length === 0 ? null : (labels) => !values.includes(labelIn(labels, key));
    case 'Exists':
      return values.length > 0 ? null : (labels) => labelIn(labels, key) !== undefined;
    case 'DoesNotExist':
      return values.length > 0 ? null : (labels) => labelIn(labels, key) === undefined;
    default:
      return null;
  }
}

function labelIn(labels: Body, key: string): unknown {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
