import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** `reapcheck serve` as a process of its own, as it is installed. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly kubeconfig: string;
  readonly url: string;
  /** A folder that is removed after the test. */
  readonly folder: string;
  /** What it has said on stderr. */
  readonly said: () => string;
}

/**
 * Starts the server and waits until it serves.
 *
 * @param bin the command in an installed package.
 */
export async function serverProcess(
  bin: string,
  words: readonly string[] = [],
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-serve-'));
  const kubeconfig = join(folder, 'kubeconfig.yaml');
  const child = spawn(process.execPath, [bin, 'serve', '--kubeconfig', kubeconfig, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  while (!said.includes('serving http')) {
    if (child.exitCode !== null) throw new Error(`the server has ended: ${said}`);
    await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
  }
  const url = readFileSync(kubeconfig, 'utf8').match(/server: (\S+)/)?.[1] ?? '';
  return { child, kubeconfig, url, folder, said: () => said };
}
