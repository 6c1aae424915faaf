import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { fieldName, lineAndColumn } from '../../input/documents/document.ts';
import { documents } from '../../input/documents/documents.ts';
import { demandDistinctKeys, jsonOffset } from '../../input/documents/json-documents.ts';
import { dump } from '../cli/run-cli.ts';

function read(text: string, file = 'x.yaml') {
  return [...documents({ file, text })];
}

describe('documents', () => {
  it('the items of a List come one by one, each with its place in the file', () => {
    const text = readFileSync(dump('ledger.yaml'), 'utf8');
    const items = read(text);
    expect(items).toHaveLength(8);
    const last = items.at(-1)!.place(['metadata', 'ownerReferences', 0, 'uid']);
    expect(last.field).toBe('items[7].metadata.ownerReferences[0].uid');
    expect(text.split('\n')[last.line! - 1]!.slice(last.column! - 1)).toMatch(/^uid: 1111/);
  });

  it('a List is read the same in one piece and item by item', () => {
    const text = readFileSync(dump('shop.yaml'), 'utf8');
    const whole = read(`%YAML 1.2\n---\n${text}`)[0]!.value as { items: unknown[] };
    expect(read(text).map(({ value }) => value)).toEqual(whole.items);
    const indented = text.replace(/(?<=items:\n).*(?=\nkind: List)/s, (items) =>
      items.replaceAll(/^/gm, '  '),
    );
    expect(read(indented).map(({ value }) => value)).toEqual(whole.items);
  });

  it('anchors work across the items of a List', () => {
    const text = 'apiVersion: v1\nitems:\n- {a: &x {b: 1}}\n- {a: *x}\nkind: List\n';
    expect(read(text).map(({ value }) => value)).toEqual([
      { apiVersion: 'v1', items: [{ a: { b: 1 } }, { a: { b: 1 } }], kind: 'List' },
    ]);
  });

  it('JSON values may follow each other, as when two commands write to one file', () => {
    const texts = read('{"a": 1}\n{"a": 2} [3]', 'x.json').map(({ value }) => value);
    expect(texts).toEqual([{ a: 1 }, { a: 2 }, [3]]);
  });

  it.each([
    ['a List', ['{"kind":"List","apiVersion":"v1","items":[', '\n,', ']}']],
    ['a typed list', ['{"apiVersion":"v1","items":[', ',', '], "kind":"PodList"}']],
    ['nothing but items', ['{"items":[', ', ', '\n]}']],
    ['values in a row', ['', '\n', '\n']],
  ])('JSON is parsed piece by piece, so that memory and time stay linear: %s', (what, text) => {
    const [head, between, tail] = text as [string, string, string];
    const values = Array.from({ length: 100 }, (_, index) => ({ metadata: { name: `n${index}` } }));
    const whole = `${head}${values.map((value) => JSON.stringify(value)).join(between)}${tail}`;
    const parse = vi.spyOn(JSON, 'parse');
    const read = [...documents({ file: 'x.json', text: whole })];
    const sizes = parse.mock.calls.map(([part]) => String(part).length);
    parse.mockRestore();
    expect(read.map(({ value }) => value)).toEqual(values);
    const listed = { apiVersion: 'v1', kind: 'Pod' };
    expect(read[7]!.listed).toEqual(what === 'a typed list' ? listed : undefined);
    const { field, line, column } = read[7]!.place(['metadata', 'name']);
    expect(field).toBe(`${what === 'values in a row' ? '' : 'items[7].'}metadata.name`);
    const asked = whole.split('\n')[line! - 1]!.slice(column! - 1);
    expect(asked).toMatch(/^"name":"n7"/);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(whole.length + 100);
    expect(Math.max(...sizes)).toBeLessThan(whole.length / 10);
  });

  it.each([
    '{"kind":"AllowList","metadata":{"name":"a"},"items":[{}]}',
    '{"kind":"List","items":[{}, null]}',
    '{"kind":"List","items":[[], {}]}',
    '{"kind":"List","items":[]}',
    '{"kind":"Pod","items":[{}]}',
    '{"spec":{"items":[{}]}}',
    '[{"items":[{}]}]',
  ])('JSON that is no list of mappings is one document: %s', (text) => {
    expect(read(text, 'x.json').map(({ value }) => value)).toEqual([JSON.parse(text)]);
  });

  it.each([
    ['{"a": 1,\n "a": 2}', 2, 2],
    ['{"b": {"x": 1}, "c": [{"x": 1, "y": "x\\":", "\\u0078": 2}]}', 1, 45],
    ['{"a": 1}\n{"b": 1, "b": 1}', 2, 10],
  ])('refuses equal keys in one object: %s', (text, line, column) => {
    for (const file of ['x.json', 'x.yaml']) {
      expect(() => read(text, file)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/^the field "[abx]" is given twice$/),
          text: expect.objectContaining({ where: { file, line, column } }),
        }),
      );
    }
  });

  it('finds no equal keys where there are none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
        demandDistinctKeys(JSON.stringify(value, null, indent), () => ({ file: 'x.json' }));
      }),
    );
  });

  it('reads flow YAML that is no JSON, a byte order mark, and CRLF', () => {
    expect(read('{a: 1}')[0]!.value).toEqual({ a: 1 });
    expect(read('{"a": 1}\n---\n{"b": 2}')).toHaveLength(2);
    expect(read('a: 1\r\n---\r\nb: 2\r\n').map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('a place is the field, or what is there of the way to it', () => {
    const [document] = read('a:\n  b: 1\n');
    expect(document!.place(['a', 'b'])).toMatchObject({ line: 2, column: 3, field: 'a.b' });
    expect(document!.place(['a', 'c', 'd'])).toMatchObject({ line: 1, column: 1, field: 'a.c.d' });
  });

  it('a place is the same whatever else was read, and whether or not its tree is kept', () => {
    const texts = ['a: 1\nb: 2\n', '# long\n\nb: 3\n', 'a: 1\n---\n\nb: 4\n'];
    const places = (text: string) => read(text).map(({ place }) => place(['b']));
    const apart = texts.map(places);
    const long = texts.map((text) => `${text}#${' '.repeat(100_000)}\n`);
    expect(long.map(places)).toEqual(apart);
    const together = [...texts, ...long].map((text) => read(text));
    const asked = together.map((all) => all.map(({ place }) => place(['b'])));
    expect(asked).toEqual([...apart, ...apart]);
    expect(apart.flat().map(({ line }) => line)).toEqual([2, 3, 1, 4]);
  });

  it('quotes fields that are no words', () => {
    expect(fieldName(['a', 0, 'b/c', 'd'])).toBe('a[0]["b/c"].d');
  });
});

describe('places in JSON', () => {
  it('are where the yaml parser finds them too', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), fc.nat(), (value, pretty, seed) => {
        const text = JSON.stringify(value, null, pretty ? 2 : 0);
        const path = somePath(JSON.parse(text), seed);
        const offset = jsonOffset(text, path);
        const step = path.at(-1);
        if (typeof step === 'string') {
          const key = JSON.stringify(step);
          expect(text.slice(offset, offset + key.length)).toBe(key);
        } else {
          const found = path.reduce<unknown>(
            (at, next) => (at as Record<string, unknown>)[next],
            JSON.parse(text),
          );
          const first = JSON.stringify(found)[0]!;
          expect(text[offset]).toBe(first);
        }
      }),
    );
  });
});

/** Some path that exists in the value. */
function somePath(value: unknown, seed: number): (string | number)[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  // The text order of integer-like and `__proto__` keys is not that of the object.
  const key = keys.filter((name) => name !== '__proto__')[seed % Math.max(1, keys.length)];
  if (key === undefined) return [];
  const next = (value as Record<string | number, unknown>)[key];
  return [key, ...somePath(next, seed >> 1)];
}

it('counts lines and columns from 1', () => {
  expect(lineAndColumn('ab\ncd', 0)).toEqual({ line: 1, column: 1 });
  expect(lineAndColumn('ab\ncd', 4)).toEqual({ line: 2, column: 2 });
  expect(lineAndColumn('ab\ncd', 3)).toEqual({ line: 2, column: 1 });
});

it('YAML of any plain value comes back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown;
      // Keys in quotes: a bare << would merge.
      const text = stringify({ value: plain }, { defaultKeyType: 'QUOTE_DOUBLE' });
      expect(read(text)[0]!.value).toEqual({ value: plain });
    }),
    { numRuns: 50 },
  );
});
