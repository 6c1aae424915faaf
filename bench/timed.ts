import { spawn } from 'node:child_process';

/**
 * Runs the command to its end. Returns its CPU time, with that of its processes, and what it wrote.
 */
export function timed(words: readonly string[]) {
  const script = 'TIMEFORMAT="cpu %U %S"; time "$@"';
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ readonly cpuSeconds: number; readonly stderr: string }>((resolve) => {
    child.once('close', () => {
      const [, user, system] = stderr.match(/cpu ([\d.]+) ([\d.]+)/) ?? [];
      resolve({ cpuSeconds: Number(user) + Number(system), stderr });
    });
  });
  return { ended, started: new Promise((resolve) => child.stderr.once('data', resolve)) };
}
