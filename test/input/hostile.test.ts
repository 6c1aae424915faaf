import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readLock } from '../../gate/lock/lock.ts';
import { documents } from '../../input/documents/documents.ts';
import { newestTime } from '../../input/manifests/leaving/times.ts';
import { InputError } from '../../text/input-error.ts';
import { dump } from '../cli/run-cli.ts';

const LEVELS = 100_000;

/** Each is refused, and takes work in proportion to its length. */
const hostile: readonly (readonly [string, string, string])[] = [
  ['lists in JSON', 'deep.json', `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`],
  ['mappings in JSON', 'deep.json', `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`],
  ['JSON without an end', 'deep.json', '['.repeat(LEVELS)],
  ['lists in YAML', 'deep.yaml', `a: ${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`],
  ['mappings in YAML', 'deep.yaml', '{a: '.repeat(LEVELS)],
  ['a line of dashes', 'deep.yaml', `${'- '.repeat(LEVELS)}x`],
  [
    'indentation',
    'deep.yaml',
    Array.from({ length: 2000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
  ],
  ['keys that are mappings', 'deep.yaml', `${'? '.repeat(1000)}x`],
  [
    'keys on lines of their own',
    'deep.yaml',
    Array.from({ length: 1000 }, (_, n) => `${' '.repeat(n)}?\n`).join(''),
  ],
  ['keys in braces', 'deep.yaml', '{? '.repeat(1000)],
  ['an alias to the mapping around it', 'self.yaml', 'a: &x\n  b: *x\n'],
  ['an alias to the list around it', 'self.yaml', '--- &x\n- *x\n- *x\n- *x\n'],
  ['graphs in graphs', 'deep.dot', `digraph {${'{'.repeat(LEVELS)}`],
];

test.each(hostile)('nesting without bound is one clear error: %s', (_, file, text) => {
  const refused = (read: () => unknown) => {
    expect(read).toThrow(InputError);
    expect(read).toThrow(/nested too deeply/);
  };
  refused(() => [...documents({ file, text })]);
  refused(() => readLock({ file, text }, 'suite.yaml'));
});

test('keys that are mappings are read in reasonable time up to the bound', () => {
  const text = `${'? '.repeat(190)}x`;
  expect([...documents({ file: 'keys.yaml', text })]).toHaveLength(1);
});

test('blank lines and comments before a document take no exponential time', () => {
  const text = `${'\r\n \n# x\n'.repeat(2000)}about: x\n`;
  expect([...documents({ file: 'blank.yaml', text })]).toHaveLength(1);
});

/** Each is one document, so that nothing can look between two of them. */
const KEYS = Array.from({ length: 3000 }, (_, n) => `key-${n}`);
const JSON_TEXT = JSON.stringify({ data: Object.fromEntries(KEYS.map((key) => [key, 'v'])) });
const large: readonly (readonly [string, string, number, number])[] = [
  ['keys.json', JSON_TEXT, 4, JSON_TEXT.length],
  ['list.json', JSON.stringify({ list: KEYS }), 3, JSON_TEXT.length],
  ['keys.json.yaml', JSON_TEXT, 10, JSON_TEXT.length],
  ['keys.yaml', `data:\n${KEYS.map((key) => `  ${key}: v\n`).join('')}`, 400, 1e6],
  ['list.yaml', `list:\n${KEYS.map((key) => `  - ${key}\n`).join('')}`, 1, 1e6],
  ['vertices.dot', readFileSync(dump('collector-graph.dot'), 'utf8'), 1, 10_000],
];

test.each(large)('within a document, limits are looked at: %s', (file, text, looks, most) => {
  const bytes: number[] = [];
  expect([...documents({ file, text }, (more = 0) => void bytes.push(more))]).not.toHaveLength(0);
  expect(bytes.length).toBeGreaterThanOrEqual(looks);
  expect(Math.max(...bytes)).toBeGreaterThanOrEqual(most);
  const full = new Error('a limit');
  const ends = () => {
    throw full;
  };
  expect(() => [...documents({ file, text }, ends)]).toThrow(full);
});

test('an object of many keys takes more than its letters do', () => {
  const asked = (value: unknown): number => {
    const bytes: number[] = [];
    const source = { file: 'a.json', text: JSON.stringify(value) };
    expect([...documents(source, (more = 0) => void bytes.push(more))]).not.toHaveLength(0);
    return Math.max(...bytes);
  };
  const labels = { labels: Object.fromEntries(KEYS.map((key) => [key, ''])) };
  // That is what V8 takes at least.
  expect(asked(labels)).toBeGreaterThan(100 * KEYS.length);
  expect(asked({ items: [{}, labels, {}] })).toBe(asked(labels));
  const few = { list: KEYS.map((key) => ({ name: key })) };
  expect(asked(few)).toBeLessThan(6 * JSON.stringify(few).length);
});

test('an alias beside its anchor is no nesting', () => {
  const [document] = [...documents({ file: 'a.yaml', text: 'a: &x {b: 1}\nc: *x\nd: [*x]\n' })];
  expect(document!.value).toEqual({ a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] });
});

test('a list may have more items than a function takes arguments', () => {
  const finalizers = Array.from({ length: 200_000 }, () => 'example.com/x');
  const manifest = { metadata: { creationTimestamp: '2026-01-01T00:00:00Z', finalizers } };
  expect(newestTime(manifest)).toBe('2026-01-01T00:00:00Z');
});
