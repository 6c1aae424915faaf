import {
  DEFAULT_PROTOCOL,
  isWatched,
  PROTOCOLS,
  possibleObjects,
  type RuleName,
  type Setup,
} from '../model/index.ts';
import { MESSAGES } from '../text/messages.ts';
import { type Overrides, overridesAnything, type Plan } from './plan.ts';
import { readProtocol, withRule } from './scenarios/protocol.ts';

/** Checks everything that does not depend on the input. Throws `InputError`. */
export function checkOverrides({ protocol = DEFAULT_PROTOCOL, rules }: Overrides): void {
  const usual = readProtocol(protocol);
  for (const { name, value } of rules) withRule(usual, name, value);
}

/** The plan with the options of the command line applied. Throws `InputError`. */
export function overridden(plan: Plan, overrides: Overrides): Plan {
  if (!overridesAnything(overrides)) return plan;
  const { setup } = plan;
  let rules = overrides.protocol === undefined ? setup.rules : readProtocol(overrides.protocol);
  for (const { name, value } of overrides.rules) rules = withRule(rules, name, value);
  const changed: Setup = {
    ...setup,
    rules,
    finalizers: withStuck(setup, overrides.stuckFinalizers),
    deleteWorkers: overrides.deleteWorkers ?? setup.deleteWorkers,
    relists: overrides.relists === undefined ? setup.relists : relistsOf(setup, overrides.relists),
  };
  const voided =
    plan.expectation === null
      ? []
      : ['The model was changed by options, so the expectations of the file do not apply.'];
  const replaced = overrides.protocol === undefined ? {} : changedRules(setup, plan.protocol);
  return {
    ...plan,
    protocol: overrides.protocol ?? plan.protocol,
    setup: changed,
    expectation: null,
    warnings: [...plan.warnings, ...voided, ...replacement(replaced)],
  };
}

function replacement(rules: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.entries(rules).map(([name, value]) => `${name}=${value}`);
  if (values.length === 0) return [];
  return [`--protocol takes the place of the rules of the file: ${values.join(', ')}.`];
}

/** The rules whose values differ from the defaults of the protocol. */
export function changedRules(setup: Setup, protocol: string): Readonly<Record<string, string>> {
  const usual = PROTOCOLS[protocol];
  return Object.fromEntries(
    Object.entries(setup.rules).filter(([name, value]) => usual?.[name as RuleName] !== value),
  );
}

/** The values of rules that the command line sets. */
export function overridingRules({ protocol, rules }: Overrides): Readonly<Record<string, string>> {
  const usual = protocol === undefined ? {} : readProtocol(protocol);
  return { ...usual, ...Object.fromEntries(rules.map(({ name, value }) => [name, value])) };
}

function withStuck(setup: Setup, stuck: readonly string[]): Setup['finalizers'] {
  for (const name of stuck) {
    if (!Object.hasOwn(setup.finalizers, name)) {
      throw MESSAGES.unknownFinalizer(name, Object.keys(setup.finalizers));
    }
  }
  return { ...setup.finalizers, ...Object.fromEntries(stuck.map((name) => [name, 'stuck'])) };
}

function relistsOf(setup: Setup, times: number): Setup['relists'] {
  const kinds = new Set(possibleObjects(setup).map((object) => object.kind));
  return Object.fromEntries(
    [...kinds].filter((kind) => isWatched(setup, kind)).map((kind) => [kind, times]),
  );
}
