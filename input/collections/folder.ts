import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { MESSAGES } from '../../text/messages.ts';
import { isSystemError } from '../documents/source.ts';
import { isHidden, type Selection } from './selection.ts';

/**
 * The files to read below a folder, sorted within each folder. Links are not followed, so that
 * neither a loop nor a file outside can be reached. Throws `InputError`.
 */
export async function folderFiles(
  folder: string,
  selection: Selection,
): Promise<readonly string[]> {
  const files: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner: string[] = [];
    for (const entry of await entriesOf(next)) {
      const path = join(next, entry.name);
      if (isHidden(entry.name)) continue;
      if (entry.isSymbolicLink()) selection.skipLink();
      else if (entry.isDirectory()) inner.push(path);
      else if (entry.isFile() && selection.wants(relative(folder, path).split(sep).join('/'))) {
        files.push(path);
      }
    }
    for (const path of inner.reverse()) open.push(path);
  }
  return files;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.unreadable(folder, error.code) : error;
  }
}
