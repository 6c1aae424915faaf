import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import {
  access,
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isSystemError } from '../../input/documents/source.ts';
import { checkReportSchema } from '../../report/document/result-document.ts';
import { MESSAGES } from '../../text/messages.ts';

/**
 * Reports by the digest of everything that they depend on. A damaged entry is ignored. Anyone who
 * can write to the folder can forge an entry, so the folder must belong to the user, and nobody
 * else may write to it.
 */
export interface ReportCache {
  /** The report as JSON, or null. */
  read(key: string): Promise<string | null>;
  write(key: string, json: string): Promise<void>;
  /** Removes the oldest entries until the rest is small enough. */
  prune(): Promise<void>;
}

export const NO_CACHE: ReportCache = {
  read: async () => null,
  write: async () => undefined,
  prune: async () => undefined,
};

const SCHEMA = 'reapcheck.cached-report/v1';
const ENDING = '.json.gz';
/** A partial file of this age is abandoned. */
const ABANDONED_MILLISECONDS = 3_600_000;

export interface CacheBounds {
  /** Of all entries together, on the disk. */
  readonly bytes: number;
  /** Of one report, as text. */
  readonly reportBytes: number;
}

const BOUNDS: CacheBounds = { bytes: 256e6, reportBytes: 256e6 };

/** The folder without `--cache`; null where the environment names no folder for caches. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'reapcheck');
  if (LOCALAPPDATA) return join(LOCALAPPDATA, 'reapcheck');
  return HOME ? join(HOME, '.cache', 'reapcheck') : null;
}

/** Creates the folder if necessary. Throws `InputError` if it cannot be trusted or written. */
export async function openCache(folder: string, bounds = BOUNDS): Promise<ReportCache> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw isSystemError(error) ? MESSAGES.cacheNotUsable(folder, error.code) : error;
  }
  const { uid, mode } = await lstat(resolve(folder));
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw MESSAGES.cacheNotUsable(folder, 'it belongs to another user');
  }
  if (process.getuid !== undefined && (mode & 0o022) !== 0) {
    throw MESSAGES.cacheNotUsable(folder, 'others may write to it');
  }
  const fileOf = (key: string): string => join(folder, `${key}${ENDING}`);
  return {
    read: (key) => readEntry(fileOf(key), key, bounds.reportBytes),
    write: (key, json) => writeEntry(folder, fileOf(key), key, json),
    prune: () => prune(folder, bounds.bytes),
  };
}

/** Null for anything but a complete entry. */
async function readEntry(file: string, key: string, limit: number): Promise<string | null> {
  try {
    if (!(await lstat(file)).isFile()) return null;
    const text = (
      await promisify(gunzip)(await readFile(file), { maxOutputLength: limit })
    ).toString('utf8');
    const end = text.indexOf('\n');
    const json = text.slice(end + 1);
    if (text.slice(0, end) !== header(key, json)) return null;
    if (!checkReportSchema.safeParse(JSON.parse(json)).success) return null;
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    return json;
  } catch {
    // The cell is run again, and a new entry replaces this one.
    return null;
  }
}

function header(key: string, json: string): string {
  const sum = createHash('sha256').update(json).digest('hex');
  return JSON.stringify({ schema: SCHEMA, key, sum });
}

/** A full disk only makes the next run slower. */
async function writeEntry(folder: string, file: string, key: string, json: string): Promise<void> {
  const temporary = temporaryName(folder, key);
  try {
    const bytes = await promisify(gzip)(`${header(key, json)}\n${json}`);
    await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600 });
    await rename(temporary, file);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    await unlink(temporary).catch(() => undefined);
  }
}

function temporaryName(folder: string, key: string): string {
  return join(folder, `.${key}.${process.pid}.part`);
}

async function prune(folder: string, limit: number): Promise<void> {
  const entries: { file: string; bytes: number; used: number }[] = [];
  for (const found of await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])) {
    const file = join(folder, found.name);
    const isPart = found.name.endsWith('.part');
    if (!found.isFile() || !(isPart || found.name.endsWith(ENDING))) continue;
    const status = await lstat(file).catch(() => null);
    if (status === null) continue;
    if (!isPart) entries.push({ file, bytes: status.size, used: status.mtimeMs });
    else if (status.mtimeMs < Date.now() - ABANDONED_MILLISECONDS) await removed(file);
  }
  entries.sort((one, other) => other.used - one.used);
  let kept = 0;
  for (const { file, bytes } of entries) {
    kept += bytes;
    if (kept > limit) await removed(file);
  }
}

/** Another run may have removed it already. */
async function removed(file: string): Promise<void> {
  await unlink(file).catch(() => undefined);
}
