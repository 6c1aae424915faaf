import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';

/*
 * The steps of docs/writing-an-operator.md are one program: it passes the type check and prints what
 * the page says. `UPDATE_GOLDEN=1` rewrites the output.
 */
const page = join(PACKAGE_FOLDER, 'docs/writing-an-operator.md');
const text = readFileSync(page, 'utf8');
const program = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code).join('\n');
const output = /(?<=```text\n)[\s\S]*?(?=```)/;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(PACKAGE_FOLDER, 'test/docs/example-'));
  const here = program
    .replaceAll('reapcheck/checker', '../../../checker/index.ts')
    .replaceAll('reapcheck/model', '../../../input/library/index.ts')
    .replaceAll('reapcheck/properties', '../../../properties/index.ts');
  writeFileSync(join(folder, 'operator.ts'), here);
});

afterAll(() => rmSync(folder, { recursive: true }));

it('passes the type check', () => {
  const extended = join(PACKAGE_FOLDER, 'tsconfig.json');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: extended, include: ['operator.ts'] }),
  );
  const tsc = join(PACKAGE_FOLDER, 'node_modules/.bin/tsc');
  expect(spawnSync(tsc, ['-p', folder], { encoding: 'utf8' }).stdout).toBe('');
});

it('prints what the page says', async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
  await import(/* @vite-ignore */ pathToFileURL(join(folder, 'operator.ts')).href);
  log.mockRestore();
  const printed = `${lines.join('\n')}\n`;
  if (process.env.UPDATE_GOLDEN === '1')
    writeFileSync(
      page,
      text.replace(output, () => printed),
    );
  else expect(output.exec(text)?.[0]).toBe(printed);
});
