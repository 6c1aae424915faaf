import { EXIT, meaningOf } from '../../text/exit-codes.ts';
import type { ReportDocument } from '../document/documents.ts';
import { type CaseStatus, isGreen, type ReportSuite } from './cases.ts';
import { checkSuites } from './check-cases.ts';
import { factsSuites, tracesSuites } from './conform-cases.ts';
import { gateSuites } from './gate-cases.ts';

/** The cases of any document. They are not all green unless the exit code is 0. */
export function suitesOf(document: ReportDocument): readonly ReportSuite[] {
  const suites = suitesIn(document);
  const { exitCode } = document;
  const isAllGreen = suites.every(({ cases }) => cases.every(isGreen));
  return exitCode === EXIT.asExpected || !isAllGreen ? suites : [...suites, endSuite(exitCode)];
}

/** For a run that was interrupted when nothing was left to be judged, say. */
function endSuite(exitCode: number): ReportSuite {
  const name = 'the run comes to its end';
  const rest = { details: [], place: null, seconds: null, known: null, trace: null };
  return {
    ...{ name: 'reapcheck', seconds: null, place: null, notes: [], again: null },
    cases: [
      {
        name,
        rule: { name, about: 'The exit code is 0 where all is as it should be.', source: null },
        status: ENDS.get(exitCode) ?? 'failed',
        verdict: 'not run',
        message: meaningOf(exitCode),
        ...rest,
      },
    ],
  };
}

const ENDS: ReadonlyMap<number, CaseStatus> = new Map([
  [EXIT.interrupted, 'inconclusive'],
  [EXIT.inconclusive, 'inconclusive'],
  [EXIT.vacuous, 'vacuous'],
  [EXIT.defect, 'error'],
]);

function suitesIn(document: ReportDocument): readonly ReportSuite[] {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return checkSuites(document);
    case 'reapcheck.gate/v1':
      return gateSuites(document);
    case 'reapcheck.facts/v1':
      return factsSuites(document);
    case 'reapcheck.traces/v1':
      return tracesSuites(document);
    default:
      throw new Error(`unknown document ${JSON.stringify(document satisfies never)}`);
  }
}
