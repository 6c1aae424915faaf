import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { MESSAGES } from '../../text/messages.ts';

/** The text of one input file, or of stdin. */
export interface Source {
  /** As the user wrote it; `<stdin>` for `-`. */
  readonly file: string;
  readonly text: string;
}

export const STDIN_NAME = '<stdin>';

export type Bytes = AsyncIterable<Uint8Array>;

export interface ReadLimits {
  /** Megabytes (10^6 bytes) that one input may have. */
  readonly maxMegabytes: number;
}

/**
 * Reads one input. A file that is too large is rejected by its size, a pipe as soon as it has sent too
 * much, so that memory stays within the limit. Throws `InputError`.
 */
export async function readSource(file: string, stdin: Bytes, limits: ReadLimits): Promise<Source> {
  const name = file === '-' ? STDIN_NAME : file;
  const limit = limits.maxMegabytes * 1e6;
  const textOf = (bytes: Uint8Array): string => decoded(name, inflated(name, bytes, limit));
  if (file === '-') return { file: name, text: textOf(await collect(name, stdin, limit)) };
  const { size, directory } = await describe(file);
  if (directory) throw MESSAGES.isDirectory(file);
  if (size > limit) throw MESSAGES.tooLarge(name, size, limits.maxMegabytes);
  try {
    return { file: name, text: textOf(await collect(name, createReadStream(file), limit)) };
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.unreadable(file, error.code) : error;
  }
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

async function collect(name: string, stream: Bytes, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw MESSAGES.tooLarge(name, null, limit / 1e6);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Decompresses gzip, up to the same limit. */
function inflated(name: string, bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    const tooLarge = isSystemError(error) && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw tooLarge ? MESSAGES.tooLarge(name, null, limit / 1e6) : MESSAGES.notGzip(name);
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
