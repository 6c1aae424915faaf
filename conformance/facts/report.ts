import type {
  CaseReport,
  Counts,
  FactsReport,
} from '../../report/document/conformance-documents.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import type { Judgement } from './judge.ts';
import type { CaseOutcome } from './outcome.ts';

type Verdict = CaseOutcome['verdict'];

function countsOf(judgements: readonly Judgement[]): Counts {
  const count = (verdict: Verdict): number =>
    judgements.filter(({ outcome }) => outcome.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    unsupported: count('unsupported'),
    inconclusive: count('inconclusive'),
  };
}

export function factsReport(
  version: string,
  protocol: string,
  judgements: readonly CaseReport[],
  notJudged: number,
): FactsReport {
  const areas = [...new Set(judgements.map(({ area }) => area))];
  const total = countsOf(judgements);
  return {
    schema: 'reapcheck.facts/v1',
    version,
    protocol,
    notJudged,
    total,
    areas: areas.map((area) => ({
      area,
      ...countsOf(judgements.filter((judgement) => judgement.area === area)),
    })),
    cases: judgements,
    exitCode: exitCodeOf(total, notJudged),
  };
}

/** An unsupported case counts like one that a limit cut short. */
function exitCodeOf(total: Counts, notJudged: number): ExitCode {
  return worst([
    ...(notJudged > 0 ? [EXIT.interrupted] : []),
    ...(total.failed > 0 ? [EXIT.violated] : []),
    ...(total.unsupported + total.inconclusive > 0 ? [EXIT.inconclusive] : []),
    EXIT.asExpected,
  ]);
}
