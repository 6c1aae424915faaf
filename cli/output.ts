import { access, constants, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isSystemError } from '../input/documents/source.ts';
import { MESSAGES } from '../text/messages.ts';

/** A file that appears as a whole or not at all. */
export interface Output {
  /** The file behind links and relative paths: equal for two ways to name one file. */
  readonly target: string;
  /** Makes the content ready; nothing is in place yet. */
  write(content: string): Promise<void>;
  /** Puts what was written in place. */
  place(): Promise<void>;
  /** `write` and `place` at once. */
  commit(content: string): Promise<void>;
  /** Leaves everything as it was; does nothing the second time, or once the content is in place. */
  discard(): Promise<void>;
}

/**
 * Prepares the output before the work begins, so that a path that cannot be written is found out
 * first. The content goes to a new file beside the old one, which then takes its place. What is no
 * regular file (a pipe, /dev/stdout) is written to directly.
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

/** The same for several files: two of them must not be one. */
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

/** What a command reads is not its to write. */
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
  // A path of no characters names nothing, and `rename` would find out only at the end.
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
  // Only tried out: whatever kills this process during the work, nothing is left behind.
  await (await open(temporary, 'wx')).close();
  await unlink(temporary);
  let isThere = false;
  return {
    write: (content) =>
      written(file, async () => {
        const handle = await open(temporary, 'wx');
        isThere = true;
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
        isThere = false;
      }),
    discard: async () => {
      if (!isThere) return;
      isThere = false;
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

/** A disk that is full, or a folder that is gone by now, is no defect of reapcheck. */
async function written(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.outputNotWritable(file, error.code) : error;
  }
}
