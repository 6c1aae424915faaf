import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PropertyResult } from '../../checker/index.ts';
import type { Plan } from '../../input/plan.ts';
import type { CaseStatus } from '../../report/cases/cases.ts';
import { suitesOf } from '../../report/cases/suites.ts';
import type { ReportDocument } from '../../report/document/documents.ts';
import { exitCodeOf, unmetExpectations } from '../../report/document/judge.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { FACTS, TRACES } from './documents.ts';
import { document, property, report } from './stored-result.ts';

const CODE_OF: Readonly<Record<CaseStatus, ExitCode>> = {
  ok: EXIT.asExpected,
  skipped: EXIT.asExpected,
  failed: EXIT.violated,
  vacuous: EXIT.vacuous,
  inconclusive: EXIT.inconclusive,
  error: EXIT.defect,
};

function codeOf(one: Parameters<typeof suitesOf>[0]): ExitCode {
  const statuses = suitesOf(one).flatMap(({ cases }) => cases.map(({ status }) => status));
  return worst(statuses.map((status) => CODE_OF[status]));
}

const NAMES = ['nothing is stuck', 'orphaning completes', 'the collector works on'];

const verdicts = fc.tuple(
  ...NAMES.map(() => fc.constantFrom('holds', 'violated', 'inconclusive', 'vacuous' as const)),
);

const expected = fc.option(
  fc.record({
    states: fc.constantFrom(1_234_567, 5),
    verdicts: fc.dictionary(
      fc.constantFrom(...NAMES),
      fc.constantFrom('holds', 'violated', 'vacuous' as const),
    ),
  }),
);

/** A report as `check` would make it of these verdicts. */
function judged(
  found: readonly PropertyResult['verdict'][],
  expectation: { states: number; verdicts: object } | null,
  asked: readonly string[],
  isBroken: boolean,
): CheckReport {
  const properties = NAMES.map((name, index) => property(name, { verdict: found[index]! }));
  const plain = report('any', {
    properties,
    asked,
    expectation: expectation === null ? null : ({ because: {}, ...expectation } as never),
  });
  const defect = { kind: 'threw', culprit: 'serve', parameters: {}, message: 'no' } as const;
  const result = isBroken ? { ...plain.result, outcome: 'defect' as const, defect } : plain.result;
  const plan = plain as unknown as Plan;
  const unmet = unmetExpectations(plan, result);
  return { ...plain, result, unmet, exitCode: exitCodeOf(plan, result, unmet) };
}

describe('the cases of a document', () => {
  it('are as good and as bad as the exit code of a check says', () => {
    const asked = fc.subarray(NAMES);
    fc.assert(
      fc.property(verdicts, expected, asked, fc.boolean(), (found, expectation, names, broken) => {
        const one = judged(found as PropertyResult['verdict'][], expectation, names, broken);
        expect(codeOf({ ...document(one), exitCode: 0 })).toBe(one.exitCode);
      }),
      { numRuns: 500 },
    );
  });

  it('say of what is known why, but not of what cannot happen, as expected', () => {
    const name = NAMES[0]!;
    const expectation = {
      verdicts: { [name]: 'violated' },
      because: { [name]: 'a reason' },
    } as const;
    const known = (kind: PropertyResult['kind']) =>
      suitesOf(
        document(
          report('any', {
            properties: [property(name, { kind, verdict: 'violated' })],
            expectation,
          }),
        ),
      )[0]?.cases[0];
    expect(known('step')).toMatchObject({
      status: 'ok',
      known: 'a documented limitation: a reason',
    });
    expect(known('witness')).toMatchObject({ status: 'ok', known: null });
  });

  it.each([1, 2, 3, 4, 70, 130, 7])('are not all green where the exit code is %i', (exitCode) => {
    for (const good of [
      document(report('holds', { properties: [property('nothing is stuck')] })),
      { ...FACTS, cases: [], areas: [], notJudged: 0 },
    ]) {
      expect(codeOf({ ...good, exitCode: 0 } as ReportDocument)).toBe(0);
      expect(codeOf({ ...good, exitCode } as ReportDocument)).not.toBe(0);
    }
  });

  it('and of conform', () => {
    expect(codeOf({ ...FACTS, notJudged: 0, exitCode: 0 })).toBe(EXIT.violated);
    expect(codeOf({ ...TRACES, notJudged: 0, exitCode: 0 })).toBe(TRACES.exitCode);
    const left = suitesOf({ ...TRACES, notJudged: 2 }).at(-1)?.cases;
    expect(left?.map(({ message }) => message)).toEqual(['interrupted: 2 traces left']);
  });
});
