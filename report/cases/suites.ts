import { EXIT, meaningOf } from '../../text/exit-codes.ts';
import type { ReportDocument } from '../document/documents.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { answerSuites } from './answer-cases.ts';
import { type CaseStatus, caseOf, isGreen, type ReportSuite } from './cases.ts';
import { checkSuites, interruptedSuite } from './check-cases.ts';
import { factsSuites, tracesSuites } from './conform-cases.ts';
import { gateSuites } from './gate-cases.ts';
import { surveySuites } from './survey-cases.ts';

/** The suites of any document. They are all green only if the exit code is 0. */
export function suitesOf(document: ReportDocument): readonly ReportSuite[] {
  const suites = suitesIn(document);
  const { exitCode } = document;
  const isAllGreen = suites.every(({ cases }) => cases.every(isGreen));
  return exitCode === EXIT.asExpected || !isAllGreen ? suites : [...suites, endSuite(exitCode)];
}

/** For a run whose cases are all green although it did not end well, such as an interrupted one. */
function endSuite(exitCode: number): ReportSuite {
  const rule = {
    name: 'the run is complete',
    about: 'The exit code is 0 if everything is as it should be.',
    source: null,
  };
  const status = ENDS.get(exitCode) ?? 'failed';
  return {
    ...{ name: 'reapcheck', seconds: null, place: null, notes: [], again: null },
    cases: [caseOf(rule, { status, verdict: 'not run', message: meaningOf(exitCode) })],
  };
}

const ENDS: ReadonlyMap<number, CaseStatus> = new Map([
  [EXIT.interrupted, 'inconclusive'],
  [EXIT.inconclusive, 'inconclusive'],
  [EXIT.vacuous, 'vacuous'],
  [EXIT.defect, 'error'],
]);

/** An answer speaks for the checks that are its evidence. */
function resultSuites(document: ResultDocument): readonly ReportSuite[] {
  const { answer, notRun } = document;
  if (answer === null) return checkSuites(document);
  const { survey } = answer;
  const suites = survey === undefined ? answerSuites(document, answer) : surveySuites(survey);
  return [...suites, ...notRun.map(interruptedSuite)];
}

function suitesIn(document: ReportDocument): readonly ReportSuite[] {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return resultSuites(document);
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
