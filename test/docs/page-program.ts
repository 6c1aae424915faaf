import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';

/** The entries of the package that pages import, and the sources that stand for them. */
const ENTRIES = {
  'reapcheck/checker': '../../../checker/index.ts',
  'reapcheck/model': '../../../input/library/index.ts',
  'reapcheck/properties': '../../../properties/index.ts',
} as const;

/**
 * The blocks `ts` of a page are one program: it passes the type check and prints the first block
 * `text`. `UPDATE_GOLDEN=1` rewrites that.
 *
 * @param name of the page in docs/, such as `checker.md`.
 * @param most only so many blocks belong to the program.
 */
export function testProgramOf(name: string, most = Number.POSITIVE_INFINITY): void {
  const page = join(PACKAGE_FOLDER, 'docs', name);
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  const program = blocks.slice(0, most).join('\n');
  const output = /(?<=```text\n)[\s\S]*?(?=```)/;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(PACKAGE_FOLDER, 'test/docs/example-'));
    const here = Object.entries(ENTRIES).reduce(
      (code, [entry, source]) => code.replaceAll(entry, source),
      program,
    );
    writeFileSync(join(folder, 'program.ts'), here);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('passes the type check', () => {
    // By the name of the package, whose declarations readers have. They are also far fewer than the
    // sources.
    writeFileSync(join(folder, 'page.ts'), program);
    const configuration = {
      extends: join(PACKAGE_FOLDER, 'tsconfig.json'),
      compilerOptions: { paths: {} },
      include: ['page.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const tsc = join(PACKAGE_FOLDER, 'node_modules/.bin/tsc');
    expect(spawnSync(tsc, ['-p', folder], { encoding: 'utf8' }).stdout).toBe('');
  });

  it('prints what the page says', async () => {
    const lines: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
    await import(/* @vite-ignore */ pathToFileURL(join(folder, 'program.ts')).href);
    log.mockRestore();
    const printed = `${lines.join('\n')}\n`;
    if (process.env.UPDATE_GOLDEN === '1') {
      writeFileSync(
        page,
        text.replace(output, () => printed),
      );
    } else expect(output.exec(text)?.[0]).toBe(printed);
  });
}
