import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Each link of a document leads to a file, and to a heading if it names one. */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const DOCUMENTS: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['docs', 'examples', 'deploy', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(/^```.*?^```$/gms, '');
}

/** The names that GitHub gives to the headings. */
function anchorsOf(file: string): ReadonlySet<string> {
  const found = new Map<string, number>();
  const anchors = [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const name = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const times = found.get(name) ?? 0;
    found.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
  return new Set(anchors);
}

it('links lead to files and headings that exist', () => {
  const broken = DOCUMENTS.flatMap((file) =>
    [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      const isThere =
        existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).has(anchor));
      return isThere ? [] : [`${file}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});
