import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RowFile, RowStorage } from '../checker/index.ts';
import { InputError } from '../text/input-error.ts';

const ERRORS = {
  notUsable: (folder: string, why: string): InputError =>
    new InputError({
      what: `${folder} cannot be used for --disk (${why})`,
      expected: 'a folder that exists and can be written to',
      next: 'make the folder, or give another one',
    }),

  full: (folder: string, why: string): InputError =>
    new InputError({
      what: `the search does not fit on the disk of ${folder} (${why})`,
      next: ['give --disk a folder on a disk with more room', 'or limit the search: --max-states'],
    }),

  unreadable: (folder: string, why: string): InputError =>
    new InputError({
      what: `the search cannot read its own files in ${folder} (${why})`,
      next: 'check the disk, then search again',
    }),
} as const;

/** Codes of a disk, a quota or a file that has no more room. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Calls `work` with a storage in this folder, if any, and removes its files afterwards. */
export async function onDisk<Result>(
  folder: string | null,
  work: (stored: { readonly storage?: RowStorage }) => Promise<Result>,
): Promise<Result> {
  if (folder === null) return work({});
  const storage = new DiskFolder(folder);
  try {
    return await work({ storage });
  } finally {
    storage.close();
  }
}

/**
 * Files without names in a folder. The system removes them when the process ends, however it ends.
 * What else is in the folder does not matter.
 */
export class DiskFolder implements RowStorage {
  private readonly folder: string;
  private readonly handles = new Set<number>();

  /** Throws `InputError` if the folder cannot be used. */
  constructor(folder: string) {
    this.folder = folder;
    this.open().close();
  }

  open(): RowFile {
    const { folder, handles } = this;
    const handle = this.handle();
    handles.add(handle);
    return {
      write: (bytes, at) => {
        try {
          for (let done = 0; done < bytes.length; ) {
            done += writeSync(handle, bytes, done, bytes.length - done, at + done);
          }
        } catch (error) {
          const code = codeOf(error);
          throw FULL.includes(code) ? ERRORS.full(folder, code) : ERRORS.notUsable(folder, code);
        }
      },
      read: (bytes, at) => {
        for (let done = 0; done < bytes.length; ) {
          const read = this.read(handle, bytes.subarray(done), at + done);
          if (read === 0) throw ERRORS.unreadable(folder, 'a file is too short');
          done += read;
        }
      },
      close: () => {
        if (handles.delete(handle)) closeSync(handle);
      },
    };
  }

  close(): void {
    for (const handle of this.handles) closeSync(handle);
    this.handles.clear();
  }

  private read(handle: number, bytes: Uint8Array, at: number): number {
    try {
      return readSync(handle, bytes, 0, bytes.length, at);
    } catch (error) {
      throw ERRORS.unreadable(this.folder, codeOf(error));
    }
  }

  private handle(): number {
    const { folder } = this;
    const file = join(folder, `reapcheck-${randomUUID()}.rows`);
    try {
      const handle = openSync(file, 'wx+', 0o600);
      unlinkSync(file);
      return handle;
    } catch (error) {
      throw ERRORS.notUsable(folder, codeOf(error));
    }
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
