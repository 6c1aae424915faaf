import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { golden } from '../cli/run-cli.ts';

/** What a file of `test/golden/` holds, to the letter; with UPDATE_GOLDEN=1 it is written anew. */
export function expectGoldenFile(name: string, text: string): void {
  const file = golden(name);
  if (process.env.UPDATE_GOLDEN === '1' || !existsSync(file)) {
    expect(process.env.UPDATE_GOLDEN, `${file} is missing`).toBe('1');
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}
