import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * The floors of the house, from the ground up: each folder with the folders and the packages that
 * it may import. `node:` means all of Node's own modules.
 */
const FLOORS: Readonly<
  Record<string, { readonly folders: readonly string[]; readonly packages: readonly string[] }>
> = {
  text: { folders: [], packages: ['fastest-levenshtein', 'picocolors'] },
  checker: { folders: [], packages: ['immer', 'pure-rand/', 'zod', 'node:'] },
  model: { folders: [], packages: ['immer'] },
  properties: { folders: ['text', 'model', 'checker'], packages: [] },
  input: {
    folders: ['text', 'checker', 'model', 'properties'],
    packages: [
      ...['@bufbuild/cel', '@bufbuild/cel/', '@ts-graphviz/ast', 'jsonc-parser', 'tar', 'yaml'],
      ...['zod', 'node:'],
    ],
  },
  report: {
    folders: ['text', 'checker', 'model', 'properties', 'input'],
    packages: ['@dagrejs/dagre', 'fast-xml-builder', 'immer', 'sarif', 'zod', 'node:'],
  },
  run: {
    folders: ['text', 'checker', 'model', 'properties', 'input', 'report'],
    packages: ['fast-check', 'immer', 'vitest', 'zod', 'node:'],
  },
  gate: {
    folders: ['text', 'checker', 'model', 'properties', 'input', 'report', 'run'],
    packages: ['covertable', 'picomatch', 'tinyglobby', 'zod', 'node:'],
  },
  explore: {
    folders: ['text', 'checker', 'model', 'properties', 'input', 'report', 'run'],
    packages: ['zod', 'node:'],
  },
  export: {
    folders: ['text', 'checker', 'model', 'properties', 'input', 'report', 'run'],
    // The tests that it writes import these.
    packages: ['@kubernetes/client-node', 'node:'],
  },
  conformance: {
    folders: ['text', 'checker', 'model', 'properties', 'input', 'report', 'run'],
    packages: ['immer', 'picomatch', 'tinyglobby', 'zod', 'node:'],
  },
  serve: {
    folders: ['text', 'checker', 'model', 'properties', 'input', 'report', 'run'],
    packages: [
      'ajv',
      'ajv-formats',
      'fastify',
      'immer',
      'pure-rand/',
      'rfc6902',
      'yaml',
      'zod',
      'node:',
    ],
  },
  live: {
    folders: ['text', 'input'],
    packages: ['@kubernetes/client-node', 'node:'],
  },
  fleet: {
    folders: ['text', 'checker', 'model', 'properties', 'input', 'report', 'run', 'gate'],
    packages: ['bullmq', 'ioredis', 'zod', 'node:'],
  },
  cli: {
    folders: [
      'text',
      'checker',
      'model',
      'properties',
      'input',
      'report',
      'run',
      'gate',
      'fleet',
      'explore',
      'export',
      'serve',
      'conformance',
      'live',
    ],
    packages: ['yargs', 'node:'],
  },
};

/** The code of the report page runs in a browser: it shares nothing with the rest. */
const BROWSER = 'report/page/browser';

interface Import {
  readonly from: string;
  /** A path from the root, or the name of a package. */
  readonly to: string;
  readonly isFile: boolean;
}

const FILES: readonly string[] = Object.keys(FLOORS).flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);

