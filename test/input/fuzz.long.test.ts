import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { readCases } from '../../conformance/facts/cases.ts';
import { tracesIn } from '../../conformance/recordings/logs/read.ts';
import { readLock } from '../../gate/lock/lock.ts';
import { readSuite } from '../../gate/suite/suite.ts';
import { documents } from '../../input/documents/documents.ts';
import { readDump } from '../../input/manifests/dump.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { readScenario } from '../../input/scenarios/scenario.ts';
import { BUILT_IN_KINDS } from '../../model/index.ts';
import { decodeToken } from '../../run/tokens/token.ts';
import { InputError } from '../../text/input-error.ts';
import { temporaryFolder } from '../cli/run-cli.ts';

const INPUTS = 2000;

const root = new URL('../../', import.meta.url);
/** Enough for each sort of object: more of them takes time, and no other path. */
const text = (path: string): string => readFileSync(new URL(path, root), 'utf8').slice(0, 6000);
const some = (folder: string, count: number): readonly string[] =>
  readdirSync(new URL(folder, root), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .slice(0, count)
    .map(({ name }) => text(`${folder}/${name}`));

/** What people give to the readers, to be damaged. */
const SEEDS = [
  ...some('test/dumps', 12),
  ...some('scenarios', 8),
  text('reapcheck.suite.yaml'),
  text('reapcheck.lock.json'),
  '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}]}',
  '[{"id":"a","title":"t","given":{},"expect":{}}]',
  '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Request","auditID":"a","verb":"delete"}\n',
  '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}}\n',
  'rt1:check:a.yaml:1.2.3@4:abcd',
];

const PIECES = [
  ...['[', '{', '? ', '- ', '&x ', '*x', '<<: *x', '__proto__: 1', '"__proto__":1,', '!!js/x y'],
  ...['\u0000', '\ufeff', '\t', '\r\n', '%YAML 9', '---', '...', '|+9', '"', "'", ': ', '}', ']'],
  ...[
    '1e999',
    '-0',
    'null',
    '~',
    '{{ x }}',
    '𝒳',
    '\ud800',
    'digraph {',
    'a -> b',
    'rt1:',
    '@',
    ',',
  ],
];

const damage = fc.oneof(
  fc.record({
    do: fc.constant('insert' as const),
    piece: fc.constantFrom(...PIECES),
    times: fc.constantFrom(1, 2, 50, 3000),
  }),
  fc.record({ do: fc.constant('cut' as const), length: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ do: fc.constant('repeat' as const), length: fc.integer({ min: 1, max: 200 }) }),
);

const inputs = fc
  .tuple(
    fc.constantFrom(...SEEDS, ''),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), damage), { maxLength: 4 }),
  )
  .map(([seed, damages]) =>
    damages.reduce((given, [place, how]) => {
      const at = Math.floor(place * given.length);
      if (how.do === 'insert')
        return given.slice(0, at) + how.piece.repeat(how.times) + given.slice(at);
      const rest = given.slice(at + how.length);
      if (how.do === 'cut') return given.slice(0, at) + rest;
      return given.slice(0, at) + given.slice(at, at + how.length).repeat(3) + rest;
    }, seed),
  );

async function* nothing(): AsyncGenerator<Uint8Array> {}

const kinds = () => new KindCatalogue(BUILT_IN_KINDS);

/** A folder for each input takes as long as reading it. */
function written(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}
let folder = '';

/** Every reader, by what it reads. */
const READERS: Readonly<Record<string, (given: string, file: string) => unknown>> = {
  documents: (given, file) => [...documents({ file, text: given })],
  dump: (given, file) =>
    readDump({ inputs: [file], sources: [{ file, text: given }], leftOut: [] }, kinds()),
  scenario: (given, file) =>
    [...documents({ file, text: given })].map((document) =>
      readScenario('fuzzed', document, kinds(), []),
    ),
  lock: (given, file) => readLock({ file, text: given }, 'reapcheck.suite.yaml'),
  suite: (given) => readSuite(written('suite.yaml', given), nothing()),
  facts: (given) => readCases([written('facts.json', given)], nothing(), { maxMegabytes: 8 }),
  trace: (given, file) => tracesIn({ file, text: given }, { partial: true }),
  token: (given) => decodeToken(given),
};

it('every reader accepts a damaged input, or refuses it with one clear error', async () => {
  folder = temporaryFolder();
  // Broken YAML has thousands of errors, and nobody reads their stacks.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  const readers = Object.entries(READERS);
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      inputs,
      fc.constantFrom(...readers),
      fc.constantFrom('a.yaml', 'a.json', 'a.dot', '<stdin>'),
      async (given, [name, read], file) => {
        let outcome = 'accepted';
        try {
          await read(given, file);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as InputError).text.what).not.toBe('');
          outcome = 'refused';
        }
        outcomes.set(`${name} ${outcome}`, 1 + (outcomes.get(`${name} ${outcome}`) ?? 0));
      },
    ),
    { numRuns: INPUTS, seed: 2099 },
  );
  for (const [name] of readers)
    expect(outcomes.get(`${name} refused`) ?? 0, name).toBeGreaterThan(50);
});
