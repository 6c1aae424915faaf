/**
 * Mutants that no property can or does see, in words (`mutantWords`), each with the reason:
 * `equivalent` where what a user is promised stays the same, `missing` where a property or a scenario
 * is yet to be written.
 */
export interface KnownSurvivor {
  readonly kind: 'equivalent' | 'missing';
  readonly why: string;
}

export const KNOWN_SURVIVORS: Readonly<Record<string, KnownSurvivor>> = {};
