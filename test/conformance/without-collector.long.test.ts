import { expect, it } from 'vitest';
import { validateTrace } from '../../checker/index.ts';
import { judge } from '../../conformance/recordings/judge.ts';
import type { Trace } from '../../conformance/recordings/logs/observations.ts';
import { explainerOf } from '../../conformance/recordings/search/explainer.ts';
import { searchWithoutCollector } from '../../conformance/recordings/without-collector.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { recordedScenarios, tracesOf } from './recorded-traces.ts';
import { fan } from './simulated-fans.ts';
import { recordingOf } from './simulated-recording.ts';
import { simulate } from './simulated-run.ts';
import { Draws, type SimulatedSetup, simulatedSetup } from './simulated-setups.ts';
import { CORRUPTION_KINDS, corruptions } from './trace-corruptions.ts';

/**
 * What has no explanation even if the collector may send what it likes has none. Large traces are
 * rejected by that, so it must never reject what the search in full accepts.
 */
const V1_20 = PROTOCOLS['v1.20']!;
/** About as many as a fan of twenty has instants. */
const FEW = 500;

function run(setup: SimulatedSetup, draws: Draws, rules = V1_20): Trace {
  const [trace] = tracesOf('run', recordingOf('run', simulate(setup, rules, draws)));
  if (trace === undefined) throw new Error('a recording of one run has one trace');
  return trace;
}

/** Null: the search does not apply. */
function simply(trace: Trace, states = FEW, rules = V1_20) {
  const search = searchWithoutCollector(trace, { rules, partial: false });
  if (search === null) return null;
  const limits = { states, milliseconds: Number.POSITIVE_INFINITY };
  return validateTrace(explainerOf(search.context, [search.initial]), limits).verdict;
}

it('rejects each kind of corruption of a fan in few states', () => {
  const trace = run(fan(10, 'Foreground'), new Draws(0));
  expect(simply(trace)).toBe('accepted');
  // Only the collector warns.
  const all = corruptions(trace).filter(
    ({ kind, possible }) => possible === null && kind !== 'warning from nowhere',
  );
  const sample = CORRUPTION_KINDS.flatMap((kind) => {
    const own = all.filter((corruption) => corruption.kind === kind);
    // The last ones leave the most to try.
    return own.slice(-2).slice(0, 1);
  });
  expect(sample.length).toBeGreaterThan(15);
  const others = sample.filter((corruption) => simply(corruption.trace) !== 'rejected');
  expect(others.map(({ kind, what }) => `${kind}: ${what}`)).toEqual([]);

  const limits = { states: 2500, milliseconds: Number.POSITIVE_INFINITY };
  const late = sample.find(({ kind }) => kind === 'removal seen twice')!;
  const judged = judge(late.trace, { rules: V1_20, limits, partial: false });
  expect(judged.validation.verdict).toBe('rejected');
});

it('rejects no recording and no run of the model', () => {
  const recorded = Object.entries(recordedScenarios()).flatMap(([name, scenario]) =>
    tracesOf(name, scenario).slice(0, 1),
  );
  const simulated = Array.from({ length: 20 }, (_, seed) => {
    const draws = new Draws(seed);
    return run(simulatedSetup(draws), draws);
  });
  const verdicts = [...recorded, ...simulated].map((trace) => simply(trace, 5000));
  expect(verdicts).not.toContain('rejected');
  // Of two recordings not all bodies are shown.
  expect(verdicts.filter((verdict) => verdict !== 'accepted')).toEqual([null, null]);
});

it('does not judge designs in which a worker asks more than its request says', () => {
  const rules = PROTOCOLS['synchronous-gc-proposal']!;
  const draws = new Draws(1);
  const trace = run(simulatedSetup(draws), draws, rules);
  const limits = { states: 5000, milliseconds: Number.POSITIVE_INFINITY };
  expect(judge(trace, { rules, limits, partial: false }).validation.verdict).toBe('accepted');
  expect(simply(trace, FEW, rules)).toBe(null);
  expect(simply(trace, FEW, { ...V1_20, finalizerRemoval: 'put' })).toBe(null);
});

it('rejects nothing that the search accepts which leaves out nothing', () => {
  const seen = { accepted: 0, rejected: 0 };
  for (let seed = 0; seed < 4; seed++) {
    const trace = run(fan(1 + (seed % 2), 'Foreground'), new Draws(seed));
    for (const [index, corruption] of corruptions(trace).entries()) {
      if (index % 9 !== seed % 9 || simply(corruption.trace) !== 'rejected') continue;
      seen.rejected++;
      const limits = { states: 150, milliseconds: Number.POSITIVE_INFINITY };
      const slow = judge(corruption.trace, {
        ...{ rules: V1_20, limits, partial: false, reduced: false },
      });
      if (slow.validation.verdict === 'accepted') seen.accepted++;
    }
  }
  expect(seen.accepted).toBe(0);
  expect(seen.rejected).toBeGreaterThan(10);
});
