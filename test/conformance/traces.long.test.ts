import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../conformance/recordings/coverage.ts';
import { type Judged, judge } from '../../conformance/recordings/judge.ts';
import type { Trace } from '../../conformance/recordings/logs/observations.ts';
import { tracesIn } from '../../conformance/recordings/logs/read.ts';
import { traceReport } from '../../conformance/recordings/report.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { fidelityPage } from '../docs/fidelity/page.ts';
import {
  auditLines,
  recordedScenarios,
  tracesOf,
  UNTIMED,
  watchStream,
} from './recorded-traces.ts';

const FIDELITY = fileURLToPath(new URL('../../docs/fidelity.md', import.meta.url));

const rules = PROTOCOLS['v1.20']!;

/** No trace may need more states. The most that a whole recording needs today is 460. */
const limits = { ...UNTIMED, states: 2_000 };

function judged(trace: Trace, partial = false, readRules = false): Judged {
  return judge(trace, { rules, limits, partial, readRules });
}

/** The failures, for messages. */
function complaints(results: readonly Judged[]): readonly string[] {
  return results
    .map(traceReport)
    .flatMap(({ trace, verdict, failure }) =>
      verdict === 'accepted'
        ? []
        : [`${verdict} ${trace}: ${failure?.event} ${JSON.stringify(failure?.misfits[0])}`],
    );
}

const scenarios = Object.entries(recordedScenarios());
const traces = new Map(scenarios.map(([name, scenario]) => [name, tracesOf(name, scenario)]));

describe('what a real control plane did is a behaviour of the model', () => {
  const everything: Judged[] = [];

  it.each([...traces])('%s', (_name, runs) => {
    const results = runs.map((run) => judged(run, false, true));
    everything.push(...results);
    expect(complaints(results)).toEqual([]);
  });

  it('exercises every step of the collector and of the API server', () => {
    const coverage = coverageOf(everything, rules);
    const unseen = coverage.steps.filter(({ times }) => times === 0);
    expect(unseen.map(({ action, step }) => `${action} ${step}`)).toEqual([]);
    const read = coverage.rules.filter((rule) => rule.traces.length > 0);
    // The other rules belong to actors that did not take part, or to what only other protocols do.
    expect(read.length).toBeGreaterThan(35);
  });

  it('docs/fidelity.md says what was found (UPDATE_GOLDEN=1 writes it)', async () => {
    const page = await fidelityPage(everything);
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(FIDELITY, page);
    expect(readFileSync(FIDELITY, 'utf8')).toBe(page);
  });

  it('includes a day of work with kubectl, told by its audit log alone', () => {
    const text = auditLines().join('\n');
    const runs = tracesIn({ file: 'audit.jsonl', text }, { partial: false });
    expect(runs.map(({ requests }) => requests.length)).toEqual([170]);
    expect(complaints(runs.map((run) => judged(run)))).toEqual([]);
  });
});

describe('less is known of a system as a rule', () => {
  const first = [...traces.values()].flatMap((runs) => runs.slice(0, 1));

  it('accepts what a watch alone shows of each recording', () => {
    const streams = first.flatMap((trace) =>
      tracesIn({ file: `${trace.name} watch`, text: watchStream(trace) }, { partial: false }),
    );
    expect(complaints(streams.map((stream) => judged(stream)))).toEqual([]);
  });

  it('accepts logs without the reads of the collector, if they may have gaps', () => {
    // Much of it may have happened then, so that only few requests are judged quickly.
    const small = first
      .filter(({ requests }) => requests.length < 20)
      .filter((_, index) => index % 2 === 0);
    const gappy = small.map((trace) => ({
      ...trace,
      requests: trace.requests.filter(({ collector, verb }) => !collector || verb !== 'get'),
    }));
    expect(complaints(gappy.map((trace) => judged(trace, true)))).toEqual([]);
    const strict = gappy.map((trace) => judged(trace).validation.verdict);
    expect(strict.filter((verdict) => verdict === 'rejected').length).toBeGreaterThan(6);
  });
});
