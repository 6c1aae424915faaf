import { describe, expect, it } from 'vitest';
import { judge } from '../../conformance/recordings/judge.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { recordedScenarios, tracesOf, UNTIMED } from './recorded-traces.ts';
import { CORRUPTION_KINDS, type Corruption, corruptions } from './trace-corruptions.ts';

const rules = PROTOCOLS['v1.20']!;

/** So many recordings share the kinds of corruption. */
const SHARED_BY = 7;

/**
 * Corruptions of the first run of each recording: one of each kind that is its turn, and a different
 * one each time.
 */
function sample(): readonly Corruption[] {
  return Object.entries(recordedScenarios()).flatMap(([name, scenario], turn) => {
    const [trace] = tracesOf(name, scenario);
    const all = trace === undefined ? [] : corruptions(trace);
    return CORRUPTION_KINDS.flatMap((kind, place) => {
      if ((place + turn) % SHARED_BY !== 0) return [];
      const ofKind = all.filter((corruption) => corruption.kind === kind);
      return ofKind.slice(turn % (ofKind.length || 1)).slice(0, 1);
    });
  });
}

describe('the validation of traces can say no', () => {
  it('rejects what has been corrupted, and accepts no corruption but what is possible', () => {
    const results = sample().map((corruption) => ({
      ...corruption,
      verdict: judge(corruption.trace, { rules, limits: UNTIMED, partial: false }).validation
        .verdict,
    }));
    const rejected = results.filter(({ verdict }) => verdict === 'rejected');
    expect(results.length).toBeGreaterThan(250);
    expect(rejected.length / results.length).toBeGreaterThan(0.95);
    const unexplained = results.filter(
      ({ verdict, possible }) => verdict !== 'rejected' && possible === null,
    );
    expect(
      unexplained.map(
        ({ verdict, kind, trace, what }) => `${verdict} ${kind}: ${trace.name} ${what}`,
      ),
    ).toEqual([]);
    for (const kind of CORRUPTION_KINDS) {
      const own = results.filter((result) => result.kind === kind);
      const impossible = own.filter(({ possible }) => possible === null);
      expect(impossible.length, kind).toBeGreaterThan(0);
    }
  });
});
