import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compiledAhead, compiledChecksum, compiledName } from '../../run/compiled.ts';

const SOURCE = Buffer.from(
  '(function (require, __filename, module) { module.exports = { word: () => "one" }; })',
);
const DATA = dataOf(SOURCE);

function dataOf(source: Buffer): Buffer {
  const script = new Script(source.toString('latin1'));
  // A function that has run is compiled, and therefore a part of the data.
  const module = { exports: { word: () => '' } };
  (script.runInThisContext() as (...given: readonly unknown[]) => void)(null, '', module);
  module.exports.word();
  return script.createCachedData();
}

describe('code that was compiled ahead', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function word(source: Buffer, compiled: Buffer): string | null {
    writeFileSync(join(folder, 'run.cjs'), source);
    writeFileSync(join(folder, compiledName('dump')), compiled);
    const place = pathToFileURL(`${folder}/`);
    const found = compiledAhead<{ readonly word: () => string }>(place, 'dump');
    return found?.word() ?? null;
  }

  const stored = Buffer.concat([compiledChecksum(crc32(SOURCE), crc32(DATA)), DATA]);
  const other = Buffer.from(SOURCE.toString('latin1').replace('one', 'two'));

  it('runs', () => {
    expect(word(SOURCE, stored)).toBe('one');
  });

  const damaged = Buffer.from(stored);
  damaged.fill(0xff, stored.length - 9, stored.length - 8);
  it.each([
    ['belongs to other code of the same length', other, stored],
    ['is not what was written', SOURCE, damaged],
    ['is cut', SOURCE, stored.subarray(0, -8)],
    ['is empty', SOURCE, Buffer.alloc(0)],
    ['belongs to code that is cut', SOURCE.subarray(0, -8), stored],
  ])('is left alone if it %s', (_, source, compiled) => {
    expect(word(source, compiled)).toBeNull();
  });

  it('is left alone if there is none', () => {
    expect(compiledAhead(pathToFileURL(`${folder}/`), 'dump')).toBeNull();
  });
});
