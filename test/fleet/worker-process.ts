import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { PATIENCE } from '../clock.ts';

/** `reapcheck fleet worker` in a process of its own. */
export interface TestWorker {
  readonly pid: number;
  readonly stderr: () => string;
  signal(name: NodeJS.Signals): void;
  /** As `signal`, of the worker and of the processes that it has started. */
  signalAll(name: NodeJS.Signals): void;
  /** kill -9, of the worker and of the processes that it has started. */
  kill(): Promise<void>;
  /**
   * The exit code, once it has ended by itself. A worker that does not is killed after so long: an
   * error.
   */
  end(milliseconds?: number): Promise<number | null>;
  /** Waits until it has written this. */
  wrote(text: string | RegExp): Promise<void>;
}

/** Small, so that a test of a worker that dies is short. */
const SILENT_SECONDS = '1';

/** @param folder of the package. */
export async function startWorker(
  url: string,
  words: readonly string[] = ['--slots', '1'],
  env: Readonly<Record<string, string>> = {},
  folder = PACKAGE_FOLDER,
): Promise<TestWorker> {
  const main = join(folder, 'dist', 'cli', 'main.js');
  const silent = words.includes('--silent') ? [] : ['--silent', SILENT_SECONDS];
  const all = [main, 'fleet', 'worker', '--redis', url, ...silent, ...words];
  const child = spawn(process.execPath, all, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  const pid = child.pid ?? 0;
  const wrote = async (text: string | RegExp): Promise<void> => {
    while (stderr.search(text) < 0) {
      if (isEnded) throw new Error(`the worker ended before it wrote ${text}: ${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await wrote('at a time from');
  const kill = async (): Promise<void> => {
    if (isEnded) return;
    process.kill(-pid, 'SIGKILL');
    await ended;
  };
  return {
    pid,
    stderr: () => stderr,
    signal: (name) => process.kill(pid, name),
    signalAll: (name) => process.kill(-pid, name),
    kill,
    end: async (milliseconds = PATIENCE) => {
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        void kill();
      }, milliseconds);
      const code = await ended;
      clearTimeout(late);
      if (isLate) throw new Error(`the worker did not end by itself: ${stderr}`);
      return code;
    },
    wrote,
  };
}
