import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { type Look, ofMachine } from '../work-clock.ts';

/** The text of one input file, or of stdin. */
export interface Source {
  /** As the user wrote it; `<stdin>` for `-`. */
  readonly file: string;
  readonly text: string;
  /** Whether it was found in a folder or an archive, where not every file has manifests. */
  readonly isFound?: boolean;
}

/** The content of one file, decompressed. */
export interface ReadBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const STDIN_NAME = '<stdin>';

export type Bytes = AsyncIterable<Uint8Array>;

export interface ReadLimits {
  /** Megabytes (10^6 bytes) that the input may have. */
  readonly maxMegabytes: number;
  /** Bytes of other files that count as well. */
  readonly readBefore?: number;
  /** Looks at the limits before much memory is taken. Default: at what the machine has. */
  readonly look?: Look | undefined;
}

/** Reads the text of one input. Throws `InputError`. */
export async function readSource(file: string, stdin: Bytes, limits: ReadLimits): Promise<Source> {
  return decodedSource(await readBytes(file, stdin, limits), limits.look);
}

export function decodedSource({ name, bytes }: ReadBytes, look?: Look): Source {
  demandRoom(name, bytes.length, { look });
  return { file: name, text: decoded(name, bytes) };
}

/** Throws `InputError` unless the memory has room for so many bytes. */
function demandRoom(
  name: string,
  bytes: number,
  { look = ofMachine }: Pick<ReadLimits, 'look'>,
): void {
  look(`reading ${name}`, bytes);
}

/**
 * Reads one input. A file that is too large is rejected by its size, a pipe as soon as it has sent
 * too much, so that memory stays within the limit. Throws `InputError`.
 */
export async function readBytes(
  file: string,
  stdin: Bytes,
  limits: ReadLimits,
): Promise<ReadBytes> {
  const name = file === '-' ? STDIN_NAME : file;
  if (file === '-') {
    return { name, bytes: await inflated(name, await collect(name, stdin, limits), limits) };
  }
  const { size, directory } = await describe(file);
  if (directory) throw MESSAGES.isDirectory(file);
  if (size > bytesLeft(limits)) throw tooLarge(name, size, limits);
  demandRoom(name, size, limits);
  try {
    // A pipe has the size 0. A stream takes much longer, which many small files make plain.
    const bytes =
      size > 0 ? await readFile(file) : await collect(name, createReadStream(file), limits);
    return { name, bytes: await inflated(name, bytes, limits) };
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.unreadable(file, error.code) : error;
  }
}

function bytesLeft({ maxMegabytes, readBefore = 0 }: ReadLimits): number {
  return maxMegabytes * 1e6 - readBefore;
}

function tooLarge(name: string, size: number | null, limits: ReadLimits): InputError {
  const { maxMegabytes, readBefore = 0 } = limits;
  return readBefore === 0
    ? MESSAGES.tooLarge(name, size, maxMegabytes)
    : MESSAGES.tooLargeTogether(name, maxMegabytes);
}

/** Throws `InputError` if there is no such file or folder. */
export async function isFolder(file: string): Promise<boolean> {
  return (await describe(file)).directory;
}

async function describe(file: string): Promise<{ size: number; directory: boolean }> {
  try {
    const found = await stat(file);
    return { size: found.size, directory: found.isDirectory() };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw error.code === 'ENOENT'
      ? MESSAGES.noSuchFile(file)
      : MESSAGES.unreadable(file, error.code);
  }
}

async function collect(name: string, stream: Bytes, limits: ReadLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const limit = bytesLeft(limits);
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw tooLarge(name, null, limits);
    chunks.push(chunk);
    demandRoom(name, 0, limits);
  }
  demandRoom(name, size, limits);
  return Buffer.concat(chunks);
}

/** Decompresses gzip, up to the same limit. */
async function inflated(name: string, bytes: Uint8Array, limits: ReadLimits): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unzip = createGunzip();
  unzip.end(bytes);
  try {
    return await collect(name, unzip, limits);
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.notGzip(name) : error;
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, which PowerShell's `>` writes. */
function decoded(name: string, bytes: Uint8Array): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(utf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw MESSAGES.notText(name);
  }
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}
