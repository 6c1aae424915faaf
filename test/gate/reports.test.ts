import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { suitesOf } from '../../report/cases/suites.ts';
import { readDocument } from '../../report/document/documents.ts';
import { type GateDocument, gateDocumentSchema } from '../../report/document/gate-document.ts';
import { FORMAT_NAMES, FORMATS } from '../../report/format-names.ts';
import { gateText } from '../../report/text/gate.ts';
import { PLAIN } from '../../text/layout.ts';
import { runCli } from '../cli/run-cli.ts';
import { folderWith, inFolder, runGate } from './gate-cli.ts';
import { CELLS, lockedSmallSuite, readJson, SMALL_SUITE, writeLockJson } from './small-suite.ts';

/** The document of the gate in all formats. */

const ORPHANED = 'orphaned objects are not collected';

async function drifted(act: () => Promise<void>, files = SMALL_SUITE): Promise<void> {
  await inFolder(folderWith(files), async () => {
    const lock = await lockedSmallSuite();
    lock.cells[CELLS.late]!.facts.verdicts[ORPHANED] = 'holds';
    lock.cells[CELLS.late]!.facts.traces = {};
    lock.cells[CELLS.late]!.facts.size!.states = 11;
    writeLockJson(lock);
    await act();
  });
}

describe('reports of the gate', () => {
  it('are written in every format, and the stored document gives the same', async () => {
    await drifted(async () => {
      const reports = FORMAT_NAMES.flatMap((name) => ['--report', `${name}=direct.${name}`]);
      expect((await runGate(reports)).code).toBe(1);
      expect(gateDocumentSchema.safeParse(readJson('direct.json')).error).toBeUndefined();
      const again = FORMAT_NAMES.flatMap((name) => ['--report', `${name}=again.${name}`]);
      const rendered = await runCli(['render', 'direct.json', ...again]);
      expect(rendered.code, rendered.stderr).toBe(0);
      for (const name of FORMAT_NAMES) {
        const read = (file: string): string | null => {
          try {
            return readFileSync(file, 'utf8');
          } catch {
            return null;
          }
        };
        expect(read(`again.${name}`), name).toBe(read(`direct.${name}`));
        if (FORMATS[name].shows === 'document') expect(read(`direct.${name}`), name).not.toBeNull();
      }
    });
  });

  it('have a case for each drift, at its line, with the trace of a new violation', async () => {
    await drifted(async () => {
      await runGate(['--report', 'json=gate.json']);
      const text = readFileSync('gate.json', 'utf8');
      const suites = suitesOf(readDocument({ file: 'gate.json', text }));
      const cases = suites.flatMap((suite) => suite.cases);
      expect(cases.filter(({ status }) => status === 'ok')).toHaveLength(4);
      expect(cases.filter(({ status }) => status !== 'ok')).toMatchObject([
        {
          name: `new violation: ${ORPHANED}`,
          rule: { name: ORPHANED },
          status: 'failed',
          verdict: 'worse',
          place: { file: 'late.yaml' },
          trace: { check: CELLS.late, property: { name: ORPHANED } },
        },
        { rule: { name: 'states grew' }, status: 'failed', verdict: 'neutral', trace: null },
      ]);
    });
  });

  it('name the command that replays a new violation', async () => {
    await drifted(async () => {
      const formats = ['text', 'html', 'markdown', 'junit'];
      await runGate(formats.flatMap((name) => ['--report', `${name}=gate.${name}`]));
      for (const name of formats) {
        expect(readFileSync(`gate.${name}`, 'utf8'), name).toContain('reapcheck replay rt1:');
      }
    });
  });

  it('are green once the drift is accepted', async () => {
    await drifted(async () => {
      const { code } = await runGate(['--update', '--accept-worse', '--report', 'json=gate.json']);
      expect(code).toBe(0);
      const text = readFileSync('gate.json', 'utf8');
      const cases = suitesOf(readDocument({ file: 'gate.json', text })).flatMap(
        (suite) => suite.cases,
      );
      const known = cases.flatMap((one) => one.known ?? []);
      expect(known.filter((why) => why === 'accepted by --update')).toHaveLength(2);
      expect(known.filter((why) => why.includes('inconclusive'))).toHaveLength(1);
      expect(new Set(cases.map(({ status }) => status))).toEqual(new Set(['ok']));
    });
  });

  it('show twenty cells in full, and summarize the others', async () => {
    await drifted(async () => {
      await runGate(['--report', 'json=gate.json']);
      const document = gateDocumentSchema.parse(readJson('gate.json'));
      const cells = Array.from({ length: 70 }, (_, index) => `cell ${index}`);
      const late = document.cells.find(({ name }) => name === CELLS.late)!;
      const many = {
        ...document,
        cells: cells.map((name) => ({ ...late, name })),
        drifts: cells.flatMap((cell) => document.drifts.map((drift) => ({ ...drift, cell }))),
        reports: cells.map((title) => ({ ...document.reports[0]!, title })),
      } as unknown as GateDocument;
      const text = gateText(many, { colors: PLAIN });
      expect(text.match(/^Counterexample/gm)).toHaveLength(1);
      expect(text.match(/^ {2}worse/gm)).toHaveLength(20);
      expect(text).toMatch(/^50 more cells changed$/m);
      expect(text).toMatch(/^ {2}cell 20: new violation: 1; states grew: 1$/m);
      expect(text).toMatch(/^ {2}and 10 more: /m);
      expect(text).not.toMatch(/cell 60/);
    });
  });

  it('do not let names of files inject anything', async () => {
    const hostile = '\u001b[31m|`<script>x</script>\u202e.yaml';
    const files = {
      'reapcheck.suite.yaml': 'groups:\n  - scenarios: ["*<*.yaml"]\n',
      [`%0A::error::${hostile.replaceAll('/', '_')}`]: SMALL_SUITE['chain.yaml']!,
    };
    await inFolder(folderWith(files), async () => {
      const reports = FORMAT_NAMES.flatMap((name) => ['--report', `${name}=report.${name}`]);
      const { stdout } = await runGate(['-q', ...reports]);
      expect(stdout).toContain('\\x1b[31m');
      for (const text of [stdout, ...['text', 'github', 'markdown', 'json'].map(written)]) {
        expect(text).not.toMatch(/[\u001b\u202e]/);
      }
      expect(written('html')).not.toContain('<script>x');
      expect(written('markdown')).not.toMatch(/<script>x/);
      expect(written('github')).not.toMatch(/^::error::/m);
      expect((await runGate(['-q', '--update'])).code).toBe(0);
      expect(readFileSync('reapcheck.lock.json', 'utf8')).not.toMatch(/[\u001b\u202e]/);
      expect((await runGate(['-q'])).code).toBe(0);
    });
  });
});

function written(name: string): string {
  return readFileSync(`report.${name}`, 'utf8');
}
