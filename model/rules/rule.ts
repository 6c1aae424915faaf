/** The protocols, in the order of the columns of every rule. */
export const PROTOCOL_NAMES = [
  'gc-proposal',
  'synchronous-gc-proposal',
  'v1.7',
  'v1.20',
  'newest',
] as const;

export type ProtocolName = (typeof PROTOCOL_NAMES)[number];

export interface RuleDefinition<Value extends string = string> {
  readonly values: readonly Value[];
  /** The value that each protocol uses, in the order of `PROTOCOL_NAMES`. */
  readonly protocols: readonly [Value, Value, Value, Value, Value];
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
