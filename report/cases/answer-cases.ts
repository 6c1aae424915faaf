import { EXIT } from '../../text/exit-codes.ts';
import { plural } from '../../text/layout.ts';
import { aroundOf, propertyCalled, reasonsFor, sentenceWords } from '../answer/parts.ts';
import { fateWords } from '../answer/words.ts';
import type { Answer, AnswerObject, ObjectFate, Outcome, Risk } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import {
  type CasePlace,
  type CaseRule,
  type CaseStatus,
  caseOf,
  type ReportCase,
  type ReportSuite,
} from './cases.ts';
import { shownTrace } from './check-cases.ts';

/**
 * Each way to delete is a suite. Its cases are the objects that are asked to go, all others that do
 * not simply go or stay, and the risks.
 */
export function answerSuites(document: ResultDocument, answer: Answer): readonly ReportSuite[] {
  const place = placeOf(document);
  return answer.outcomes.map((outcome) => ({
    name: answer.outcomes.length > 1 ? `${answer.title}: ${outcome.name}` : answer.title,
    seconds: null,
    place,
    notes: [
      sentenceWords(outcome, answer),
      `How sure: ${outcome.basis.text}`,
      `Invariants: ${outcome.invariants.text}`,
      ...answer.missing.map(({ text, settle }) => `Unknown: ${text}. Settle it with: ${settle}`),
      ...aroundOf(answer).map(({ text, overrule }) => `${text} (${overrule})`),
      `Assumed: Kubernetes ${answer.protocol}`,
    ],
    again: document.command,
    cases: [
      ...outcome.fates.flatMap((fate, index) => {
        const object = answer.objects[index];
        if (object === undefined || !isCase(object, fate)) return [];
        return [objectCase(object, fate, outcome, place)];
      }),
      ...outcome.risks.map((risk) => riskCase(document, risk, place)),
    ],
  }));
}

function placeOf({ checks }: ResultDocument): CasePlace | null {
  const place = checks[0]?.place ?? null;
  return place === null ? null : { file: place.file, line: place.line };
}

function isCase({ asked }: AnswerObject, { fate }: ObjectFate): boolean {
  return asked || (fate !== 'goes' && fate !== 'stays');
}

const OBJECT_RULE: CaseRule = {
  name: 'what is asked to go goes, and nothing hangs',
  about: 'Each object that is asked to go has to go on every run, and no deletion may hang.',
  source: null,
};

function objectCase(
  { name, uid, asked }: AnswerObject,
  fate: ObjectFate,
  outcome: Outcome,
  place: CasePlace | null,
): ReportCase {
  const status = statusOf(fate, outcome);
  const isOpen = fate.fate === 'goes' && status === 'inconclusive';
  const reasons = isOpen ? [`not proved: ${outcome.basis.text}`] : reasonsFor(fate, asked);
  const settles = fate.on.flatMap((on) => (on.kind === 'dump' ? [on.settle] : []));
  const words = [fateWords(fate), ...reasons].join('; ');
  return caseOf(OBJECT_RULE, {
    name: uid === '' ? name : `${name} (${uid})`,
    status,
    verdict: fate.fate,
    message: words,
    details: [words, ...settles.map((settle) => `Settle it with: ${settle}`)],
    place,
  });
}

/** As the exit code of the outcome sees it. */
function statusOf({ fate, on }: ObjectFate, { basis, exitCode }: Outcome): CaseStatus {
  switch (fate) {
    case 'goes':
      return basis.kind === 'search' || exitCode === EXIT.asExpected ? 'ok' : 'inconclusive';
    case 'hangs':
    case 'stays':
      return 'failed';
    case 'depends':
      return on.some(({ kind }) => kind === 'order') ? 'failed' : 'inconclusive';
    case 'unknown':
      return 'inconclusive';
    default:
      throw new Error(`unknown fate ${fate satisfies never}`);
  }
}

const RISK_RULE: CaseRule = {
  name: 'no order of events does harm',
  about: 'A property of the model is violated on some run, which the trace shows.',
  source: null,
};

function riskCase(
  { checks }: ResultDocument,
  { text, documented, check, property }: Risk,
  place: CasePlace | null,
): ReportCase {
  const report = checks[check];
  const result = report === undefined ? undefined : propertyCalled(report, property);
  const trace = report && result ? shownTrace(report, result) : null;
  const length = trace === null ? '' : `, in ${plural(trace.trace.steps.length, 'step')}`;
  return caseOf(RISK_RULE, {
    name: property,
    status: documented === null ? 'failed' : 'ok',
    verdict: documented === null ? 'risk' : 'documented',
    message: `${text}${length}`,
    details: [`${text}${length}`],
    place,
    known: documented === null ? null : `documented: ${documented}`,
    trace,
  });
}
