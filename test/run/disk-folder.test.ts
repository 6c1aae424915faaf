import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { DiskFolder } from '../../run/disk-folder.ts';
import { dump, expectError, runCli, temporaryFolder } from '../cli/run-cli.ts';

const SCENARIO = 'late-dependent-orphan';
const timeless = (text: string): string => text.replaceAll(/"(cpu|wall)Seconds": [^,\n]*/g, '');

it.each([
  ['a scenario', SCENARIO],
  ['a module', join(PACKAGE_FOLDER, 'examples', 'models', 'alternating-bit.ts')],
])('prints the document of a search in memory, of %s, and leaves nothing', async (_what, input) => {
  const folder = temporaryFolder();
  const words = ['check', input, '--format', 'json'];
  const plain = await runCli(words);
  const filed = await runCli([...words, '--disk', folder]);
  // Files keep more of a state than memory does.
  const [filedText, plainText] = [filed, plain].map(({ stdout }) =>
    timeless(stdout).replace(/"bytesPerState": [\d.]+/g, ''),
  );
  expect(filedText).toBe(plainText);
  expect(plain.stdout).toContain('"checks"');
  expect(filed.code).toBe(plain.code);
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  [
    'a folder that is missing',
    ['--disk', '/nowhere/at-all'],
    /cannot be used for --disk \(ENOENT\)/,
  ],
  [
    'a file',
    ['--disk', join(PACKAGE_FOLDER, 'package.json')],
    /cannot be used for --disk \(ENOTDIR\)/,
  ],
  [
    '--engine naive',
    ['--disk', '.', '--engine', 'naive'],
    /--disk does not go with --engine naive/,
  ],
  ['--checkpoint', ['--disk', '.', '--checkpoint', 'x'], /--disk does not go with --checkpoint/],
])('refuses %s', async (_what, words, message) => {
  expectError(await runCli(['check', SCENARIO, ...words]), message);
});

it('refuses a question that takes several searches', async () => {
  const words = ['check', dump('survey.yaml'), '--delete', 'configmap/a', '--disk', '.'];
  expectError(await runCli(words), /--disk does not go with --delete alone/);
});

it('reads what it has written, and says where a file ends', () => {
  const folder = temporaryFolder();
  const storage = new DiskFolder(folder);
  const file = storage.open();
  file.write(Uint8Array.of(1, 2, 3, 4), 2);
  const bytes = new Uint8Array(3);
  file.read(bytes, 3);
  expect([...bytes]).toEqual([2, 3, 4]);
  expect(() => file.read(bytes, 4)).toThrow(/cannot read its own files.*too short/);
  storage.close();
});

it('says that the disk is full', () => {
  const module = pathToFileURL(join(PACKAGE_FOLDER, 'dist', 'run', 'disk-folder.js')).href;
  const program =
    `const { DiskFolder } = await import('${module}');\n` +
    `try { new DiskFolder('${temporaryFolder()}').open().write(new Uint8Array(1e6), 0); }\n` +
    `catch (error) { console.log(error.message); }\n`;
  const words = [process.execPath, '--input-type=module', '-e', program];
  // No file may have more than one block. To a program, that is a disk that is full.
  const { stdout } = spawnSync('bash', ['-c', 'ulimit -f 1; exec "$@"', 'bash', ...words], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/does not fit on the disk of .* \(EFBIG\)/);
});
