import type { Cluster } from './cluster.ts';
import { type Fact, isFact } from './facts.ts';

/** A condition on a state: facts, and what is made of them. `all` of nothing is true. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | Fact;

export function isTrue(cluster: Cluster, condition: Condition): boolean {
  if ('all' in condition) return condition.all.every((part) => isTrue(cluster, part));
  if ('any' in condition) return condition.any.some((part) => isTrue(cluster, part));
  if ('not' in condition) return !isTrue(cluster, condition.not);
  return isFact(cluster, condition);
}

/**
 * Whether the condition speaks only of what there is: an object of which it says more than that it is
 * there or gone is stored. It cannot be true otherwise, but for what a `not` makes of it.
 */
export function hasSubject(cluster: Cluster, condition: Condition): boolean {
  if ('all' in condition) return condition.all.every((part) => hasSubject(cluster, part));
  if ('any' in condition) return condition.any.some((part) => hasSubject(cluster, part));
  if ('not' in condition || !('key' in condition) || condition.fact === 'exists') return true;
  return cluster.store[condition.key]?.uid === condition.uid;
}

/** The facts that a condition is made of, each once. */
export function factsIn(condition: Condition): readonly Fact[] {
  const found = new Map<string, Fact>();
  const open: Condition[] = [condition];
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    if ('all' in one) open.unshift(...one.all);
    else if ('any' in one) open.unshift(...one.any);
    else if ('not' in one) open.unshift(one.not);
    else found.set(JSON.stringify(one), one);
  }
  return [...found.values()];
}
