import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BlockFile } from '../../run/checkpoint/block-file.ts';
import { temporaryFolder } from '../cli/run-cli.ts';
import { planOf, reported } from './saved-searches.ts';

const CONTENTS = ['one', '', 'three three', 'four'];

function written(): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder();
  const file = join(folder, 'search.blocks');
  const blocks = new BlockFile(folder, file);
  expect(read(blocks)).toEqual([]);
  for (const content of CONTENTS) blocks.append([Buffer.from(content), Buffer.from('!')]);
  blocks.close();
  return { folder, file };
}

function read(blocks: BlockFile): readonly string[] {
  return [...blocks.blocks()].map((content) => Buffer.from(content).toString());
}

const opened = ({ folder, file }: ReturnType<typeof written>) => new BlockFile(folder, file);

describe('a file of blocks', () => {
  it('has all whole blocks after it was cut anywhere, and grows from there', () => {
    const place = written();
    const whole = readFileSync(place.file);
    const found = new Set<number>();
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(place.file, whole.subarray(0, length));
      const blocks = opened(place);
      const contents = read(blocks);
      expect(contents).toEqual(CONTENTS.slice(0, contents.length).map((one) => `${one}!`));
      found.add(contents.length);
      blocks.append([Buffer.from('next')]);
      blocks.close();
      expect(read(opened(place))).toEqual([...contents, 'next']);
    }
    expect([...found]).toEqual([0, 1, 2, 3]);
  });

  it('is refused if any byte before the last block has changed, else it lacks that block', () => {
    const place = written();
    const whole = readFileSync(place.file);
    const last = whole.length - (20 + CONTENTS[3]!.length + 1 + 32);
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 1 << (at % 8);
      writeFileSync(place.file, changed);
      const isHeader = at >= last && at < last + 20;
      if (at < last || isHeader) {
        expect(() => read(opened(place)), `byte ${at}`).toThrow(/is damaged at byte/);
      } else expect(read(opened(place)), `byte ${at}`).toHaveLength(3);
    }
  });

  it('passes over zeros at its end, which a power cut leaves', () => {
    const place = written();
    appendFileSync(place.file, Buffer.alloc(100));
    const size = statSync(place.file).size;
    const blocks = opened(place);
    expect(read(blocks)).toHaveLength(4);
    expect(blocks.leftOut).toBe(100);
    expect(statSync(place.file).size).toBe(size - 100);
  });

  it('is refused if its blocks are in another order', () => {
    const place = written();
    const whole = readFileSync(place.file);
    const first = 20 + 4 + 32;
    const second = 20 + 1 + 32;
    const swapped = [
      whole.subarray(first, first + second),
      whole.subarray(0, first),
      whole.subarray(first + second),
    ];
    writeFileSync(place.file, Buffer.concat(swapped));
    expect(() => read(opened(place))).toThrow(/is damaged at byte 0/);
  });

  it('says how to go on once its disk is full', () => {
    const blocks = new BlockFile('saved', '/dev/full');
    read(blocks);
    const append = () => blocks.append([Buffer.from('x')]);
    expect(append).toThrow('the disk of saved is full (ENOSPC)');
  });

  it('does not grow if another process has written to it', () => {
    const place = written();
    const blocks = opened(place);
    read(blocks);
    truncateSync(place.file, 10);
    expect(() => blocks.append([Buffer.from('x')])).toThrow(/another process/);
  });
});

it('a search continues from a file that was cut inside of any block', async () => {
  const plan = await planOf('late-dependent-orphan');
  const plain = await reported(plan);
  const folder = temporaryFolder();
  const file = join(folder, 'search.blocks');
  const store = new BlockFile(folder, file);
  await reported(plan, { checkpoint: { store, everyStates: 5 } });
  store.close();
  const whole = readFileSync(file);
  for (let length = 0; length < whole.length; length += 1999) {
    writeFileSync(file, whole.subarray(0, length));
    const cut = new BlockFile(folder, file);
    const report = await reported(plan, { checkpoint: { store: cut, everyStates: 5 } });
    expect(report, `${length} bytes`).toBe(plain);
    cut.close();
    expect(readFileSync(file).length, `${length} bytes`).toBe(whole.length);
  }
});
