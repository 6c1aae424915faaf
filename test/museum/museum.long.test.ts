import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { museumEntries } from '../../input/package-files.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { sourceRows } from '../../tools/mutate/rows/source-rows.ts';
import { documentOf } from '../cli/run-cli.ts';
import { usesOfRows, usesOfScenarios, usesOfSuite } from './encoded.ts';
import { type Exhibit, page } from './page.ts';
import { usesOfSecondUses } from './second-uses.ts';

const PAGE = fileURLToPath(new URL('../../docs/museum.md', import.meta.url));
const SCENARIOS = fileURLToPath(new URL('../../scenarios', import.meta.url));
const SUITE = fileURLToPath(new URL('../../reapcheck.suite.yaml', import.meta.url));
const UPDATE = process.env.UPDATE_GOLDEN === '1';

/** One step in so many is done again by plain immer. */
const AUDIT_EVERY = '20';

/** Every defect of history that has to be found again. */
const ENTRIES: readonly string[] = [
  ...['K8S-77081', 'K8S-54940', 'K8S-26120', 'K8S-57939', 'K8S-44046', 'K8S-56348', 'K8S-60037'],
  ...['K8S-101078', 'K8S-102641', 'K8S-104342', 'K8S-64313', 'K8S-32628', 'K8S-47431'],
  ...['K8S-32157', 'K8S-32339', 'K8S-77944', 'K8S-100101', 'K8S-85485', 'K8S-25169'],
  ...['K8S-93790', 'K8S-32519', 'K8S-126587', 'K8S-76042', 'K8S-60538', 'K8S-99181'],
  ...['K8S-76703', 'K8S-66136', 'K8S-111725', 'K8S-109748', 'K8S-65818'],
  ...['K8S-98040', 'K8S-56121', 'K8S-77988', 'K8S-77988-first-repair', 'K8S-65200', 'K8S-42639'],
  ...['K8S-114603', 'K8S-36891'],
  ...[
    'D1',
    'D2',
    'D3',
    'D3-foreground',
    'D4',
    'D5',
    'D6',
    'D7',
    'D7-foreground',
    'D8',
    'D9',
    'D10',
  ],
];

const files = await museumEntries();
const exhibits: Exhibit[] = [];

/** What a variant pins, as it was found. */
function pins({ result, museum }: CheckReport): Readonly<Record<string, number>> {
  const { states, transitions, layers } = result.statistics;
  const shown = result.properties.find(({ name }) => name === museum?.property);
  const length = shown?.verdict === 'violated' ? shown.trace?.steps.length : undefined;
  return { states, transitions, depth: layers - 1, ...(length === undefined ? {} : { length }) };
}

function pinned({ expectation }: CheckReport): Readonly<Record<string, number | undefined>> {
  const { states, transitions, depth, counterexample } = expectation ?? {};
  const length = counterexample?.length;
  return { states, transitions, depth, ...(length === undefined ? {} : { length }) };
}

function rewrite(file: string, reports: readonly CheckReport[]): void {
  const document = parseDocument(readFileSync(file, 'utf8'));
  for (const report of reports) {
    for (const [name, value] of Object.entries(pins(report))) {
      document.setIn([report.museum?.variant ?? '', 'expect', name], value);
    }
  }
  writeFileSync(file, document.toString({ lineWidth: 100, flowCollectionPadding: false }));
}

/** What is there to this day was always there, but for what came with a later version. */
const SINCE: Readonly<Record<string, readonly string[]>> = { D8: ['v1.20', 'newest'] };
const RELEASED = ['v1.7', 'v1.20', 'newest'];

describe('every entry of the museum', () => {
  for (const [id, file] of files) {
    it(`is found before its repair and not after it: ${id}`, async () => {
      const { checks } = await documentOf(['--museum', id, '--audit', AUDIT_EVERY]);
      exhibits.push({ id, text: readFileSync(file, 'utf8'), reports: checks });
      if (UPDATE) return rewrite(file, checks);
      for (const report of checks) {
        expect(report.unmet, report.title).toEqual([]);
        expect(report.result.outcome).toBe('complete');
        expect(pinned(report)).toEqual(pins(report));
        // Without these nobody has judged which defect the counterexample shows.
        if (report.museum?.variant === 'before') {
          expect(report.expectation?.counterexample?.mustShow.length).toBeGreaterThan(1);
        }
      }
    });
  }

  it('that is no defect is the same in every release', async () => {
    for (const { id, text } of exhibits) {
      if (/^ {2}kind: defect$/m.test(text)) continue;
      // --protocol sets all rules, those of a repair as well.
      const repairedByRules = /^after:[\s\S]*^ {2}rules:/m.test(text);
      for (const protocol of RELEASED) {
        const { checks } = await documentOf(['--museum', id, '--protocol', protocol]);
        for (const { museum, result, title } of checks) {
          if (museum?.variant === 'after' && repairedByRules) continue;
          const shown = result.properties.find(({ name }) => name === museum?.property);
          const violated = museum?.variant === 'before' && (SINCE[id]?.includes(protocol) ?? true);
          expect(shown?.verdict, `${title} ${protocol}`).toBe(violated ? 'violated' : 'holds');
        }
      }
    }
  });

  it('is there', () => {
    expect([...files.keys()].sort()).toEqual([...ENTRIES].sort());
  });

  it('is on the page (UPDATE_GOLDEN=1 writes docs/museum.md)', () => {
    const inOrder = ENTRIES.flatMap((id) => exhibits.filter((exhibit) => exhibit.id === id));
    expect(inOrder).toHaveLength(files.size);
    const suite = readFileSync(SUITE, 'utf8');
    const text = page(inOrder, [
      ...usesOfScenarios(SCENARIOS),
      ...usesOfSuite(suite),
      ...usesOfRows(sourceRows()),
      ...usesOfSecondUses(),
    ]);
    if (UPDATE) writeFileSync(PAGE, text);
    expect(readFileSync(PAGE, 'utf8')).toBe(text);
  });
});
