import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExplainedStep,
  type Explainer,
  type HiddenStep,
  validateTrace,
} from '../../../checker/index.ts';

/** A labelled graph. An edge is observed (its label is in the log) or hidden. */
interface Edge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly hidden: boolean;
}

const NO_LIMITS = { states: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY };

function explainer(edges: readonly Edge[], log: readonly string[]): Explainer<number> {
  const leaving = (state: number, hidden: boolean) =>
    edges.filter((edge) => edge.from === state && edge.hidden === hidden);
  return {
    initial: [0],
    observations: log.length,
    match: (state, index) =>
      leaving(state, false)
        .filter(({ label }) => label === log[index])
        .map(({ label, to }): ExplainedStep<number> => ({ label, state: to })),
    hidden: (state) =>
      leaving(state, true).map(
        ({ label, to }): HiddenStep<number> => ({
          label,
          take: (from) => {
            if (from === state) return to;
            const same = leaving(from, true).filter((edge) => edge.label === label);
            return same.length === 1 ? (same[0]?.to ?? null) : null;
          },
        }),
      ),
    key: String,
  };
}

/** By definition: follows hidden steps and the log's labels in order. */
function explainedLength(edges: readonly Edge[], log: readonly string[]): number {
  const closed = (states: ReadonlySet<number>): Set<number> => {
    const found = new Set(states);
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      for (const { from, to, hidden } of edges) if (hidden && found.has(from)) found.add(to);
    }
    return found;
  };
  let states = closed(new Set([0]));
  for (const [index, label] of log.entries()) {
    const next = edges.filter(
      (edge) => !edge.hidden && edge.label === label && states.has(edge.from),
    );
    if (next.length === 0) return index;
    states = closed(new Set(next.map(({ to }) => to)));
  }
  return log.length;
}

describe('validateTrace', () => {
  it('explains observations by hidden steps between them', () => {
    const edges = [
      { from: 0, to: 1, label: 'h', hidden: true },
      { from: 1, to: 2, label: 'a', hidden: false },
    ];
    const validation = validateTrace(explainer(edges, ['a']), NO_LIMITS);
    expect(validation.verdict).toBe('accepted');
    if (validation.verdict !== 'accepted') return;
    expect(validation.run.map(({ label }) => label)).toEqual(['h', 'a']);
  });

  it('gives every state in which a longest explained prefix ends', () => {
    const edges = [
      { from: 0, to: 1, label: 'a', hidden: false },
      { from: 0, to: 2, label: 'a', hidden: false },
      { from: 1, to: 3, label: 'b', hidden: false },
      { from: 2, to: 4, label: 'b', hidden: false },
    ];
    const validation = validateTrace(explainer(edges, ['a', 'b', 'c']), NO_LIMITS);
    expect(validation).toMatchObject({ verdict: 'rejected', explained: 2 });
    if (validation.verdict === 'accepted') return;
    expect(validation.prefixes.map(({ state }) => state).sort()).toEqual([3, 4]);
    expect(validation.prefixes.map(({ run }) => run.map(({ label }) => label))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('is inconclusive if a limit is hit first', () => {
    const edges = Array.from({ length: 50 }, (_, from) => ({
      from,
      to: from + 1,
      label: 'h',
      hidden: true,
    }));
    const limits = { states: 10, milliseconds: Number.POSITIVE_INFINITY };
    expect(validateTrace(explainer(edges, ['a']), limits).verdict).toBe('inconclusive');
    expect(validateTrace(explainer(edges, ['a']), NO_LIMITS).verdict).toBe('rejected');
    const full = validateTrace(explainer(edges, ['a']), { ...NO_LIMITS, megabytes: 1 });
    expect(full).toMatchObject({ verdict: 'inconclusive', wasFull: true });
  });

  it('does not take hidden steps that make no difference to what follows', () => {
    // States are pairs of bits: `h` sets the first, `m` the second, and they commute.
    const edges = [
      { from: 0, to: 1, label: 'h', hidden: true },
      { from: 2, to: 3, label: 'h', hidden: true },
      { from: 0, to: 2, label: 'm', hidden: false },
      { from: 1, to: 3, label: 'm', hidden: false },
      { from: 3, to: 3, label: 'n', hidden: false },
    ];
    const validation = validateTrace(explainer(edges, ['m', 'n']), NO_LIMITS);
    expect(validation.verdict).toBe('accepted');
    if (validation.verdict !== 'accepted') return;
    expect(validation.run.map(({ label }) => label)).toEqual(['m', 'h', 'n']);
  });

  it('agrees with the definition on random graphs', () => {
    const edge = fc.record({
      from: fc.nat(6),
      to: fc.nat(6),
      label: fc.constantFrom('a', 'b', 'c'),
      hidden: fc.boolean(),
    });
    const log = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), log, (edges, observed) => {
        const validation = validateTrace(explainer(edges, observed), NO_LIMITS);
        const length = explainedLength(edges, observed);
        if (validation.verdict === 'accepted') expect(length).toBe(observed.length);
        else expect(validation).toMatchObject({ verdict: 'rejected', explained: length });
      }),
      { numRuns: 500 },
    );
  });
});