const TEXTS: ReadonlyMap<string, string> = new Map(
  FILES.map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

/**
 * The formatter puts each import at the beginning of a line. Imports of types count as well, and so
 * do imports while the program runs.
 */
const IMPORT = /(?:^(?:import|export)\s(?:[^';]*?\sfrom\s+)?|\bimport\()'([^']+)'/gm;

const IMPORTS: readonly Import[] = FILES.flatMap((from) =>
  [...(TEXTS.get(from) ?? '').matchAll(IMPORT)].map(([, specifier = '']) => {
    const isFile = specifier.startsWith('.');
    const file = relative(root, resolve(root, dirname(from), specifier)).replaceAll('\\', '/');
    return { from, to: isFile ? file : specifier, isFile };
  }),
);

const words = ({ from, to }: Import): string => `${from} imports ${to}`;
const folderOf = (file: string): string => file.split('/')[0] ?? '';

describe('the import walls', () => {
  for (const [folder, { folders, packages }] of Object.entries(FLOORS)) {
    it(`${folder}/ imports nothing but ${[folder, ...folders, ...packages].join(', ')}`, () => {
      const own = IMPORTS.filter(({ from }) => folderOf(from) === folder);
      const breaches = own.filter(({ to, isFile }) =>
        isFile
          ? ![folder, ...folders].includes(folderOf(to))
          : !packages.some((name) => (/[:/]$/.test(name) ? to.startsWith(name) : to === name)),
      );
      expect(breaches.map(words)).toEqual([]);
    });
  }

  it('the code of the browser imports nothing from outside', () => {
    const breaches = IMPORTS.filter(
      ({ from, to }) => from.startsWith(`${BROWSER}/`) && !to.startsWith(`${BROWSER}/`),
    );
    expect(breaches.map(words)).toEqual([]);
  });

  it('a folder with an index.ts is imported through it', () => {
    const doors = FILES.filter((file) => basename(file) === 'index.ts').map(dirname);
    const breaches = IMPORTS.filter(({ from, to, isFile }) =>
      doors.some(
        (door) =>
          isFile &&
          to.startsWith(`${door}/`) &&
          to !== `${door}/index.ts` &&
          !from.startsWith(`${door}/`),
      ),
    );
    expect(breaches.map(words)).toEqual([]);
  });

  it('no files import each other in a circle', () => {
    expect(circles().map((circle) => circle.join(' -> '))).toEqual([]);
  });

  it('the checker does not know Kubernetes', () => {
    const kubernetes = /kubernetes|finalizer|ownerReference|garbage collector/i;
    const breaches = FILES.filter(
      (file) => folderOf(file) === 'checker' && kubernetes.test(TEXTS.get(file) ?? ''),
    );
    expect(breaches).toEqual([]);
  });
});

describe('the tables of the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const foldersAt = (path: string): readonly string[] =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

  it('have each folder of code after those that it imports', () => {
    const rows = [...readme.matchAll(/^\| \[`(\w+)\/`\]/gm)].map(([, folder = '']) => folder);
    expect([...rows].sort()).toEqual(Object.keys(FLOORS).sort());
    const late = rows.flatMap((folder, row) =>
      (FLOORS[folder]?.folders ?? []).filter((imported) => rows.indexOf(imported) > row),
    );
    expect(late).toEqual([]);
  });

  it('have each folder of the checker', () => {
    const rows = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, folder = '']) => folder);
    expect([...rows].sort()).toEqual([...foldersAt('checker')].sort());
  });
});

/** Every circle that a depth-first walk closes, as the files on it. */
function circles(): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>(FILES.map((file) => [file, []]));
  for (const { from, to, isFile } of IMPORTS) if (isFile) targets.get(from)?.push(to);
  const found: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of targets.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of FILES) visit(file);
  return found;
}

describe('files and folders', () => {
  it('a file has at most 400 lines', () => {
    const long = FILES.filter((file) => (TEXTS.get(file) ?? '').split('\n').length > 401);
    expect(long).toEqual([]);
  });

  it('a folder has at most 25 files at one level', () => {
    const counts = new Map<string, number>();
    for (const file of FILES) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });

  it('cli/ has fewer than 4,800 lines', () => {
    const lines = FILES.filter((file) => folderOf(file) === 'cli').reduce(
      (sum, file) => sum + (TEXTS.get(file) ?? '').split('\n').length - 1,
      0,
    );
    expect(lines).toBeLessThan(4_800);
  });
});
