import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANY_TRACE } from '../../report/document/traces.ts';
import { FORMAT_NAMES, formatNamed } from '../../report/format-names.ts';
import { renderJson } from '../../report/formats/json.ts';
import { rendererOf } from '../../report/formats.ts';
import { UNSAFE } from '../../text/escape.ts';
import { PLAIN } from '../../text/layout.ts';
import { expectError, runCli, temporaryFile, temporaryFolder } from '../cli/run-cli.ts';
import { FACTS, GATE, TRACES, VERDICTS } from './documents.ts';
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts';
import { STORED } from './stored-result.ts';

const LATE = ['check', 'late-dependent-orphan', '--property', 'orphaned objects are not collected'];

/** `--report` for each of these formats, to files named after them. */
function reportsTo(folder: string, formats: readonly string[]): readonly string[] {
  return formats.flatMap((format) => ['--report', `${format}=${join(folder, format)}`]);
}

describe('render', () => {
  it.each([
    ['one check', LATE],
    ['several', ['check', 'background-chain', 'late-dependent-orphan', '--protocol', 'v1.7']],
  ])('makes of the stored document what the command itself has written: %s', async (_, words) => {
    const folder = temporaryFolder();
    const formats = FORMAT_NAMES.filter(
      (name) => !['states', 'answer'].includes(formatNamed(name).shows),
    );
    const direct = await runCli([...words, ...reportsTo(folder, formats), '--quiet']);
    expect(direct.stderr).toBe('');
    expect(readdirSync(folder).sort()).toEqual([...formats].sort());
    for (const format of formats) {
      const again = await runCli(['render', join(folder, 'json'), '--format', format, '--quiet']);
      expect(again, format).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout, format).toBe(readFileSync(join(folder, format), 'utf8'));
    }
    expect(readFileSync(join(folder, 'text'), 'utf8')).toBe(direct.stdout);
  });

  it.each(Object.entries({ FACTS, TRACES, VERDICTS, GATE, ...HOSTILE_DOCUMENTS }))(
    'reads back a document as it was written: %s',
    async (_, document) => {
      const text = renderJson(document);
      const { stdout, code } = await runCli(['render', '-', '--format', 'json'], { stdin: text });
      expect(code).toBe(0);
      expect(stdout).toBe(text);
    },
  );

  it('reads what conform has written', async () => {
    const facts = 'conformance/facts/data/delete-attempt.json';
    const { stdout } = await runCli(['conform', 'facts', facts, '--format', 'json']);
    const direct = await runCli(['conform', 'facts', facts, '--format', 'junit']);
    const again = await runCli(['render', '-', '--format', 'junit'], { stdin: stdout });
    expect(again).toEqual({ ...direct, code: 0 });
    expect(direct.stdout).toContain('<testcase ');
  });

  it('chooses a trace by check and property, and tells of the others', async () => {
    const stdin = renderJson(VERDICTS);
    const words = ['render', '-', '--format', 'mermaid'];
    const first = await runCli(words, { stdin });
    expect(first.stderr).toMatch(/shows the trace of ".*" in violated; there are \d+ more\n/);
    const other = await runCli([...words, '--check', 'as documented'], { stdin });
    expect(other.stderr).toContain('"orphaned objects are not collected" in as documented');
    expect(other.stdout).not.toBe(first.stdout);
    const wrong = await runCli([...words, '--check', 'as documentet'], { stdin });
    expectError(wrong, /no trace of "as documentet"/, /did you mean "as documented"\?/);
    const useless = await runCli(['render', '-', '--format', 'junit', '--check', 'x'], { stdin });
    expectError(useless, /--check has no effect with --format junit/);
  });

  it.each(Object.entries(HOSTILE_DOCUMENTS))(
    'writes nothing that could steer a terminal or reorder a line: %s',
    async (_, document) => {
      const folder = temporaryFolder();
      const words = ['render', '-', '--traces', ...reportsTo(folder, FORMAT_NAMES)];
      const { code, stdout } = await runCli(words, { stdin: renderJson(document) });
      expect(code).toBe(0);
      const written = readdirSync(folder).map((name): [string, string] => [
        name,
        readFileSync(join(folder, name), 'utf8'),
      ]);
      expect(written.length).toBeGreaterThan(5);
      for (const [name, text] of [['stdout', stdout] as const, ...written]) {
        const unsafe = text.replaceAll('\n', '').match(UNSAFE)?.[0];
        expect(unsafe, `${name}: \\u${unsafe?.codePointAt(0)?.toString(16)}`).toBeUndefined();
      }
    },
  );

  const text = renderJson(TRACES);

  it.each([
    ['', /it is empty|names no schema/],
    [text.slice(0, text.length / 2), /not valid JSON/],
    [`${text}${text}`, /a second document behind the first/],
    [text.replace('traces/v1', 'traces/v2'), /its schema is reapcheck\.traces\/v2/],
    [text.replace('traces/v1', 'replay/v1'), /expected: schema reapcheck\.result\/v1, /],
    [text.replace('"partial": false', '"partial": 1'), /partial is 1\n {2}at .*:5:/],
    [
      text.replace('"partial"', '"__proto__": {}, "partial"'),
      /a field named __proto__\n {2}at .*:5:/,
    ],
    [
      text.replace('"model": null', `"model": ${'['.repeat(9999)}${']'.repeat(9999)}`),
      /nested too deep/,
    ],
    [text.replace('"audit.log"', '7'), /traces\[1\]\.file is 7/],
    [text.replace('"exitCode": 1', '"exitCode": 5'), /exitCode is 5/],
  ])('refuses what is none of its documents: %#', async (stdin, message) => {
    for (const format of ['text', 'sarif']) {
      expectError(await runCli(['render', '-', '--format', format], { stdin }), message);
    }
  });
});

