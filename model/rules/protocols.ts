import { PROTOCOL_NAMES, type ProtocolName } from './rule.ts';
import { RULES, type RuleName, type Rules } from './rules.ts';

/**
 * The columns of the table of rules: each protocol is one value for every rule. `v1.7` is the
 * collector as it first shipped in that form (1.7 to 1.15, before its later repairs). `newest` is
 * the newest release whose code was read.
 */
export const PROTOCOLS: Readonly<Record<string, Rules>> = Object.fromEntries(
  PROTOCOL_NAMES.map((name) => [name, columnOf(name)]),
);

export const DEFAULT_PROTOCOL: ProtocolName = 'v1.20';

function columnOf(protocol: ProtocolName): Rules {
  const column = PROTOCOL_NAMES.indexOf(protocol);
  const names = Object.keys(RULES) as RuleName[];
  return Object.fromEntries(names.map((name) => [name, RULES[name].protocols[column]])) as Rules;
}
