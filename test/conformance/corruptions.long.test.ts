import { describe, expect, it } from 'vitest';
import { judge } from '../../conformance/recordings/judge.ts';
import type { SeenRequest } from '../../conformance/recordings/logs/observations.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { recordedScenarios, tracesOf, UNTIMED } from './recorded-traces.ts';
import { CORRUPTION_KINDS, type Corruption, corruptions } from './trace-corruptions.ts';

const rules = PROTOCOLS['v1.20']!;

/** So many of each kind, from recordings all over the list, and each at another place of its own. */
const OF_EACH = 3;

/** Corruptions of the first run of some recordings. */
function sample(): readonly Corruption[] {
  const all = Object.entries(recordedScenarios()).map(([name, scenario]) => {
    const [trace] = tracesOf(name, scenario);
    return trace === undefined ? [] : corruptions(trace);
  });
  return CORRUPTION_KINDS.flatMap((kind, place) => {
    const own = all
      .map((corrupted) => corrupted.filter((corruption) => corruption.kind === kind))
      .filter(({ length }) => length > 0);
    return Array.from({ length: OF_EACH }, (_, turn) => {
      const part = (turn + place / CORRUPTION_KINDS.length) / OF_EACH;
      const ofOne = own[Math.floor(part * own.length)] ?? [];
      return ofOne.slice((7 * turn + place) % (ofOne.length || 1)).slice(0, 1);
    }).flat();
  });
}

describe('the validation of traces can say no', () => {
  it('accepts that the collector has not removed a finalizer if a DELETE can have done so', () => {
    const name = 'x-repeat-held-dep-ofb';
    const [trace] = tracesOf(name, recordedScenarios()[name]);
    if (trace === undefined) throw new Error('the recording has no run');
    const verdictOf = (requests: readonly SeenRequest[]) =>
      judge({ ...trace, requests }, { rules, limits: UNTIMED, partial: false }).validation.verdict;
    // Alice deletes the owner in the foreground. A worker takes foregroundDeletion off by a PATCH,
    // and alice sends another DELETE with the policy Background.
    const patch = trace.requests.findLastIndex(
      ({ collector, verb }) => collector && verb === 'patch',
    );
    const background = trace.requests.findIndex(
      ({ body }) => body.is === 'value' && JSON.stringify(body.value).includes('"Background"'),
    );
    const last = trace.requests[background]!;
    expect(trace.requests[patch]?.body).toMatchObject({
      value: { metadata: { finalizers: ['example.test/hold'] } },
    });
    const without = trace.requests.toSpliced(patch, 1);
    // Without the PATCH, the worker has stalled after its GETs, and the DELETE itself takes the
    // finalizer off, as it does in the recording x-repeat-held-dep-fbo. Its answer shows the next
    // version then.
    expect(verdictOf(without)).toBe('accepted');
    // A DELETE with another policy leaves the finalizer or adds one, so that nothing explains the
    // event.
    const foreground = { is: 'value', value: { propagationPolicy: 'Foreground' } } as const;
    const other = { ...last, body: foreground };
    expect(verdictOf(trace.requests.with(background, other).toSpliced(patch, 1))).toBe('rejected');
    // And so it is if the DELETE is not there either.
    expect(verdictOf(without.filter((request) => request !== last))).toBe('rejected');
  });

  it('rejects what has been corrupted, and accepts no corruption but what is possible', () => {
    const results = sample().map((corruption) => ({
      ...corruption,
      verdict: judge(corruption.trace, { rules, limits: UNTIMED, partial: false }).validation
        .verdict,
    }));
    const rejected = results.filter(({ verdict }) => verdict === 'rejected');
    expect(results.length).toBe(OF_EACH * CORRUPTION_KINDS.length);
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
