/**
 * Mutants that no property can or does see, for one reason: `equivalent` where what a user is
 * promised stays the same, `missing` where a property or a scenario is yet to be written.
 */
export interface KnownSurvivors {
  readonly kind: 'equivalent' | 'missing';
  readonly why: string;
  /** What `mutantWords` says of each. */
  readonly mutants?: readonly string[];
  /** Whole functions, as `MODULE, FUNCTION`: whatever survives in them does for this reason. */
  readonly functions?: readonly string[];
}