it('a forged token in a document is quoted as one word of a shell', async () => {
  const [check] = STORED.lasso!.checks;
  const tokens = check!.result.properties.map(({ name }) => ({ property: name, token: 'x; id' }));
  const document = { ...STORED.lasso!, checks: [{ ...check!, tokens }] };
  for (const name of ['text', 'html', 'sarif', 'junit', 'markdown'] as const) {
    const text = (await rendererOf(name)).render(document, {
      ...{ colors: PLAIN, traces: true, full: false, choice: ANY_TRACE },
    });
    expect(text, name).toMatch(/reapcheck replay ('|&apos;|&#39;|&#x27;)x; id/);
  }
});

describe('--report', () => {
  it('finds out at once what cannot be written, and then writes nothing', async () => {
    const folder = temporaryFolder();
    const good = `json=${join(folder, 'good.json')}`;
    const words = ['check', 'foreground-diamond', '--report', good];
    const nowhere = await runCli([...words, '--report', 'junit=/nowhere/x.xml']);
    expectError(nowhere, /\/nowhere\/x\.xml cannot be written \(ENOENT\)/, /--report/);
    mkdirSync(join(folder, 'sub'));
    expectError(await runCli([...words, '--report', `sarif=${join(folder, 'sub')}`]), /EISDIR/);
    expect(readdirSync(folder)).toEqual(['sub']);
  });

  it('takes two names of one file for what they are', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.xml');
    const words = ['check', 'foreground-diamond', '--report', `junit=${file}`];
    const twice = [`sarif=${file}`, `text=${folder}/./a.xml`];
    for (const other of twice) {
      expectError(await runCli([...words, '--report', other]), /would be written twice/);
    }
    expectError(await runCli([...words, '--output', file]), /would be written twice/);
    writeFileSync(file, 'old');
    symlinkSync(file, join(folder, 'link'));
    const link = `sarif=${join(folder, 'link')}`;
    expectError(await runCli([...words, '--report', link]), /would be written twice/);
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['a.xml', 'link']);
  });

  it.each([
    ['junti=x.xml', /--report does not know the format "junti"/, /did you mean "junit"\?/],
    ['spreadsheet=x', /--report does not know the format "spreadsheet"/, /available: text, json/],
    ['junit', /--report does not take "junit"/, /FORMAT=FILE/],
    ['junit=', /'' cannot be written/, /--report/],
  ])('refuses %s', async (given, ...messages) => {
    expectError(await runCli(['check', 'foreground-diamond', '--report', given]), ...messages);
    const conform = ['conform', 'facts', 'conformance/facts/data/delete-attempt.json'];
    expectError(await runCli([...conform, '--report', given]), ...messages);
  });

  it('of a document without traces: a comment where the format has comments, else nothing', async () => {
    const folder = temporaryFolder();
    const stdin = renderJson(FACTS);
    const { code, stderr } = await runCli(
      ['render', '-', ...reportsTo(folder, ['itf', 'mermaid', 'markdown'])],
      { stdin },
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/itf is not written: the document has no trace/);
    expect(existsSync(join(folder, 'itf'))).toBe(false);
    expect(readFileSync(join(folder, 'mermaid'), 'utf8')).toMatch(/^sequenceDiagram\n.*no trace/s);
    const alone = ['render', '-', '--format', 'itf', ...reportsTo(folder, ['junit'])];
    expectError(await runCli(alone, { stdin }), /the document has no trace/);
    expect(readdirSync(folder).sort()).toEqual(['junit', 'markdown', 'mermaid']);
  });

  it('is written when a run is interrupted, and shows nothing as green that was left out', async () => {
    const folder = temporaryFolder();
    const words = ['check', 'foreground-chain', 'orphan-chain'];
    const { code } = await runCli([...words, ...reportsTo(folder, ['json', 'junit', 'sarif'])], {
      onListen: (interrupt) => interrupt(),
    });
    expect(code).toBe(130);
    const junit = readFileSync(join(folder, 'junit'), 'utf8');
    expect(junit).toMatch(/<testcase name="the check is run" classname="orphan-chain">\s*<error/);
    expect(junit).not.toMatch(/<testcase [^>]*\/>/);
    expect(readFileSync(join(folder, 'sarif'), 'utf8')).toContain('"exitCode": 130');
  });

  it('is not part of the line that repeats a check', async () => {
    const folder = temporaryFolder();
    const { stdout } = await runCli([...LATE, '--format=text', ...reportsTo(folder, ['json'])]);
    expect(stdout).toMatch(
      / {2}Again .*reapcheck check late-dependent-orphan --property orphans-survive\n/,
    );
  });
});

