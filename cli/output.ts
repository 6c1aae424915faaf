import { access, constants, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isSystemError } from '../input/documents/source.ts';
import { MESSAGES } from '../text/messages.ts';

/** A file that is written atomically. */
export interface Output {
  /** The resolved path: equal for two paths to the same file. */
  readonly target: string;
  /** Writes the content to a temporary file. */
  write(content: string): Promise<void>;
  /** Moves the temporary file into place. */
  place(): Promise<void>;
  /** `write` and `place` at once. */
  commit(content: string): Promise<void>;
  /** Removes the temporary file, if there is one. */
  discard(): Promise<void>;
}

/**
 * Prepares the output before the work begins, so that an unwritable path fails early. The content goes
 * to a temporary file in the same folder, which then replaces the old file. A pipe or a device such as
 * /dev/stdout is written to directly. Throws `InputError`.
 */
export async function openOutput(file: string): Promise<Output> {
  try {
    const { target, isRegular } = await targetOf(file);
    const { write, place, discard } = isRegular ? await replacing(file, target) : direct(file);
    return {
      target,
      write,
      place,
      discard,
      commit: async (content) => {
        await write(content);
        await place();
      },
    };
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.outputNotWritable(file, error.code) : error;
  }
}

/** Opens several outputs. Throws `InputError` if two paths lead to the same file. */
export async function openOutputs(files: readonly string[]): Promise<readonly Output[]> {
  const taken = new Map<string, string>();
  const opened: Output[] = [];
  try {
    for (const file of files) {
      const { target } = await targetOrError(file);
      const other = taken.get(target);
      if (other !== undefined) throw MESSAGES.outputTwice([other, file]);
      taken.set(target, file);
      opened.push(await openOutput(file));
    }
  } catch (error) {
    for (const output of opened) await output.discard();
    throw error;
  }
  return opened;
}

/** Throws `InputError` if a command would overwrite a file that it reads. */
export async function demandNotRead(
  files: readonly string[],
  read: readonly string[],
): Promise<void> {
  const targets = await Promise.all(read.map((file) => targetOf(file).catch(() => null)));
  for (const file of files) {
    const { target } = await targetOrError(file);
    if (targets.some((other) => other?.target === target)) throw MESSAGES.outputIsInput(file);
  }
}

async function targetOrError(file: string): Promise<Target> {
  try {
    return await targetOf(file);
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.outputNotWritable(file, error.code) : error;
  }
}

interface Target {
  readonly target: string;
  readonly isRegular: boolean;
}

async function targetOf(file: string): Promise<Target> {
  // `rename` would detect an empty path only at the end.
  if (file === '') throw MESSAGES.outputNotWritable("''", 'ENOENT');
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw MESSAGES.outputNotWritable(file, 'EISDIR');
    if (!found.isFile()) return { target: file, isRegular: false };
    await access(file, constants.W_OK);
    return { target: await realpath(file), isRegular: true };
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
    return { target: join(await realpath(dirname(file)), basename(file)), isRegular: true };
  }
}

type Steps = Pick<Output, 'write' | 'place' | 'discard'>;

async function replacing(file: string, target: string): Promise<Steps> {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  // Only a test: if the process is killed during the work, no file is left behind.
  await (await open(temporary, 'wx')).close();
  await unlink(temporary);
  let exists = false;
  return {
    write: (content) =>
      written(file, async () => {
        const handle = await open(temporary, 'wx');
        exists = true;
        try {
          await handle.writeFile(content);
          await handle.sync();
        } finally {
          await handle.close();
        }
      }),
    place: () =>
      written(file, async () => {
        await rename(temporary, target);
        exists = false;
      }),
    discard: async () => {
      if (!exists) return;
      exists = false;
      await unlink(temporary);
    },
  };
}

function direct(file: string): Steps {
  let content = '';
  return {
    write: async (text) => {
      content = text;
    },
    place: () =>
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

/** A full disk or a removed folder is an `InputError`, not a defect of reapcheck. */
async function written(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.outputNotWritable(file, error.code) : error;
  }
}
