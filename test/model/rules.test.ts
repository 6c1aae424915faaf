import { describe, expect, it } from 'vitest';
import { PROTOCOL_NAMES, type ProtocolName } from '../../model/rules/rule.ts';
import { RULES, type RuleName } from '../../model/rules/rules.ts';

const NAMES = Object.keys(RULES) as RuleName[];

/** Only proposed: no release has the rule, so the source names none. */
const NO_RELEASE: readonly RuleName[] = [
  'createdChildren',
  'nodeVersion',
  'observedGeneration',
  'podGcFinalizers',
];

/** Columns that are equal, or differ, although the releases of the source say otherwise. */
const EXCEPTIONS: Readonly<Partial<Record<RuleName, string>>> = {
  absentNode: 'in 1.17 the live list of all nodes became a live GET of one',
  nodeVersion: '`newest` has a change that was read before any release had it',
};

/** The releases behind the columns. */
const RELEASES = {
  'v1.7': '1.7.0',
  'v1.20': '1.20.2',
  newest: '1.99',
} as const satisfies Partial<Record<ProtocolName, string>>;

type Release = keyof typeof RELEASES;

function compared(left: string, right: string): number {
  const numbers = (release: string): readonly number[] => release.split('.').map(Number);
  const [a, b] = [numbers(left), numbers(right)];
  return [0, 1, 2].map((at) => (a[at] ?? 0) - (b[at] ?? 0)).find((by) => by !== 0) ?? 0;
}

function releasesOf(name: RuleName): readonly string[] {
  return [...RULES[name].source.matchAll(/\((\d+(?:\.\d+)+)\)/g)].map(([, release]) => release!);
}

/** Rules whose columns do not agree with the changes between the two releases. */
function disagreeing(from: Release, to: Release): readonly string[] {
  return NAMES.filter((name) => {
    const isBetween = (release: string): boolean =>
      compared(release, RELEASES[from]) > 0 && compared(release, RELEASES[to]) <= 0;
    const value = (column: Release): string =>
      RULES[name].protocols[PROTOCOL_NAMES.indexOf(column)] as string;
    return (value(from) !== value(to)) !== releasesOf(name).some(isBetween);
  });
}

describe('the source of a rule', () => {
  it('names the changes of Kubernetes in full, and the releases that they came with', () => {
    for (const name of NAMES) {
      const { source } = RULES[name];
      const changes = source.match(/#\d+/g) ?? [];
      expect(changes.length, name).toBeGreaterThan(0);
      expect(source.match(/\bkubernetes\/kubernetes#\d{4,6}\b/g), name).toHaveLength(
        changes.length,
      );
    }
    expect(NAMES.filter((name) => releasesOf(name).length === 0).sort()).toEqual(NO_RELEASE);
    for (const name of NO_RELEASE) {
      expect(RULES[name].source, name).toMatch(/never shipped|not merged/);
    }
  });

  it('explains why the columns of releases differ or agree', () => {
    const found = [...disagreeing('v1.7', 'v1.20'), ...disagreeing('v1.20', 'newest')];
    expect(found.sort()).toEqual(Object.keys(EXCEPTIONS));
  });
});
