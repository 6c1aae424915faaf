/**
 * Mutants that no property can or does see, each with the reason: `equivalent` where what a user is
 * promised stays the same, `missing` where a property or a scenario is yet to be written.
 */
export interface KnownSurvivor {
  readonly kind: 'equivalent' | 'missing';
  readonly why: string;
}

type Known = Readonly<Record<string, KnownSurvivor>>;

/** By what `mutantWords` says of the mutant. */
export const KNOWN_SURVIVORS: Known = {};

/** Whole functions, as `MODULE, FUNCTION`: every decision in them survives for one reason. */
export const KNOWN_FUNCTIONS: Known = {};

/** What is known of a mutant that has survived; what is said of it alone goes first. */
export function knownSurvivor(words: string): KnownSurvivor | null {
  const place = words.split(':', 1)[0] ?? '';
  if (Object.hasOwn(KNOWN_SURVIVORS, words)) return KNOWN_SURVIVORS[words] ?? null;
  return Object.hasOwn(KNOWN_FUNCTIONS, place) ? (KNOWN_FUNCTIONS[place] ?? null) : null;
}
