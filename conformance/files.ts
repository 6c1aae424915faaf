import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../input/documents/source.ts';
import type { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';

/**
 * Reads the files at each path: the path itself (`-` is stdin), or for a folder its files whose
 * names are `wanted`, in the order of their names.
 *
 * @param read reads the items of one file.
 * @param empty the error for a path without any item.
 * @throws InputError for what cannot be read.
 */
export async function readPaths<Item>(
  paths: readonly string[],
  wanted: (name: string) => boolean,
  read: (file: string) => Promise<readonly Item[]>,
  empty: (path: string) => InputError,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const path of paths) {
    const before = items.length;
    for (const file of await filesAt(path, wanted)) items.push(...(await read(file)));
    if (items.length === before) throw empty(path);
  }
  return items;
}

async function filesAt(
  path: string,
  wanted: (name: string) => boolean,
): Promise<readonly string[]> {
  if (path === '-') return [path];
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path);
    return names
      .filter(wanted)
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw error.code === 'ENOENT'
      ? MESSAGES.noSuchFile(path)
      : MESSAGES.unreadable(path, error.code);
  }
}
