import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { compiledFor } from '../../run/compiled.ts';
import { temporaryFile, temporaryFolder } from './run-cli.ts';

/** V8 rejects what was compiled without this option, so the command loads modules: all of 20 to 24. */
const BY_MODULES = '--stack-trace-limit=11';

function run(
  words: readonly string[],
  nodeOptions: string,
): { urls: readonly string[]; outcome: unknown } {
  const folder = temporaryFolder();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js'), ...words],
    {
      env: { ...process.env, NODE_V8_COVERAGE: folder, NODE_OPTIONS: nodeOptions },
      encoding: 'utf8',
    },
  );
  const urls = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url);
  });
  return { urls, outcome: { status, stdout: stdout.replace(/[\d.]+ s\b/g, 'SECONDS'), stderr } };
}

/** The folders of ours and the packages of others from which the command loads modules. */
function loadedFor(words: readonly string[]): {
  folders: ReadonlySet<string>;
  files: number;
  bytes: number;
} {
  const { urls: all, outcome } = run(words, BY_MODULES);
  expect(outcome).toMatchObject({ status: 0 });
  const urls = all.filter((url) => url.startsWith('file:'));
  const names = urls.map(
    (url) =>
      url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ??
      url.match(/\/dist\/((?:report|run|cli)\/[^/]+|[^/]+)/)?.[1] ??
      url,
  );
  const bytes = urls.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
  return { folders: new Set(names), files: urls.length, bytes };
}

const ELSEWHERE = [
  ...['conformance', 'explore', 'gate', 'report/page', 'report/pictures', 'run/questions'],
  ...[
    '@bufbuild/cel',
    '@dagrejs/dagre',
    'covertable',
    'fast-xml-builder',
    'picomatch',
    'tinyglobby',
  ],
];
const FOR_CHECKS = [
  ...['checker', 'model', 'properties', 'run/assemble.js', 'cli/commands'],
  ...['@ts-graphviz/ast', 'immer', 'jsonc-parser', 'pure-rand', 'tar', 'yaml', 'zod'],
];

it.each([
  { words: ['--help'], absent: [...ELSEWHERE, ...FOR_CHECKS], kilobytes: 300 },
  { words: ['check', '--help'], absent: [...ELSEWHERE, ...FOR_CHECKS], kilobytes: 300 },
  { words: ['--version'], absent: [...ELSEWHERE, ...FOR_CHECKS], kilobytes: 300 },
  { words: ['check', 'background-chain'], absent: ELSEWHERE, kilobytes: 2_190 },
  // Only dumps with expressions need what evaluates them.
  {
    words: ['delete', 'test/dumps/deployment.yaml', 'deploy/web', '-n', 'prod'],
    absent: ['@bufbuild/cel'],
    kilobytes: 2_830,
  },
])('loads for $words no module that it does not need', ({ words, absent, kilobytes }) => {
  const { folders, files, bytes } = loadedFor(words);
  expect(absent.filter((name) => folders.has(name))).toEqual([]);
  expect(files).toBeGreaterThan(10);
  expect(bytes / 1000).toBeLessThan(kilobytes);
});

describe('what was compiled with the build', () => {
  const COUNTER = `
    export const model = {
      name: 'counter',
      initial: [{ count: 0 }],
      slots: { count: 'value' },
      actions: { count: { fairness: 'none', reduce: (draft) => void (draft.count = 1) } },
    };
    const holds = ({ count }) => count < 2;
    export const properties = [{ kind: 'invariant', name: 'small', holds }];`;
  const COMPILED = /\/compiled\/run\.cjs$/;
  const COMMANDS = /\/cli\/run\.js$/;

  it.each([
    ['a check', 0, () => 'background-chain'],
    ['an error', 2, () => 'background-chian'],
    ['a module of a user', 0, () => temporaryFile('counter.mjs', COUNTER)],
  ])('does what the modules do: %s', (_, status, input) => {
    const words = ['check', input()];
    const ahead = run(words, '');
    const byModules = run(words, BY_MODULES);
    expect(ahead.outcome).toMatchObject({ status });
    expect(ahead.outcome).toEqual(byModules.outcome);
    expect(ahead.urls.filter((url) => COMPILED.test(url))).toHaveLength(1);
    expect(ahead.urls.filter((url) => COMMANDS.test(url))).toEqual([]);
    expect(byModules.urls.filter((url) => COMMANDS.test(url))).toHaveLength(1);
  });

  it('has all modules of the commands that it is loaded for', () => {
    const script = readFileSync(join(PACKAGE_FOLDER, 'dist/cli/compiled/run.cjs'), 'latin1');
    const absent = [...script.matchAll(/importModule\("(\.\/commands\/[^"]+)"\)/g)];
    expect(absent.map(([, name]) => name)).toContain('./commands/serve.ts');
    const table = readFileSync(join(PACKAGE_FOLDER, 'cli/run.ts'), 'utf8');
    const commands = [
      ...table.matchAll(/^ {2}'?([\w-]+)'?: async [\s\S]*?(?=^ {2}\S+ async|^};)/gm),
    ];
    const compiled = commands.filter(([, name]) => compiledFor(name) !== null);
    expect(compiled.map(([, name]) => name)).toContain('delete');
    for (const [words] of compiled) {
      expect(absent.filter(([, name]) => words.includes(`'${name}'`))).toEqual([]);
    }
  });
});
