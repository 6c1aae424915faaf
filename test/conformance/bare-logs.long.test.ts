import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeenRequest, Trace } from '../../conformance/recordings/logs/observations.ts';
import { tracesIn } from '../../conformance/recordings/logs/read.ts';
import { judgeOpen, type OpenJudged } from '../../conformance/recordings/open/judge-open.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { auditTrace, LEVELS, type Level } from './audit-lines.ts';
import { FORGERIES, type Forgery } from './forgeries.ts';
import { auditLines, recordedScenarios, tracesOf, UNTIMED } from './recorded-traces.ts';
import { recordingOf } from './simulated-recording.ts';
import { simulate } from './simulated-run.ts';
import { Draws, simulatedSetup } from './simulated-setups.ts';

/** Logs at the levels Metadata and Request: the recordings, without their bodies. */

const rules = PROTOCOLS['v1.20']!;

function judged(trace: Trace, levelOf: (request: SeenRequest) => Level): OpenJudged {
  return judgeOpen(auditTrace(trace, levelOf), rules, UNTIMED);
}

/**
 * Its dry runs are answered with 200 and change nothing. Without bodies nothing says that they are
 * dry.
 */
const OPEN_WITHOUT_BODIES = 's-invalid-options';

function complaints(results: readonly OpenJudged[]): readonly string[] {
  return results.flatMap(({ trace, verdict, failure }) =>
    verdict === 'accepted' ||
    (verdict === 'inconclusive' && trace.name.startsWith(OPEN_WITHOUT_BODIES))
      ? []
      : [`${verdict} ${trace.name}: ${failure?.event} ${JSON.stringify(failure?.misfits[0])}`],
  );
}

/** An audit policy with a level for each kind and verb. */
function policy(draw: number): (request: SeenRequest) => Level {
  return ({ kind, verb }) => {
    const text = `${kind.name} ${verb} ${draw}`;
    const sum = [...text].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 9973, 7);
    return LEVELS[sum % LEVELS.length] ?? 'Metadata';
  };
}

const laterRuns = Object.entries(recordedScenarios()).flatMap(([name, scenario]) =>
  tracesOf(name, scenario).slice(1),
);
const firstRuns = Object.entries(recordedScenarios()).flatMap(([name, scenario]) =>
  tracesOf(name, scenario).slice(0, 1),
);

describe('genuine logs', () => {
  it.each(LEVELS)('accepts a run of each third recording at level %s', (level) => {
    const own = firstRuns.filter((_, index) => LEVELS[index % LEVELS.length] === level);
    expect(complaints(own.map((run) => judged(run, () => level)))).toEqual([]);
  });

  it('accepts the other runs of every recording with a level for each kind and verb', () => {
    const results = laterRuns.map((run, index) => judged(run, policy(index)));
    expect(complaints(results)).toEqual([]);
  });

  it.each(['Metadata', 'Request'] as const)('accepts a day of work with kubectl: %s', (level) => {
    const lines = auditLines().map((line) => {
      const { requestObject, responseObject: _, ...event } = JSON.parse(line);
      const kept = level === 'Request' && requestObject !== undefined ? { requestObject } : {};
      return JSON.stringify({ ...event, level, ...kept });
    });
    const [trace] = tracesIn({ file: 'audit.jsonl', text: lines.join('\n') }, { partial: true });
    const result = judgeOpen(trace!, rules, UNTIMED);
    expect(complaints([result])).toEqual([]);
    expect(result.open.level).toBe(level);
  });
});

const MOST_FORGED = 6;

function forgedBy({ forge }: Forgery): readonly Trace[] {
  return firstRuns.flatMap((trace) => forge(trace) ?? []).slice(0, MOST_FORGED);
}

describe('forged logs', () => {
  it.each(FORGERIES)('$what: rejected from level $visibleFrom on', (forgery) => {
    const forged = forgedBy(forgery);
    expect(forged.length).toBeGreaterThan(5);
    const shown = LEVELS.indexOf(forgery.visibleFrom);
    // Of the levels above, each says all that this one says.
    for (const level of LEVELS.slice(0, shown + 1)) {
      const accepted = forged
        .map((trace) => judged(trace, () => level))
        .flatMap(({ trace, verdict }) => (verdict === 'rejected' ? [] : [trace.name]));
      // Below, a later code may still contradict it.
      if (LEVELS.indexOf(level) < shown) {
        expect(accepted.length, `${level}: ${forgery.hiddenBelow}`).toBeGreaterThan(0);
      } else expect(accepted, level).toEqual([]);
    }
  });

  it('rejects the DELETE of an object whose owner lives, if only the GETs are logged in full', () => {
    const forgery = FORGERIES.find(({ visibleFrom }) => visibleFrom === 'RequestResponse');
    const verdicts = forgedBy(forgery!).map((trace) =>
      judged(trace, ({ verb }) => (verb === 'get' ? 'RequestResponse' : 'Metadata')),
    );
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['rejected']));
  });
});

it('never rejects a run of the model because bodies are removed, and no forgery that shows', () => {
  const seen = { judged: 0, forged: 0 };
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(10_000), fc.nat(100), (seed, levels, pick) => {
      const draws = new Draws(seed);
      const run = simulate(simulatedSetup(draws), rules, draws);
      const [trace] = tracesOf(`simulated-${seed}`, recordingOf(`simulated-${seed}`, run));
      if (trace === undefined || trace.requests.length === 0) return;
      seen.judged++;
      expect(complaints([judged(trace, policy(levels))])).toEqual([]);
      const visible = FORGERIES.filter(({ visibleFrom }) => visibleFrom === 'Metadata');
      const forged = visible[pick % visible.length]?.forge(trace) ?? null;
      if (forged === null) return;
      seen.forged++;
      expect(judged(forged, policy(levels)).verdict).toBe('rejected');
    }),
    { numRuns: 25, seed: 11 },
  );

  expect(seen.judged).toBeGreaterThan(15);
  expect(seen.forged).toBeGreaterThan(3);
});
