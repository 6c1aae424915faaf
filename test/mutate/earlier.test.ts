import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readEarlier } from '../../tools/mutate/earlier.ts';
import { allMutants, mutantWords } from '../../tools/mutate/mutants.ts';

const folder = mkdtempSync(join(tmpdir(), 'earlier-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const file = join(folder, 'mutants.json');
  writeFileSync(file, text);
  return file;
}

const killed = {
  fate: 'killed',
  scenario: 'a',
  property: 'b',
  expected: 'holds',
  found: 'violated',
};

function resultOf(...words: readonly string[]): string {
  const trials = words.map((line) => ({ words: line, fate: killed }));
  return written(JSON.stringify({ schema: 'reapcheck.mutants/v1', tried: 'digest', trials }));
}

const RULE = 'rule cycleBreaking=none';

it('a result of the same code and scenarios is recognized', () => {
  const file = resultOf(RULE);
  expect(readEarlier(file, 'digest')).toMatchObject({ isSame: true });
  expect(readEarlier(file, 'other')).toMatchObject({ isSame: false });
  expect(readEarlier(file, 'digest')?.fates.get(RULE)).toEqual(killed);
});

it('what two mutants are called says nothing about either', () => {
  const all = allMutants().map(mutantWords);
  const twice = all.find((words, index) => all.indexOf(words) !== index) ?? '';
  expect(twice).not.toBe('');
  expect([...(readEarlier(resultOf(RULE, twice), 'digest')?.fates.keys() ?? [])]).toEqual([RULE]);
});

it.each(['', '{}', '{"schema": "reapcheck.mutants/v0", "tried": "", "trials": []}'])(
  'what is no result is refused: %s',
  (text) => {
    expect(readEarlier(written(text), 'digest')).toBeNull();
  },
);
