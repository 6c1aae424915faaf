import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CHECKPOINT_ERRORS } from './errors.ts';

/**
 * Keeps a second process from the same folder, and returns what gives it free. A process that was
 * killed leaves its lock behind: it is ignored if no such process lives on this machine.
 */
export function locked(folder: string): () => void {
  const file = join(folder, 'lock');
  const own = `${process.pid} ${hostname()}\n`;
  try {
    writeFileSync(file, own, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw CHECKPOINT_ERRORS.unwritable(folder, code ?? String(error));
    const [pid = '', host = ''] = readFileSync(file, 'utf8').trim().split(' ');
    const isGone = host === hostname() && !isAlive(Number(pid));
    if (!isGone && pid !== '') {
      throw CHECKPOINT_ERRORS.inUse(folder, `process ${pid} on ${host}`);
    }
    writeFileSync(file, own);
  }
  return () => rmSync(file, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return false;
  try {
    // Signal 0 only asks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
