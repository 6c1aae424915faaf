import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'acorn';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScenarioCell } from '../../gate/cell.ts';
import { checkCode, codeDigests, GATE_CODE, loadedBy } from '../../gate/run/code-digest.ts';
import { cellInputs, cellKey } from '../../gate/run/digest.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { CODE, cellOf } from './cells.ts';

/** A copy of the compiled code below the package, so that it finds its packages. */
const folder = join(PACKAGE_FOLDER, 'node_modules', '.cache', `reapcheck-code-${process.pid}`);
beforeAll(() => cpSync(join(PACKAGE_FOLDER, 'dist'), join(folder, 'dist'), { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('every byte of the code changes the digest of its part only, and no other byte changes any', () => {
  const place = { ...GATE_CODE, folder: join(folder, 'dist'), sources: folder };
  const before = codeDigests(place);
  const parts = {
    'model/system.js': 'model',
    'model/collector/lookup.js': 'model',
    'checker/search.js': 'checker',
    'properties/index.js': 'properties',
    'input/scenarios/scenario.js': 'input',
    'gate/run/run-cell.js': 'input',
    'report/text/text.js': null,
    'tools/mutate/run.js': null,
    '../docs/model.md': null,
  };
  for (const [name, part] of Object.entries(parts)) {
    const file = join(place.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '\n', { flag: 'a' });
    const after = codeDigests(place);
    if (part !== null) expect(() => checkCode(before, place)).toThrow(/was recompiled/);
    const changed = Object.entries(after).filter(
      ([key, digest]) => before[key as keyof typeof before] !== digest,
    );
    expect([name, changed.map(([key]) => key)]).toEqual([name, part === null ? [] : [part]]);
    if (part !== null) writeFileSync(file, readFileSync(file, 'utf8').slice(0, -1));
  }
  expect(codeDigests(place)).toEqual(before);
  checkCode(before, place);
});

it('knows every module that is loaded', () => {
  const { files, packages } = loadedBy({ ...GATE_CODE, sources: '/nowhere' });
  const names = new Set(files.map(({ file }) => file));
  const missing = files.flatMap(({ file, text }) => {
    const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
    return body
      .flatMap((node) => ('source' in node && node.source ? [String(node.source.value)] : []))
      .filter((source) => {
        if (source.startsWith('node:')) return false;
        return source.startsWith('.')
          ? !names.has(join(dirname(file), source))
          : !packages.some((name) => source === name || source.startsWith(`${name}/`));
      })
      .map((source) => `${file} imports ${source}`);
  });
  expect(missing).toEqual([]);
  expect(names.size).toBeGreaterThan(200);
});

it('refuses compiled code that is older than its source, or that is missing', () => {
  const place = { ...GATE_CODE, folder: join(folder, 'dist'), sources: folder };
  mkdirSync(join(folder, 'model'), { recursive: true });
  const source = join(folder, 'model', 'system.ts');
  writeFileSync(source, '');
  expect(() => codeDigests(place)).toThrow(/model\/system.ts is newer than the compiled code/);
  utimesSync(source, 0, 0);
  codeDigests(place);
  const compiled = join(folder, 'dist', 'model', 'system.js');
  writeFileSync(compiled, "await import('./other.js');", { flag: 'a' });
  expect(() => codeDigests(place)).toThrow(/dist\/model\/other.js is not there/);
  writeFileSync(compiled, 'await import(other);', { flag: 'a' });
  expect(() => codeDigests(place)).toThrow(/imports while it runs/);
  rmSync(compiled);
  expect(() => codeDigests(place)).toThrow(/dist\/model\/system.js is not there/);
});

it('every input of a cell changes its key and the digest of its part', async () => {
  const cell = await cellOf('background-chain');
  const { plan, text } = cell;
  const { rules } = plan.setup;
  const changes: readonly (readonly [
    Partial<ScenarioCell>,
    keyof ReturnType<typeof cellInputs> | null,
  ])[] = [
    [{ text: text.replace(/.$/s, ' ') }, 'scenario'],
    [
      { plan: { ...plan, setup: { ...plan.setup, rules: { ...rules, cycleBreaking: 'none' } } } },
      'rules',
    ],
    [{ plan: { ...plan, properties: plan.properties.slice(1) } }, 'question'],
    [{ limits: { states: 10 } }, 'question'],
    [{ reductions: ['symmetry'] }, 'question'],
    [{ parameters: [{ name: 'workers', value: '2' }] }, 'question'],
    [{ parameters: [{ name: 'protocol', value: 'v1.7' }] }, null],
    [{ plan: { ...plan, setup: { ...plan.setup, deleteWorkers: 2 } } }, null],
    [{ file: 'elsewhere.yaml' }, null],
  ];
  const before = cellInputs(cell);
  for (const [change, part] of changes) {
    const changed = { ...cell, ...change };
    expect(cellKey(changed, CODE)).not.toBe(cellKey(cell, CODE));
    const after = cellInputs(changed);
    const parts = Object.keys(before).filter(
      (key) => before[key as keyof typeof before] !== after[key as keyof typeof after],
    );
    expect(parts).toEqual(part === null ? [] : [part]);
  }
  for (const part of Object.keys(CODE)) {
    expect(cellKey(cell, { ...CODE, [part]: 'other' })).not.toBe(cellKey(cell, CODE));
  }
  expect(cellKey(structuredClone(cell), { ...CODE })).toBe(cellKey(cell, CODE));
});
