import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Seen from `dist/bench/`. */
const SOURCE = fileURLToPath(new URL('../../bench/peers/twopc.pml', import.meta.url));
const COMPILER_OPTIONS = ['-O2', '-DNOREDUCE', '-DSAFETY'];
const RUN_OPTIONS = ['-m100000', '-w24'];

export interface SpinMeasurement {
  readonly states: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** Programs that Spin's verifier needs and that are not installed. */
export function missingPrograms(): readonly string[] {
  return ['spin', 'cc'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
}

/** Builds Spin's verifier for two-phase commit and runs it once for each call of the result. */
export function spinVerifier(managers: number): {
  readonly run: () => SpinMeasurement;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-bench-'));
  execFileSync('spin', ['-a', `-DN=${managers}`, SOURCE], { cwd: folder });
  execFileSync('cc', [...COMPILER_OPTIONS, '-w', '-o', 'pan', 'pan.c'], { cwd: folder });
  return {
    run() {
      // `times` is how a shell tells the CPU time of its children.
      const script = `./pan ${RUN_OPTIONS.join(' ')} && times`;
      const output = execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });
      return {
        states: number(output, /(\d+) states, stored/),
        megabytes: number(output, /([\d.]+)\s+total actual memory usage/),
        cpuSeconds: childSeconds(output),
      };
    },
    remove() {
      rmSync(folder, { recursive: true });
    },
  };
}

function number(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`Spin's output lacks ${pattern}:\n${output}`);
  return Number(found);
}

/** The last line of `times`: user and system time of the children, as `0m2.100000s 0m0.150000s`. */
function childSeconds(output: string): number {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  const times = [...last.matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length !== 2) throw new Error(`the shell's times are not understood: ${last}`);
  return times.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}
