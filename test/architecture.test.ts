import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What each layer may import: its own files, these layers, and these packages. */
const WALLS: Readonly<Record<string, { layers: readonly string[]; packages: readonly string[] }>> =
  {
    checker: { layers: [], packages: ['immer', 'pure-rand/', 'zod', 'node:'] },
    model: { layers: [], packages: ['immer'] },
    properties: { layers: ['model', 'checker'], packages: [] },
    web: { layers: [], packages: [] },
  };

function sources(layer: string): readonly string[] {
  return readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, layer, name));
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

describe('the import walls', () => {
  for (const [layer, allowed] of Object.entries(WALLS)) {
    it(`${layer}/ imports nothing but ${[layer, ...allowed.layers, ...allowed.packages].join(', ')}`, () => {
      const files = sources(layer);
      expect(files.length).toBeGreaterThan(0);
      const breaches = files.flatMap((file) =>
        importsOf(file)
          .filter((specifier) => {
            if (!specifier.startsWith('.')) {
              return !allowed.packages.some((name) =>
                /[:/]$/.test(name) ? specifier.startsWith(name) : specifier === name,
              );
            }
            const target = relative(root, resolve(dirname(file), specifier)).split('/')[0] ?? '';
            return target !== layer && !allowed.layers.includes(target);
          })
          .map((specifier) => `${relative(root, file)} imports ${specifier}`),
      );
      expect(breaches).toEqual([]);
    });
  }

  it('nothing imports cli/', () => {
    const breaches = ['checker', 'model', 'properties', 'web', 'bench']
      .flatMap((layer) => sources(layer))
      .filter((file) => importsOf(file).some((specifier) => /(^|\/)cli\//.test(specifier)));
    expect(breaches).toEqual([]);
  });

  it('the checker does not know Kubernetes', () => {
    const words = /kubernetes|finalizer|ownerReference|garbage collector/i;
    const breaches = sources('checker').filter((file) => words.test(readFileSync(file, 'utf8')));
    expect(breaches.map((file) => relative(root, file))).toEqual([]);
  });
});

describe('files', () => {
  it('have at most 400 lines', () => {
    const long = ['checker', 'model', 'properties', 'cli', 'web', 'bench']
      .flatMap((layer) => sources(layer))
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 401);
    expect(long.map((file) => relative(root, file))).toEqual([]);
  });
});
