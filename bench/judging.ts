import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { check, type Property } from '../checker/index.ts';
import { gatherPlans } from '../input/gather.ts';
import { inputOptions } from '../input/options/input-options.ts';
import type { Cluster } from '../model/index.ts';
import { judgedBy, modelOf } from '../run/assemble.ts';
import { optimiseLater } from '../run/compiler.ts';

/**
 * `node judging.js [RUNS [STATES SCENARIO...]]` prints what it costs to judge all properties of a
 * scenario, and to audit as `--audit` does: CPU seconds of the check, without the start of Node, as
 * medians, and their ratio to a search that judges nothing.
 */
const MODES = ['nothing', 'all', 'audited'] as const;
type Mode = (typeof MODES)[number];

const CASES: readonly (readonly [states: number, scenario: string])[] = [
  [1_000_000, 'two-workers-foreground-diamond'],
  [1_000_000, 'two-workers-chain'],
  [400_000, fileURLToPath(new URL('../../bench/three-pods.yaml', import.meta.url))],
];

/** A check judges at least one property. This one is asked of states without successors only. */
const NOTHING: readonly Property<Cluster>[] = [
  { kind: 'settled', name: 'nothing is asked', settled: () => true },
];

interface Measurement {
  readonly states: number;
  readonly cpuSeconds: number;
}

async function measured(mode: Mode, states: number, scenario: string): Promise<Measurement> {
  // As the command does.
  optimiseLater();
  const [plan] = await gatherPlans(inputOptions({ input: [scenario] }), (async function* () {})());
  const { statistics } = await check({
    model: modelOf(plan!.setup),
    properties: mode === 'nothing' ? NOTHING : judgedBy(plan!),
    ...(mode === 'audited' ? { auditEvery: 'thinning' } : {}),
    limits: { states },
  });
  return { states: statistics.states, cpuSeconds: statistics.cpuSeconds };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]!;
}

function row(runs: number, states: number, scenario: string): string {
  const script = fileURLToPath(import.meta.url);
  // In turn, so that the load of the machine is the same for all.
  const all = Array.from({ length: runs }, () =>
    MODES.map((mode): Measurement => {
      const words = [script, '--measure', mode, String(states), scenario];
      return JSON.parse(execFileSync(process.execPath, words).toString());
    }),
  );
  const [nothing, judged, audited] = MODES.map((_, mode) =>
    median(all.map((run) => run[mode]!.cpuSeconds)),
  );
  const cells = [
    scenario.split('/').at(-1),
    all[0]![0]!.states.toLocaleString('en-US'),
    ...[nothing, judged, audited].map((seconds) => seconds!.toFixed(2)),
    (judged! / nothing!).toFixed(2),
    (audited! / judged!).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

const [first = '3', ...rest] = process.argv.slice(2);
if (first === '--measure') {
  const [mode, states, scenario] = rest;
  const known = MODES.find((name) => name === mode)!;
  process.stdout.write(JSON.stringify(await measured(known, Number(states), scenario!)));
} else {
  const [states, ...scenarios] = rest;
  const cases =
    states === undefined ? CASES : scenarios.map((scenario) => [Number(states), scenario] as const);
  const head = ['scenario', 'states', ...MODES, 'judging', 'auditing'];
  process.stdout.write(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}\n`);
  for (const [most, scenario] of cases)
    process.stdout.write(`${row(Number(first), most, scenario)}\n`);
}
