import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type CaseName, withCase } from './cases.ts';
import type { Measurement } from './measure.ts';
import { missingPrograms, type SpinMeasurement, spinVerifier } from './spin.ts';

const NAIVE_TARGET = 80;
const SPIN_TARGET = 0.5;
const BYTES_TARGET = 16;
/** Each with 3·10^5 states or more. */
const NAIVE_CASES: readonly CaseName[] = ['commit8', 'philosophers12', 'deletion6'];
const SPIN_CASES: readonly (readonly [CaseName, managers: number])[] = [
  ['commit8', 8],
  ['commit9', 9],
];

const options = await yargs(hideBin(process.argv))
  .usage('npm run bench -- [options]\n\nCPU time of the checker against its naive twin and Spin.')
  .option('runs', { type: 'number', default: 3, describe: 'runs of each; the median counts' })
  .option('naive-states', {
    type: 'number',
    default: 300_000,
    describe: 'limit of the naive engine; its rate up to there counts, which flatters it',
  })
  .option('only', { choices: ['naive', 'spin', 'rates'] as const, describe: 'one part of it' })
  .option('enforce', { type: 'boolean', default: false, describe: 'exit 1 if a target is missed' })
  .strict()
  .parseAsync();

let missed = 0;
say(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
say('CPU seconds are of whole processes, user and system; medians.\n');
if (options.only === undefined || options.only === 'rates') rates();
if (options.only === undefined || options.only === 'naive') againstNaive();
if (options.only === undefined || options.only === 'spin') againstSpin();
if (options.enforce && missed > 0) process.exitCode = 1;

function rates(): void {
  say('The tracked engine');
  for (const name of ['commit9', 'deletion6w2'] as const) {
    const { states, transitions, cpuSeconds, peakMegabytes, bytesPerState, reducerRuns } = median(
      repeat(() => measure(name, 'tracked')),
    );
    say(
      `  ${name}: ${states} states, ${transitions} transitions, ${cpuSeconds.toFixed(2)} s, ` +
        `${thousands(states / cpuSeconds)} states/s, ${thousands(transitions / cpuSeconds)} transitions/s, ` +
        `${peakMegabytes.toFixed(0)} MB, ${reducerRuns} reducer runs`,
    );
    if (name !== 'commit9') continue;
    judge(
      bytesPerState <= BYTES_TARGET,
      `${bytesPerState.toFixed(1)} bytes/state`,
      `<= ${BYTES_TARGET}`,
    );
  }
}

function againstNaive(): void {
  say(`\nAgainst the naive engine, cut at ${options.naiveStates} states: states per CPU second`);
  for (const name of NAIVE_CASES) {
    // The naive engine runs once only, because it takes long. The other runs surround it.
    const before = repeat(() => measure(name, 'tracked'));
    const naive = rate(measure(name, 'naive', options.naiveStates));
    const tracked = rate(median([...before, ...repeat(() => measure(name, 'tracked'))]));
    const ratio = tracked / naive;
    const rest = `${thousands(tracked)} against ${thousands(naive)}`;
    judge(
      ratio >= NAIVE_TARGET,
      `${name}: ${ratio.toFixed(0)} times (${rest})`,
      `>= ${NAIVE_TARGET}`,
    );
  }
}

function againstSpin(): void {
  say('\nAgainst Spin (depth-first, cc -O2 -DNOREDUCE -DSAFETY): CPU seconds');
  const missing = missingPrograms();
  if (missing.length > 0) {
    say(`  left out: ${missing.join(' and ')} not installed`);
    return;
  }
  for (const [name, managers] of SPIN_CASES) {
    const spin = spinVerifier(managers);
    const pairs = repeat(() => ({ tracked: measure(name, 'tracked'), spin: spin.run() }));
    spin.remove();
    const tracked = median(pairs.map((pair) => pair.tracked));
    const theirs: SpinMeasurement = median(pairs.map((pair) => pair.spin));
    if (theirs.states !== tracked.states) throw new Error(`Spin found ${theirs.states} states`);
    const ratio = tracked.cpuSeconds / theirs.cpuSeconds;
    const rest =
      `${tracked.cpuSeconds.toFixed(2)} s and ${tracked.peakMegabytes.toFixed(0)} MB against ` +
      `${theirs.cpuSeconds.toFixed(2)} s and ${theirs.megabytes.toFixed(0)} MB`;
    judge(ratio <= SPIN_TARGET, `${name}: ${ratio.toFixed(2)} (${rest})`, `<= ${SPIN_TARGET}`);
  }
}

/** One run in a separate process. Throws if its results are not the known ones. */
function measure(name: CaseName, engine: 'tracked' | 'naive', mostStates?: number): Measurement {
  const script = fileURLToPath(new URL('measure.js', import.meta.url));
  const limit = mostStates === undefined ? [] : [String(mostStates)];
  const output = execFileSync(process.execPath, [script, name, engine, ...limit]);
  const measurement: Measurement = JSON.parse(output.toString());
  const expected = withCase(name, ({ states }) => states);
  if (mostStates === undefined || mostStates >= expected) {
    if (measurement.states !== expected) throw new Error(`${name}: ${measurement.states} states`);
    if (measurement.verdicts.some((verdict) => verdict !== 'holds')) {
      throw new Error(`${name}: ${measurement.verdicts.join()}`);
    }
  }
  return measurement;
}

function repeat<Result>(run: () => Result): readonly Result[] {
  return Array.from({ length: options.runs }, run);
}

function median<Measured extends { readonly cpuSeconds: number }>(
  all: readonly Measured[],
): Measured {
  const sorted = [...all].sort((one, other) => one.cpuSeconds - other.cpuSeconds);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function rate({ states, cpuSeconds }: Measurement): number {
  return states / cpuSeconds;
}

function judge(met: boolean, figure: string, target: string): void {
  if (!met) missed++;
  say(`  ${figure}; target ${target}: ${met ? 'met' : 'MISSED'}`);
}

function thousands(number: number): string {
  return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)} k`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
