/** The reductions that a check may be asked to use. Each is explained in `docs/checker.md`. */
const REDUCTION_NAMES = ['symmetry', 'confluence', 'confluence-only', 'partial-order'] as const;

/** `confluence-only`: confluence without a second search for what it leaves undecided. */
export type ReductionName = (typeof REDUCTION_NAMES)[number];

/** What a check uses that chooses none. */
export const DEFAULT_REDUCTIONS: readonly ReductionName[] = ['symmetry'];

interface Choosing {
  readonly reductions?: readonly ReductionName[];
}

/** Whether one of these reductions is to be used. */
export function uses(
  { reductions = DEFAULT_REDUCTIONS }: Choosing,
  ...names: readonly ReductionName[]
): boolean {
  return names.some((name) => reductions.includes(name));
}

/** The options without these reductions. */
export function without<Options extends Choosing>(
  options: Options,
  ...names: readonly ReductionName[]
): Options {
  const { reductions = DEFAULT_REDUCTIONS } = options;
  return { ...options, reductions: reductions.filter((name) => !names.includes(name)) };
}

/** What the value must be, as the end of "it must be ..."; null: it is fine. */
export function faultInReductions(value: unknown): string | null {
  const known = `a list of ${REDUCTION_NAMES.join(', ')}`;
  if (!Array.isArray(value)) return known;
  if (!value.every((name) => REDUCTION_NAMES.some((one) => one === name))) return known;
  const isBoth = value.includes('confluence') && value.includes('confluence-only');
  return isBoth ? 'with confluence or with confluence-only, not with both' : null;
}
