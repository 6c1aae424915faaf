import { describe, expect, it } from 'vitest';
import { judge } from '../../conformance/recordings/judge.ts';
import type { Trace } from '../../conformance/recordings/logs/observations.ts';
import { traceReport } from '../../conformance/recordings/report.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { recordedScenarios, tracesOf, UNTIMED } from './recorded-traces.ts';
import { atOnce, renamed, slower } from './retold.ts';
import { Draws } from './simulated-setups.ts';

/** The counterpart of the corruptions: what is only told in another way is accepted. */
const rules = PROTOCOLS['v1.20']!;
const SEED = 13;

const first = Object.entries(recordedScenarios()).flatMap(([name, scenario]) =>
  tracesOf(name, scenario).slice(0, 1),
);

function complaints(traces: readonly Trace[]): readonly string[] {
  return traces.flatMap((trace) => {
    const { verdict, failure } = traceReport(
      judge(trace, { rules, limits: UNTIMED, partial: false }),
    );
    const why = `${failure?.event} ${failure?.misfits[0]?.sentence}`;
    return verdict === 'accepted' ? [] : [`${verdict} ${trace.name}: ${why}`];
  });
}

describe('the validation of traces does not depend on how they are told', () => {
  it('accepts other uids, versions and clocks', () => {
    const half = first.filter((_, index) => index % 2 === 0);
    expect(complaints(half.map(renamed))).toEqual([]);
  });

  it('accepts users who are further away', () => {
    const draws = new Draws(SEED);
    const half = first.filter((_, index) => index % 2 === 1);
    expect(complaints(half.map((trace) => slower(trace, draws)))).toEqual([]);
  });

  it('accepts two recordings as what one cluster did', () => {
    const short = first.filter(({ requests }) => requests.length < 40);
    const pairs = short.flatMap((trace, index) => {
      if (index % 4 !== 0) return [];
      const both = atOnce(trace, short[(index + SEED) % short.length]!);
      return both === null ? [] : [both];
    });
    expect(pairs.length).toBeGreaterThan(20);
    expect(complaints(pairs)).toEqual([]);
  });
});
