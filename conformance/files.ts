import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../input/documents/source.ts';
import { MESSAGES } from '../text/messages.ts';

/**
 * The files that a path stands for: itself (`-` is stdin), or of a folder those whose names are
 * `wanted`, in the order of their names. Throws `InputError` for what cannot be read.
 */
export async function filesAt(
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
