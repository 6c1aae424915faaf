/** The proposals from before any release, in the order of `RuleDefinition.proposals`. */
export const PROPOSALS = ['gc-proposal', 'synchronous-gc-proposal'] as const;

const OLDEST_MINOR = 7;
/** The newest release whose source was read. */
const NEWEST_MINOR = 36;

/** A minor release as a protocol is named: `v1.20`. */
export type ReleaseName = `v1.${number}`;

/** All minor releases that the rules describe, the oldest first. */
export const RELEASE_NAMES: readonly ReleaseName[] = Array.from(
  { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
  (_, index): ReleaseName => `v1.${OLDEST_MINOR + index}`,
);

export interface RuleDefinition<Value extends string = string> {
  readonly values: readonly Value[];
  /** The values of the proposals, in the order of `PROPOSALS`. */
  readonly proposals: readonly [Value, Value];
  /** The value of 1.7, then each change with the first minor release that has it. */
  readonly releases: readonly [Value, ...(readonly [since: ReleaseName, value: Value])[]];
  readonly about: string;
  /**
   * The function of Kubernetes, and the issue or change (release) that the difference comes from.
   */
  readonly source: string;
}

/** One row of the table. Its type contains its values. */
export function rule<const Value extends string>(
  definition: RuleDefinition<Value>,
): RuleDefinition<Value> {
  return definition;
}
