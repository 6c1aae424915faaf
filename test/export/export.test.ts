import { spawnSync } from 'node:child_process';
import { parse } from 'acorn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadModule } from '../../cli/modules.ts';
import { testCaseOf } from '../../export/case.ts';
import { EXPORT_FORMATS } from '../../export/format-names.ts';
import { written } from '../../export/formats.ts';
import { sourceRun } from '../../export/source.ts';
import type { Expectation, StartObject, TestCase, TestRequest } from '../../export/test-case.ts';
import { dump, runCli } from '../cli/run-cli.ts';
import { expectGoldenFile } from '../report/golden-file.ts';

async function* nothing(): AsyncGenerator<Uint8Array> {}

const TOKEN = 'rt1:late-dependent-orphan:PJmnxpCB:ATAoAQAdB7AiA8AQA7A4AiApASANAW:WTIT:6DP8';
const ENDINGS = { 'go-envtest': 'go', kubectl: 'sh', 'node-test': 'mjs' } as const;
const HAS_GOFMT = spawnSync('gofmt', ['-h']).error === undefined;
const HAS_BASH = spawnSync('bash', ['--version']).status === 0;

const chosen = (input: string) =>
  sourceRun(
    { input, check: null, property: null, maxMegabytes: 10, limits: {} },
    nothing(),
    loadModule,
  );

it.each(EXPORT_FORMATS)('a counterexample as %s', async (format) => {
  const text = written(testCaseOf(await chosen(TOKEN)), format);
  expectGoldenFile(`export-${format}.${ENDINGS[format]}`, text);
});

/** Names with everything that ends a text, a line, a comment or a command somewhere. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        ...["'", '"', '`', '\\', '$(touch x)', '$x', '\n', '\r', '\u2028', '*/', '//', '#'],
        ...['\0', '!', '&', ';', '|', '<<E', 'EOF', '-n', '\ud800', '\ufeff', '\u202e', ' '],
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);
/** Command lines and files of shells cannot have this character, and names of objects do not. */
const named = hostile.map((text) => text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '?'));

const target = fc.record({
  apiVersion: fc.constantFrom('v1', 'example.com/v1'),
  kind: named,
  plural: named,
  namespace: named,
  name: named,
});
const manifest = fc.record({ metadata: fc.record({ name: named, uid: named }) });
const end: fc.Arbitrary<Expectation['end']> = fc.oneof(
  fc.constant({ is: 'gone' as const }),
  fc.record({
    is: fc.constant('there' as const),
    uid: fc.option(named),
    finalizers: fc.option(fc.array(named, { maxLength: 2 })),
    owners: fc.option(fc.array(named, { maxLength: 2 })),
    deleting: fc.option(fc.boolean()),
  }),
);
const does: fc.Arbitrary<TestRequest['does']> = fc.oneof(
  fc.record({ verb: fc.constant('create' as const), manifest, uid: named }),
  fc.record({ verb: fc.constant('read' as const), user: named }),
  fc.record({ verb: fc.constant('patch' as const), patch: manifest, versionOf: fc.option(named) }),
  fc.record({
    verb: fc.constant('delete' as const),
    options: fc.record({ preconditions: fc.record({ uid: named }) }),
    versionOf: fc.option(named),
  }),
);
const start: fc.Arbitrary<StartObject> = fc.record({
  target,
  uid: named,
  manifest,
  deleted: fc.constantFrom('Foreground' as const, 'Orphan' as const, null),
});
const testCase: fc.Arbitrary<TestCase> = fc.record({
  title: hostile,
  about: fc.option(hostile),
  property: hostile,
  token: named,
  protocol: fc.constant('v1.33'),
  start: fc.array(start, { maxLength: 3 }),
  requests: fc.array(
    fc.record({ step: fc.nat(20), words: hostile, target, does, overlaps: fc.boolean() }),
    { maxLength: 4 },
  ),
  expected: fc.array(fc.record({ target, words: hostile, end }), { maxLength: 3 }),
  actors: fc.array(hostile, { maxLength: 2 }),
  controllers: fc.array(hostile),
  otherSteps: fc.nat(3),
  customKinds: fc.array(hostile, { maxLength: 2 }),
});

