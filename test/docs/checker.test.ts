import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

/*
 * The example in docs/checker.md is a whole program: it passes the type check and prints what the
 * page says it does. `UPDATE_GOLDEN=1` rewrites the output.
 */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const page = join(root, 'docs/checker.md');
const text = readFileSync(page, 'utf8');
const program = /```ts\n([\s\S]*?)```/.exec(text)![1]!;
const output = /(?<=```text\n)[\s\S]*?(?=```)/;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(root, 'test/docs/example-'));
  const here = program.replaceAll('reapcheck/checker', '../../../checker/index.ts');
  writeFileSync(join(folder, 'example.ts'), here);
});

afterAll(() => rmSync(folder, { recursive: true }));

it('passes the type check', () => {
  const configuration = { extends: join(root, 'tsconfig.json'), include: ['example.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('prints what the page says', async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
  await import(/* @vite-ignore */ pathToFileURL(join(folder, 'example.ts')).href);
  log.mockRestore();
  const printed = `${lines.join('\n')}\n`;
  if (process.env.UPDATE_GOLDEN === '1')
    writeFileSync(
      page,
      text.replace(output, () => printed),
    );
  else expect(output.exec(text)?.[0]).toBe(printed);
});
