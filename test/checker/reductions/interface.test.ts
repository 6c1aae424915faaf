import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const checker = join(dirname(fileURLToPath(import.meta.url)), '../../../checker');
const reductions = join(checker, 'reductions');

function folderOf(file: string): string | null {
  const [folder, ...rest] = relative(reductions, file).split('/');
  return folder === '..' || rest.length === 0 ? null : folder!;
}

it('only the table imports a reduction: the rest of the checker knows the interface', () => {
  const breaches = readdirSync(checker, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join(checker, name);
      const imports = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g);
      return [...imports]
        .map(([, specifier]) => folderOf(join(dirname(file), specifier!)))
        .filter((folder) => folder !== null && folder !== folderOf(file))
        .map((folder) => `${name} imports ${folder}`);
    });
  expect(breaches).toEqual([
    'reductions/table.ts imports confluence',
    'reductions/table.ts imports partial-order',
    'reductions/table.ts imports symmetry',
  ]);
});
