import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { cacheFolder, openCache } from '../../gate/run/cache.ts';
import { runCell } from '../../gate/run/run-cell.ts';
import { temporaryFolder } from '../cli/run-cli.ts';
import { cellOf } from './cells.ts';

const KEY = 'a'.repeat(64);

async function reportJson(): Promise<string> {
  return JSON.stringify(await runCell(await cellOf('dangling-owner')));
}

it('gives back what was written, under the same key alone', async () => {
  const folder = join(temporaryFolder(), 'new', 'cache');
  const json = await reportJson();
  const cache = await openCache(folder);
  await cache.write(KEY, json);
  expect(await cache.read(KEY)).toBe(json);
  expect(await cache.read('b'.repeat(64))).toBeNull();
  expect(readdirSync(folder)).toEqual([`${KEY}.json.gz`]);
});

it('ignores a damaged or foreign entry', async () => {
  const folder = temporaryFolder();
  const cache = await openCache(folder);
  const json = await reportJson();
  const file = join(folder, `${KEY}.json.gz`);
  const rewritten = (change: (text: string) => string) => (): void =>
    writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(file)).toString())));
  const damages: Readonly<Record<string, () => void>> = {
    truncated: () => truncateSync(file, readFileSync(file).length - 20),
    empty: () => writeFileSync(file, ''),
    'not compressed': () => writeFileSync(file, gunzipSync(readFileSync(file))),
    'a verdict changed': rewritten((text) =>
      text.replace('"verdict":"vacuous"', '"verdict":"holds"'),
    ),
    'of another key': rewritten((text) => text.replace(KEY, 'b'.repeat(64))),
    'no line': rewritten((text) => text.replace('\n', '')),
    'cut after the first line': rewritten((text) => text.split('\n', 1).join('')),
    'a bomb': () => writeFileSync(file, gzipSync(Buffer.alloc(4e6))),
    'a folder': () => {
      unlinkSync(file);
      mkdirSync(file);
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    await cache.write(KEY, json);
    expect([name, (await cache.read(KEY)) === json]).toEqual([name, true]);
    damage();
    const found = await (await openCache(folder, { bytes: 1e9, reportBytes: 2e6 })).read(KEY);
    expect([name, found === null]).toEqual([name, true]);
  }
});

it('ignores an intact entry that is not a report', async () => {
  const cache = await openCache(temporaryFolder());
  await cache.write(KEY, '{"result":{"outcome":"complete"}}');
  expect(await cache.read(KEY)).toBeNull();
});

it('keeps the entries that were used last, within its bounds, and no partial files', async () => {
  const folder = temporaryFolder();
  const json = await reportJson();
  const keys = ['1', '2', '3'].map((digit) => digit.repeat(64));
  const cache = await openCache(folder);
  for (const [index, key] of keys.entries()) {
    await cache.write(key, json);
    utimesSync(join(folder, `${key}.json.gz`), 1000 + index, 1000 + index);
  }
  writeFileSync(join(folder, '.x.1.part'), '');
  utimesSync(join(folder, '.x.1.part'), 1000, 1000);
  await cache.read(keys[0]!);
  const { length } = readFileSync(join(folder, `${keys[0]}.json.gz`));
  await (await openCache(folder, { bytes: 2.5 * length, reportBytes: 1e9 })).prune();
  expect(readdirSync(folder).sort()).toEqual([`${keys[0]}.json.gz`, `${keys[2]}.json.gz`]);
});

it('refuses a folder to which others can write, and a file', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  await expect(openCache(folder)).rejects.toThrow(/others may write to it/);
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  await expect(openCache(file)).rejects.toThrow(/cannot be used as a cache \((EEXIST|ENOTDIR)\)/);
  const link = join(temporaryFolder(), 'link');
  symlinkSync('/nowhere', link);
  await expect(openCache(link)).rejects.toThrow(/cannot be used as a cache/);
});

it('is in the folder of the system for caches', () => {
  expect(cacheFolder({ HOME: '/h' })).toBe('/h/.cache/reapcheck');
  expect(cacheFolder({ HOME: '/h', XDG_CACHE_HOME: '/x' })).toBe('/x/reapcheck');
  expect(cacheFolder({})).toBeNull();
});
