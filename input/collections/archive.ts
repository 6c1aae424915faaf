import { Parser } from 'tar';
import { InputError } from '../../text/input-error.ts';
import type { ReadBytes } from '../documents/source.ts';
import type { Selection } from './selection.ts';

/** Whether these bytes are a tar archive: the mark of POSIX and of GNU is at offset 257. */
export function isArchive(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';
}

/**
 * The files to read of an archive such as Velero's `BACKUP.tar.gz`, in its order. Nothing is
 * written to a disk, and links in it are not followed. Throws `InputError`.
 */
export async function archiveFiles(
  { name, bytes }: ReadBytes,
  selection: Selection,
): Promise<readonly ReadBytes[]> {
  const files: ReadBytes[] = [];
  await new Promise<void>((done, fail) => {
    const parser = new Parser({
      strict: true,
      onReadEntry: (entry) => {
        const path = entry.path.replace(/^(\.?\/)+/, '');
        if (entry.type === 'SymbolicLink' || entry.type === 'Link') selection.skipLink();
        if (!isRegular(entry.type) || !wants(path)) {
          entry.resume();
          return;
        }
        const chunks: Uint8Array[] = [];
        entry.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        entry.on('end', () => {
          files.push({ name: `${name}:${path}`, bytes: Buffer.concat(chunks) });
        });
      },
    });
    // An exception in a callback of the parser would be lost.
    const wants = (path: string): boolean => {
      try {
        return selection.wants(path);
      } catch (error) {
        fail(error as Error);
        return false;
      }
    };
    parser.on('error', (error: Error) => fail(broken(name, error.message)));
    parser.on('end', done);
    parser.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
  return files;
}

function isRegular(type: string): boolean {
  return type === 'File' || type === 'OldFile' || type === 'ContiguousFile';
}

function broken(name: string, why: string): InputError {
  return new InputError({
    what: `${name} is not a complete tar archive (${why})`,
    next: 'download it again, or unpack it and give the folder',
  });
}
