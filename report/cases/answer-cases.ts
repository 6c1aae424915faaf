import { EXIT } from '../../text/exit-codes.ts';
import { plural } from '../../text/layout.ts';
import { HARMS, remedyStepWords } from '../answer/explain.ts';
import { capitalized, propertyCalled, sentenceWords } from '../answer/parts.ts';
import { reasonsFor } from '../answer/reasons.ts';
import { type AnswerSection, type SectionKind, sectionWords } from '../answer/section.ts';
import { answerSections } from '../answer/sections.ts';
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
 * not simply go or stay, and the risks; for an uninstall, whether an order ends clean.
 */
export function answerSuites(document: ResultDocument, answer: Answer): readonly ReportSuite[] {
  const place = placeOf(document);
  const { sentence, outcomes, question } = answer;
  const sections = answerSections(document, answer, { details: false });
  // The cases have the others.
  const own: readonly SectionKind[] = question === 'explain' ? ['risk'] : ['risk', 'why'];
  const notes = sections.filter(({ kind }) => !own.includes(kind)).flatMap(sectionWords);
  return outcomes.map((outcome) => ({
    name: outcomes.length > 1 ? `${answer.title}: ${outcome.name}` : answer.title,
    seconds: null,
    place,
    notes: [
      ...(sentence === undefined ? [] : [capitalized(sentence)]),
      sentenceWords(outcome, answer),
      ...notes,
    ],
    again: document.command,
    cases: [
      ...(question === 'uninstall' ? [orderCase(outcome, sections, place)] : []),
      ...outcome.fates.flatMap((fate, index) => {
        const object = answer.objects[index];
        if (object === undefined || !isCase(object, fate)) return [];
        return [objectCase(object, fate, outcome, { place, more: remedyOf(index, answer) })];
      }),
      ...outcome.risks.map((risk) => riskCase(document, risk, place)),
    ],
  }));
}

const ORDER_RULE: CaseRule = {
  name: 'an order of deletions ends clean',
  about: 'Everything that belongs to the release goes, step after step, and nothing hangs.',
  source: null,
};

function orderCase(
  { sentence, basis, exitCode }: Outcome,
  sections: readonly AnswerSection[],
  place: CasePlace | null,
): ReportCase {
  const status = CODES.get(exitCode) ?? 'failed';
  const open = status === 'inconclusive' ? `; not proved: ${basis.text}` : '';
  const orders = sections.filter(({ kind }) => kind === 'step' || kind === 'stuck-orders');
  return caseOf(ORDER_RULE, {
    status,
    verdict: status === 'ok' ? 'clean' : 'no order',
    message: `${capitalized(sentence)}${open}`,
    details: [`${capitalized(sentence)}${open}`, ...orders.flatMap(sectionWords)],
    place,
  });
}

const CODES: ReadonlyMap<number, CaseStatus> = new Map([
  [EXIT.asExpected, 'ok'],
  [EXIT.inconclusive, 'inconclusive'],
  [EXIT.interrupted, 'inconclusive'],
]);

/** As many steps of a remedy are shown for each object. */
const STEPS = 6;

/** The least harmful remedy after which an object goes. */
function remedyOf(index: number, { remedies = [] }: Answer): readonly string[] {
  const place = remedies.findIndex(({ objects }) => objects.includes(index));
  const remedy = remedies[place];
  if (remedy === undefined) return [];
  const more = remedy.steps.length - STEPS;
  return [
    `Remedy ${place + 1}: ${HARMS[remedy.harm] ?? ''}`,
    ...remedy.steps.slice(0, STEPS).flatMap((step) => [remedyStepWords(step), step.command]),
    ...(more > 0 ? [`and ${plural(more, 'step')} more`] : []),
  ];
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
  { place, more }: { readonly place: CasePlace | null; readonly more: readonly string[] },
): ReportCase {
  const status = statusOf(fate, outcome);
  const isOpen = fate.fate === 'goes' && status === 'inconclusive';
  const reasons = isOpen ? [`not proved: ${outcome.basis.text}`] : reasonsFor(fate, asked);
  const settles = fate.on.flatMap((on) => ('settle' in on ? [on.settle] : []));
  const words = [fateWords(fate), ...reasons].join('; ');
  return caseOf(OBJECT_RULE, {
    name: uid === '' ? name : `${name} (${uid})`,
    status,
    verdict: fate.fate,
    message: words,
    details: [words, ...settles.map((settle) => `Settle it with: ${settle}`), ...more],
    place,
  });
}

/** As the exit code of the outcome sees it. */
function statusOf({ fate, on }: ObjectFate, { basis, exitCode }: Outcome): CaseStatus {
  switch (fate) {
    case 'goes':
      return ['search', 'some'].includes(basis.kind) || exitCode === EXIT.asExpected
        ? 'ok'
        : 'inconclusive';
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