describe('names that were made to break out of a test', () => {
  it('leave JavaScript valid, with the same values', () => {
    fc.assert(
      fc.property(testCase, (test) => {
        const program = parse(written(test, 'node-test'), {
          ecmaVersion: 'latest',
          sourceType: 'module',
        });
        const names = JSON.stringify(program).includes(JSON.stringify(test.token));
        expect(names).toBe(true);
      }),
    );
  });

  it.skipIf(!HAS_BASH)('are the same words in bash (skipped where there is no bash)', () => {
    fc.assert(
      fc.property(testCase, (test) => {
        const script = written(test, 'kubectl');
        const noted = script.replace('\nconnect\n', `\n${NOTING}\n`);
        const { status, stdout, stderr } = spawnSync('bash', { input: noted, encoding: 'utf8' });
        expect([status, stderr]).toEqual([0, '']);
        const words = stdout.split('\0');
        for (const { uid, manifest: given } of test.start) {
          expect(words).toContain(uid);
          expect(words).toContain(JSON.stringify(given));
        }
        for (const { target: object, end: wanted } of test.expected) {
          expect(words).toContain(object.name);
          if (wanted.is === 'there' && wanted.uid !== null) expect(words).toContain(wanted.uid);
        }
      }),
      { numRuns: 50 },
    );
  });

  it.skipIf(!HAS_GOFMT)('leave Go as gofmt writes it (skipped where there is no gofmt)', () => {
    fc.assert(
      fc.property(testCase, (test) => {
        const source = written(test, 'go-envtest');
        const { stdout, stderr } = spawnSync('gofmt', { input: source, encoding: 'utf8' });
        expect(stderr).toBe('');
        expect(stdout).toBe(source);
      }),
      { numRuns: 30 },
    );
  });
});

/** Takes the place of what the script does: each function prints its words. */
const NOTING = [
  'note() { printf "%s\\0" "$@"; }',
  ...[
    'start',
    'at',
    'send',
    'begin',
    'gone',
    'there',
    'same',
    'same_uid',
    'deleting',
    'kubectl',
  ].map((name) => `${name}() { note "$@"; }`),
  'rest() { :; }',
  'version_of() { :; }',
  'run=yes',
].join('\n');

describe('what cannot be a test', () => {
  const refused = async (words: readonly string[]): Promise<string> => {
    const { code, stderr } = await runCli(['export', ...words]);
    expect(code).toBe(2);
    return stderr;
  };

  it('is refused: what has no counterexample, and several to choose from', async () => {
    const exported = async (words: readonly string[], more: readonly string[] = []) => {
      const { stdout: stdin } = await runCli([...words, '-q', '--format', 'json']);
      const { code, stderr } = await runCli(['export', '-', '--to', 'kubectl', ...more], { stdin });
      expect(code).toBe(2);
      return stderr;
    };
    const holding = ['check', 'background-chain', '--property', 'nothing-stuck'];
    expect(await exported(holding)).toMatch(/- has no counterexample\n/);
    const race = ['check', 'late-dependent-orphan', '--property', 'orphans-survive'];
    expect(await exported(race, ['--property', 'orphans-survives'])).toMatch(
      /has no counterexample to "orphans-survives"/,
    );
    // Of an answer, only what can go wrong is a counterexample.
    const answer = ['delete', dump('orphan-race.yaml'), 'cm/owner', '-n', 'x'];
    const choices = await exported([...answer, '--cascade', 'orphan']);
    expect(choices).toMatch(/has 3 counterexamples/);
    expect(choices).toMatch(/--check \d --property 'orphaned objects are not collected'/);
  });

  it('is refused: no format, no run, no such property', async () => {
    expect(await refused([TOKEN])).toMatch(/to/);
    expect(await refused([TOKEN, '--to', 'perl'])).toMatch(/go-envtest/);
    expect(await refused(['rt1:x', '--to', 'kubectl'])).toMatch(/not complete/);
    expect(await refused(['no-such.json', '--to', 'kubectl'])).toMatch(/no-such.json/);
    expect(await refused([TOKEN, '--property', 'nothing-stuck', '--to', 'kubectl'])).toMatch(
      /--property has no effect with a token/,
    );
  });
});
