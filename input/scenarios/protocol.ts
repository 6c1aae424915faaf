import { PROTOCOLS, RULES, type RuleName, type Rules } from '../../model/index.ts';
import type { Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';

/** The rule values of a Kubernetes version. Throws `InputError` for an unknown one. */
export function readProtocol(name: string, where?: Place): Rules {
  const rules = Object.hasOwn(PROTOCOLS, name) ? PROTOCOLS[name] : undefined;
  if (rules === undefined) throw MESSAGES.unknownProtocol(name, Object.keys(PROTOCOLS), where);
  return rules;
}

function isRule(name: string): name is RuleName {
  return Object.hasOwn(RULES, name);
}

/** The rules with one value changed. Throws `InputError`. */
export function withRule(rules: Rules, name: string, value: string, where?: Place): Rules {
  if (!isRule(name)) throw MESSAGES.unknownRule(name, Object.keys(RULES), where);
  const values: readonly string[] = RULES[name].values;
  if (!values.includes(value)) throw MESSAGES.unknownRuleValue(name, value, values, where);
  return { ...rules, [name]: value };
}
