import { describe, expect, it } from 'vitest';
import { PROTOCOLS, protocolRanges } from '../../model/rules/protocols.ts';
import { RELEASE_NAMES } from '../../model/rules/rule.ts';
import { RULES, type RuleName } from '../../model/rules/rules.ts';

const NAMES = Object.keys(RULES) as RuleName[];

/** Only proposed: no release has the rule, so the source names none. */
const NO_RELEASE: readonly RuleName[] = [
  'createdChildren',
  'finalizerOwnerUid',
  'nodeVersion',
  'observedGeneration',
  'podGcFinalizers',
  'policyAfterConflict',
  'removalCondition',
  'replacedObject',
  'unblockedReferences',
];

/** Releases of the source that are not changes of the value. */
const OTHERS: Readonly<Partial<Record<RuleName, readonly string[]>>> = {
  // A live list of all nodes became a live GET of one.
  absentNode: ['v1.17'],
  // Off by default until 1.26.
  podGcPhase: ['v1.25'],
  outOfServicePods: ['v1.24'],
  // The repair of the repair.
  finalizedNamespace: ['v1.17'],
  // Which of the two came first with a policy is not certain.
  kubectlCascade: ['v1.12'],
};

/** 1.20.3 is after the release that `v1.20` stands for. */
function minorOf(release: string): string {
  const [, minor = '', patch = '0'] = release.split('.');
  return `v1.${Number(minor) + (release.startsWith('1.20.') && Number(patch) > 2 ? 1 : 0)}`;
}

function releasesOf(name: RuleName): readonly string[] {
  return [...RULES[name].source.matchAll(/\((\d+(?:\.\d+)+)\)/g)].map(([, release]) => release!);
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

  it('names the release of each change, and no other after 1.7', () => {
    for (const name of NAMES) {
      const [, ...changes] = RULES[name].releases;
      const told = releasesOf(name).map(minorOf);
      const expected = [...new Set(told)].filter((release) => !OTHERS[name]?.includes(release));
      const later = expected.filter((release) => RELEASE_NAMES.indexOf(release as never) > 0);
      expect(
        changes.map(([since]) => since),
        name,
      ).toEqual(later);
    }
  });
});

describe('the protocols', () => {
  it('change a value with the release that has it first', () => {
    expect(PROTOCOLS['v1.19']?.virtualNodeIdentity).toBe('frozen');
    expect(PROTOCOLS['v1.20']?.virtualNodeIdentity).toBe('corrected');
    expect(PROTOCOLS['v1.10']?.ownerPatchFallback).toBe('none');
    expect(PROTOCOLS['v1.33']?.collectorDeletePrecondition).toBe('uid');
    expect(PROTOCOLS['v1.34']?.collectorDeletePrecondition).toBe('uidAndResourceVersion');
    expect(PROTOCOLS.newest).toEqual(PROTOCOLS[RELEASE_NAMES.at(-1)!]);
  });

  it('are told in ranges', () => {
    const names = (from: number, to: number): string[] => Object.keys(PROTOCOLS).slice(from, to);
    expect(protocolRanges(names(1, 4))).toBe('synchronous-gc-proposal, v1.7 to v1.8');
    expect(protocolRanges(['v1.7', 'v1.20', 'v1.35', 'v1.36', 'newest'])).toBe(
      'v1.7, v1.20, v1.35 to v1.36',
    );
  });
});
