import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { temporaryFolder } from './run-cli.ts';

/** The folders of ours and the packages of others from which the compiled command loads modules. */
function loadedFor(words: readonly string[]): { folders: ReadonlySet<string>; files: number } {
  const folder = temporaryFolder();
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js'), ...words],
    { env: { ...process.env, NODE_V8_COVERAGE: folder }, encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  const urls = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
  const names = urls.map(
    (url) =>
      url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ??
      url.match(/\/dist\/((?:report|run|cli)\/[^/]+|[^/]+)/)?.[1] ??
      url,
  );
  return { folders: new Set(names), files: urls.length };
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
  { words: ['--help'], absent: [...ELSEWHERE, ...FOR_CHECKS], most: 100 },
  { words: ['check', '--help'], absent: [...ELSEWHERE, ...FOR_CHECKS], most: 100 },
  { words: ['--version'], absent: [...ELSEWHERE, ...FOR_CHECKS], most: 100 },
  { words: ['check', 'background-chain'], absent: ELSEWHERE, most: 740 },
  // Only dumps with expressions need what evaluates them.
  {
    words: ['delete', 'test/dumps/deployment.yaml', 'deploy/web', '-n', 'prod'],
    absent: ['@bufbuild/cel'],
    most: 740,
  },
])('loads for $words no module that it does not need', ({ words, absent, most }) => {
  const { folders, files } = loadedFor(words);
  expect(absent.filter((name) => folders.has(name))).toEqual([]);
  expect(files).toBeGreaterThan(10);
  expect(files).toBeLessThan(most);
});
