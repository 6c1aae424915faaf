import { access, constants, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isSystemError } from './input/source.ts';
import { MESSAGES } from './messages.ts';

/** A file that appears as a whole or not at all. */
export interface Output {
  /** Puts the content in place. */
  commit(content: string): Promise<void>;
  /** Leaves everything as it was. */
  discard(): Promise<void>;
}

/**
 * Prepares the output before the work begins, so that a path that cannot be written is found out
 * first. The content goes to a new file beside the old one, which then takes its place. What is no
 * regular file (a pipe, /dev/stdout) is written to directly.
 */
export async function openOutput(file: string): Promise<Output> {
  // A path of no characters names nothing, and `rename` would find out only at the end.
  if (file === '') throw MESSAGES.outputNotWritable("''", 'ENOENT');
  try {
    const target = await targetOf(file);
    if (target === null) return direct(file);
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
    const handle = await open(temporary, 'wx');
    return {
      commit: (content) =>
        written(file, async () => {
          await handle.writeFile(content);
          await handle.sync();
          await handle.close();
          await rename(temporary, target);
        }),
      discard: async () => {
        await handle.close();
        await unlink(temporary);
      },
    };
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.outputNotWritable(file, error.code) : error;
  }
}

/** The file behind symbolic links, or null for what is no regular file. */
async function targetOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw MESSAGES.outputNotWritable(file, 'EISDIR');
    if (!found.isFile()) return null;
    await access(file, constants.W_OK);
    return await realpath(file);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return file;
    throw error;
  }
}

function direct(file: string): Output {
  return {
    commit: (content) =>
      written(file, async () => {
        const handle = await open(file, 'w');
        try {
          await handle.writeFile(content);
        } finally {
          await handle.close();
        }
      }),
    discard: async () => undefined,
  };
}

/** A disk that is full, or a folder that is gone by now, is no defect of reapcheck. */
async function written(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.outputNotWritable(file, error.code) : error;
  }
}
