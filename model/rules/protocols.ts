import { PROPOSALS, RELEASE_NAMES, type ReleaseName, type RuleDefinition } from './rule.ts';
import { RULES, type RuleName, type Rules } from './rules.ts';

/** Another name of the newest release whose source was read. */
const NEWEST = 'newest';

/**
 * The protocols by name: each is one value for every rule. The two proposals, every minor release
 * from 1.7 (in which the collector first shipped in its present form) on, and `newest`. `v1.20` is
 * 1.20.2: a change that came with a later patch release counts for the next minor release.
 */
export const PROTOCOLS: Readonly<Record<string, Rules>> = {
  ...Object.fromEntries(
    PROPOSALS.map((name, column) => [name, rulesWith((rule) => rule.proposals[column] as string)]),
  ),
  ...Object.fromEntries(
    RELEASE_NAMES.map((name) => [name, rulesWith((rule) => valueIn(rule, name))]),
  ),
  [NEWEST]: rulesWith((rule) => valueIn(rule, RELEASE_NAMES.at(-1) as ReleaseName)),
};

export const DEFAULT_PROTOCOL = 'v1.20';

function rulesWith(choose: (rule: RuleDefinition) => string): Rules {
  const names = Object.keys(RULES) as RuleName[];
  return Object.fromEntries(names.map((name) => [name, choose(RULES[name])])) as Rules;
}

function valueIn({ releases }: RuleDefinition, release: ReleaseName): string {
  const [first, ...changes] = releases;
  const until = RELEASE_NAMES.indexOf(release);
  const happened = changes.filter(([since]) => RELEASE_NAMES.indexOf(since) <= until);
  return happened.at(-1)?.[1] ?? first;
}

/**
 * Protocols in words, with releases in a row as one: `gc-proposal, v1.7 to v1.19`. `newest` is left
 * out where its release is among them.
 */
export function protocolRanges(names: readonly string[]): string {
  const ranges: [first: string, last: string][] = [];
  for (const name of names) {
    const last = ranges.at(-1);
    const before = RELEASE_NAMES[RELEASE_NAMES.indexOf(name as ReleaseName) - 1];
    if (name === NEWEST && names.includes(RELEASE_NAMES.at(-1) ?? '')) continue;
    if (last !== undefined && last[1] === before) last[1] = name;
    else ranges.push([name, name]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ');
}
