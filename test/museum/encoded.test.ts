import { expect, it } from 'vitest';
import { encodedEntries, encodedSection, usesOfEntry, usesOfRows, usesOfSuite } from './encoded.ts';

const ENTRY = `about: an entry
rules: {cycleBreaking: none}
before: {rules: {etcdReads: anyMember}, expect: {verdicts: {every deletion finishes: violated}}}
after: {expect: {verdicts: {every-deletion-finishes: holds}}}
`;
const uses = usesOfEntry('A', ENTRY);
const other = (more: object) => ({ of: 'b.yaml', violated: [], rules: [], ...more });

it('an entry is encoded by what it alone uses', () => {
  expect(encodedEntries(['A'], uses)).toEqual([
    {
      id: 'A',
      property: 'every-deletion-finishes',
      rules: ['cycleBreaking=none', 'etcdReads=anyMember'],
    },
  ]);
});

it('a second use ends that', () => {
  const scenario = other({ violated: ['every-deletion-finishes'], rules: ['etcdReads=anyMember'] });
  const suite = usesOfSuite('groups: [{grid: {rules: {cycleBreaking: [asWritten, none]}}}]');
  expect(encodedEntries(['A'], [...uses, scenario])).toEqual([
    { id: 'A', property: null, rules: ['cycleBreaking=none'] },
  ]);
  expect(encodedEntries(['A'], [...uses, scenario, ...suite])).toEqual([]);
  // Another value of the rule is no use of this one.
  const quorum = other({ rules: ['etcdReads=quorum'] });
  expect(encodedEntries(['A'], [...uses, quorum])[0]?.rules).toContain('etcdReads=anyMember');
});

it('a row of docs/sources.md is a use of its rules, and of its property if violated', () => {
  const command = 'foreground-chain --protocol v1.7 --rule cycleBreaking=none';
  const row = { command, question: 'every deletion finishes', verdict: 'violated' };
  const left = { id: 'A', property: null, rules: ['etcdReads=anyMember'] };
  expect(encodedEntries(['A'], [...uses, ...usesOfRows([row])])).toEqual([left]);
  const held = usesOfRows([{ ...row, verdict: 'holds' }]);
  expect(encodedEntries(['A'], [...uses, ...held])[0]?.property).toBe('every-deletion-finishes');
});

it('the section counts entries, properties and values', () => {
  const text = encodedSection(['A', 'B'], encodedEntries(['A'], uses));
  expect(text).toContain('**1 of 2 entries are encoded**: 1 by their property, and 1 by 2 values');
  expect(text).toContain('[every-deletion-finishes](properties.md#every-deletion-finishes)');
});
