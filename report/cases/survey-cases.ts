import { EXIT } from '../../text/exit-codes.ts';
import { surveyDetails, surveySentence } from '../answer/survey-words.ts';
import type { SurveyRow } from '../document/survey.ts';
import { type CaseRule, type CaseStatus, caseOf, type ReportSuite } from './cases.ts';

const RULE: CaseRule = {
  name: 'the deletion of a root object ends clean',
  about: 'Everything that is asked to go goes on every run, and nothing hangs.',
  source: null,
};

/** Each policy is a suite, and each object a case. */
export function surveySuites(rows: readonly SurveyRow[]): readonly ReportSuite[] {
  const cascades = [...new Set(rows.map(({ cascade }) => cascade))];
  return cascades.map((cascade) => ({
    name: `survey, ${cascade}`,
    seconds: null,
    place: null,
    notes: [surveySentence(rows)],
    again: null,
    cases: rows.filter((row) => row.cascade === cascade).map(caseFor),
  }));
}

function caseFor(row: SurveyRow) {
  const [first = '', ...details] = surveyDetails(row);
  return caseOf(RULE, {
    name: row.object,
    status: statusOf(row),
    verdict: row.verdict,
    message: first,
    place: row.place,
    details: [
      ...details,
      row.command,
      ...row.risks.flatMap(({ token }) => (token === null ? [] : [`reapcheck replay ${token}`])),
    ],
  });
}

function statusOf({ exitCode }: SurveyRow): CaseStatus {
  if (exitCode === EXIT.asExpected) return 'ok';
  return exitCode === EXIT.inconclusive ? 'inconclusive' : 'failed';
}