describe('the job summary', () => {
  const summaryOf = async (words: readonly string[], file: string) =>
    runCli(words, { env: { GITHUB_STEP_SUMMARY: file } });

  it('gets Markdown beside the annotations, behind what is there', async () => {
    const file = temporaryFile('summary.md', 'before\n');
    const { stdout } = await summaryOf([...LATE, '--format', 'github'], file);
    expect(stdout).toMatch(/^::notice file=scenarios\/late-dependent-orphan\.yaml,line=36,/);
    const markdown = await runCli([...LATE, '--format', 'markdown']);
    const timeless = (text: string) => text.replaceAll(/\d+\.\d s/g, 'T s');
    expect(timeless(readFileSync(file, 'utf8'))).toBe(timeless(`before\n${markdown.stdout}\n`));
  });

  it('is left alone by other formats, and refused at once if it cannot be written', async () => {
    const file = temporaryFile('summary.md', 'before\n');
    await summaryOf([...LATE, '--format', 'junit'], file);
    expect(readFileSync(file, 'utf8')).toBe('before\n');
    const nowhere = await summaryOf([...LATE, '--format', 'github'], '/nowhere/summary.md');
    expectError(nowhere, /GITHUB_STEP_SUMMARY\) cannot be written/);
  });

  it('stays below the limit of GitHub, whatever is there', async () => {
    const file = temporaryFile('summary.md', 'x'.repeat(1_048_300));
    await summaryOf([...LATE, '--format', 'github'], file);
    const text = readFileSync(file, 'utf8');
    expect(text.length).toBeLessThanOrEqual(1_048_576);
    expect(text.slice(1_048_300)).toMatch(/parts? left out: there is no room for more here/);
  });
});
