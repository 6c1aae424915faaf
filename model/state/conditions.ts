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
 * Whether there is what the condition speaks of: each object of which it says more than that it is
 * there or gone is stored. Without such an object the condition has the same value in every state.
 *
 * @param negated below an odd number of `not`, where `all` is any and `any` is all.
 */
export function hasSubject(cluster: Cluster, condition: Condition, negated = false): boolean {
  if ('not' in condition) return hasSubject(cluster, condition.not, !negated);
  if (isFactOnly(condition)) {
    if (!('key' in condition) || condition.fact === 'exists') return true;
    return cluster.store[condition.key]?.uid === condition.uid;
  }
  const parts = 'all' in condition ? condition.all : condition.any;
  const needsEach = 'all' in condition !== negated;
  return needsEach
    ? parts.every((part) => hasSubject(cluster, part, negated))
    : parts.some((part) => hasSubject(cluster, part, negated));
}

function isFactOnly(condition: Exclude<Condition, { not: Condition }>): condition is Fact {
  return !('all' in condition) && !('any' in condition);
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
