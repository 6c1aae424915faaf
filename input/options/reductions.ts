import type { ReductionName } from '../../checker/index.ts';

// The checker itself is not imported: help and completion need these names and nothing else of it.
const KNOWN: Readonly<Record<ReductionName, true>> = {
  symmetry: true,
  confluence: true,
  'confluence-only': true,
  'partial-order': true,
};

export const REDUCTION_NAMES = Object.keys(KNOWN) as readonly ReductionName[];

/** What a choice of reductions may be, in words. */
export const REDUCTIONS_EXPECTED = `none, or one or more of ${REDUCTION_NAMES.join(', ')}, with commas between`;

const NONE = 'none';

/** Reads `none` or names such as `symmetry,confluence`; null: it is neither. */
export function reductionsNamed(given: string): readonly ReductionName[] | null {
  if (given === NONE) return [];
  const words = given.split(',');
  const names = REDUCTION_NAMES.filter((name) => words.includes(name));
  const isTwofold = names.includes('confluence') && names.includes('confluence-only');
  return names.length === words.length && !isTwofold ? names : null;
}

/** The words that `reductionsNamed` reads. */
export function reductionWords(names: readonly ReductionName[]): string {
  return names.length === 0 ? NONE : names.join(',');
}
