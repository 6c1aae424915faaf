import { expect, it } from 'vitest';
import { judge } from '../../conformance/recordings/judge.ts';
import type { Trace } from '../../conformance/recordings/logs/observations.ts';
import { traceReport } from '../../conformance/recordings/report.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { tracesOf, UNTIMED } from './recorded-traces.ts';
import { recordingOf } from './simulated-recording.ts';
import { simulate } from './simulated-run.ts';
import { Draws, simulatedSetup } from './simulated-setups.ts';

/**
 * Random runs of the model, recorded like those of a real control plane: requests, answers,
 * changes in the store and the remaining objects. Every run of the model is a behaviour of the
 * model, so each must be accepted. A run is determined by its number. `REAPCHECK_RUNS=5000 npx
 * vitest run test/conformance/simulated.long.test.ts` judges 5000 runs (about twenty milliseconds
 * each); `REAPCHECK_FROM=5000` starts at that number instead of 0.
 */
const rules = PROTOCOLS['v1.20']!;
/** What the API server and the collector send differs between them. */
const OTHER_PROTOCOLS = ['v1.7', 'v1.12', 'v1.24', 'v1.34', 'v1.36'];
/**
 * Runs in which a worker looks up an owner, and another finds it absent before the first sends its
 * GET.
 */
const OVERTAKEN = [661, 695];
/** Runs in which the differences show. */
const TELLING = [0, 4, 9, 13, 27, 52, 61, 73, 89, 128, 140, 240];
const RUNS = Number(process.env.REAPCHECK_RUNS ?? 40);
const FROM = Number(process.env.REAPCHECK_FROM ?? 0);

function simulated(seed: number, under = rules, wide = false): Trace {
  const draws = new Draws(seed);
  const run = simulate(simulatedSetup(draws, wide), under, draws);
  const name = `simulated-${seed}`;
  const [trace] = tracesOf(name, recordingOf(name, run));
  if (trace === undefined) throw new Error('a recording of one run has one trace');
  return trace;
}

it('accepts runs in which a watch broke, if it is told so', () => {
  const judged = Array.from({ length: 30 }, (_, seed) => {
    const draws = new Draws(seed);
    const setup = simulatedSetup(draws);
    const pace = { ...setup.pace, deliver: 0.1, disturb: 0.5 };
    const run = simulate({ ...setup, pace, restarts: 0, relists: 1 }, rules, draws);
    const [trace] = tracesOf(`broken-${seed}`, recordingOf(`broken-${seed}`, run));
    if (trace === undefined) throw new Error('a recording of one run has one trace');
    const verdict = (relists: number) =>
      judge({ ...trace, relists }, { rules, limits: UNTIMED, partial: false }).validation.verdict;
    return { seed, broke: run.relists > 0, told: verdict(run.relists), untold: verdict(0) };
  });
  expect(judged.filter(({ told }) => told !== 'accepted')).toEqual([]);
  expect(judged.filter(({ broke }) => broke).length).toBeGreaterThan(7);
  // Without the new list some of them have no explanation.
  expect(judged.filter(({ untold }) => untold === 'rejected').length).toBeGreaterThan(0);
}, 3_600_000);

it(`accepts ${RUNS} random runs of the model`, () => {
  const complaints: string[] = [];
  const seen = { collector: 0, patches: 0, conflicts: 0, restarts: 0 };
  for (const seed of [...Array.from({ length: RUNS }, (_, run) => FROM + run), ...OVERTAKEN]) {
    const trace = simulated(seed);
    if (trace.requests.length === 0) continue;
    const own = trace.requests.filter(({ collector }) => collector);
    seen.collector += own.length;
    seen.patches += own.filter(({ verb }) => verb === 'patch').length;
    seen.conflicts += trace.requests.filter(({ code }) => code === 409).length;
    seen.restarts += trace.restarts;
    const { verdict, failure } = traceReport(
      judge(trace, { rules, limits: UNTIMED, partial: false }),
    );
    if (verdict === 'accepted') continue;
    complaints.push(`${verdict} run ${seed}: ${failure?.event} ${failure?.misfits[0]?.sentence}`);
  }
  expect(complaints).toEqual([]);
  // The runs are only a test if much happens in them.
  expect(seen.collector).toBeGreaterThan(4 * RUNS);
  expect(seen.patches).toBeGreaterThan(RUNS / 2);
  expect(seen.conflicts).toBeGreaterThan(RUNS / 50);
  expect(seen.restarts).toBeGreaterThan(RUNS / 50);
}, 3_600_000);

it('accepts what the API servers of other protocols write', () => {
  const complaints: string[] = [];
  const seen: Record<string, number> = {};
  const all = Array.from({ length: RUNS }, (_, index) => FROM + index);
  const seeds = process.env.REAPCHECK_RUNS === undefined ? TELLING : all;
  for (const protocol of OTHER_PROTOCOLS) {
    const under = PROTOCOLS[protocol]!;
    for (const seed of seeds) {
      const trace = simulated(seed, under, true);
      for (const { collector, verb, code } of trace.requests) {
        const what = `${collector ? 'collector' : 'user'} ${verb} ${code} under ${protocol}`;
        seen[what] = (seen[what] ?? 0) + 1;
      }
      const judged = judge(trace, { rules: under, limits: UNTIMED, partial: false });
      const { verdict, failure } = traceReport(judged);
      if (verdict === 'accepted') continue;
      complaints.push(`${verdict} ${protocol} run ${seed}: ${failure?.misfits[0]?.sentence}`);
    }
  }
  expect(complaints).toEqual([]);
  // What makes the protocols different.
  expect(seen).toMatchObject({
    'collector update 200 under v1.7': expect.any(Number),
    'collector patch 415 under v1.12': expect.any(Number),
    'user deletecollection 405 under v1.12': expect.any(Number),
    'user update 409 under v1.24': expect.any(Number),
    'collector delete 409 under v1.34': expect.any(Number),
    'user update 404 under v1.34': expect.any(Number),
    'user update 422 under v1.36': expect.any(Number),
  });
}, 3_600_000);
