import type { PropertyResult } from '../../checker/index.ts';
import { propertyId } from '../../input/property-names.ts';
import { isOutcome } from '../../input/scenarios/outcomes.ts';
import { askedOfObject, propertyMeant } from '../../properties/index.ts';
import { PLAIN, plural } from '../../text/layout.ts';
import { vacuousFaults } from '../document/judge.ts';
import { tokensByTrace } from '../document/replay.ts';
import type { CheckReport, Fate, FateWord, ResultDocument } from '../document/result-document.ts';
import { expectedOf, wordOn } from '../document/verdict-word.ts';
import { FATE_WORDS } from '../text/fates.ts';
import { statisticsLine } from '../text/summary.ts';
import { traceLines } from '../text/trace.ts';
import {
  type CasePlace,
  type CaseRule,
  type CaseStatus,
  caseOf,
  type ReportCase,
  type ReportSuite,
} from './cases.ts';

/** A check is a suite, and each of its properties a case. */
export function checkSuites({ checks, notRun }: ResultDocument): readonly ReportSuite[] {
  return [...checks.map(checkSuite), ...notRun.map(interruptedSuite)];
}

export function checkSuite(report: CheckReport): ReportSuite {
  const { title, result, place, warnings } = report;
  const again = report.again === '' ? null : report.again;
  return {
    name: title,
    seconds: result.statistics.wallSeconds,
    place: place === null ? null : { file: place.file, line: place.line },
    notes: [
      ...warnings.map((warning) => `Warning: ${warning}`),
      ...(result.limit === null ? [] : [result.limit.advice]),
      `Searched ${statisticsLine(report)}`,
      ...report.assumptions,
    ],
    again,
    cases: [
      ...result.properties.map((property) => propertyCase(report, property)),
      ...report.fates.map((fate) => fateCase(report, fate)),
      ...leftoverCases(report),
    ],
  };
}

function propertyCase(report: CheckReport, property: PropertyResult): ReportCase {
  const { name, verdict } = property;
  const faults = report.unmet.filter((sentence) => sentence.includes(`"${name}"`));
  const status = statusOf(report, property, faults);
  // An expected unreachable witness is no limitation that users have to accept.
  const isKnown = verdict === 'violated' && status === 'ok' && property.kind !== 'witness';
  const known = isKnown ? knownReason(report, name) : null;
  return caseOf(report.setup === null ? authoredRule(property) : ruleOf(name), {
    ...caseAt(report, name),
    status,
    verdict: wordOn(property, report),
    message: messageOf(report, property, status, faults, known),
    details: detailsOf(report, property),
    known,
    trace: shownTrace(report, property),
  });
}

function statusOf(
  report: CheckReport,
  { name, verdict }: PropertyResult,
  faults: readonly string[],
): CaseStatus {
  if (faults.length > 0) return 'failed';
  switch (verdict) {
    case 'holds':
      return 'ok';
    case 'violated':
      return report.expectation?.verdicts[name] === 'violated' ? 'ok' : 'failed';
    case 'inconclusive':
      return 'inconclusive';
    case 'vacuous':
      return vacuousFaults(report, report.result).includes(name) ? 'vacuous' : 'skipped';
    default:
      throw new Error(`unknown verdict ${verdict satisfies never}`);
  }
}

function knownReason({ expectation, museum }: CheckReport, name: string): string {
  const because = expectation?.because[name];
  if (because === undefined) return 'the scenario expects it';
  return museum === null ? `a documented limitation: ${because}` : `known: ${because}`;
}

function messageOf(
  report: CheckReport,
  property: PropertyResult,
  status: CaseStatus,
  faults: readonly string[],
  known: string | null,
): string {
  const { verdict, trace, broken, reason } = property;
  switch (verdict) {
    case 'holds':
      return [...faults, ...(reason === null ? [] : [reason])].join('; ');
    case 'violated': {
      const length = trace === null ? '' : ` in ${plural(trace.steps.length, 'step')}`;
      const clauses = broken.length === 0 ? '' : `: ${broken.join('; ')}`;
      const more = [...faults, ...(known === null ? [] : [known])].map((text) => ` (${text})`);
      const expect = expectedOf(property.name, report);
      const word = wordOn(property, report);
      // Of an outcome the faults say the same as the word.
      return expect === null
        ? `${word}${length}${clauses}${more.join('')}`
        : `${word}${length}, but expected ${expect}${clauses}`;
    }
    case 'inconclusive':
      return `inconclusive: ${reason ?? 'the search ended early'}`;
    case 'vacuous':
      return status === 'skipped'
        ? 'never exercised here'
        : ['vacuous: nothing here ever triggers it', ...faults].join('; ');
    default:
      throw new Error(`unknown verdict ${verdict satisfies never}`);
  }
}

function detailsOf(report: CheckReport, property: PropertyResult): readonly string[] {
  if (property.trace === null || property.verdict !== 'violated') return [];
  const token = tokensByTrace(report).get(property.trace) ?? null;
  const again = report.again === '' ? [] : ['', `  Again  ${report.again}`];
  return [...traceLines(property, { colors: PLAIN, token }), ...again];
}

const FATE_NOTES: Readonly<Record<FateWord, string>> = {
  goes: '',
  stays: '',
  either: ': that depends on the order of events',
  open: ': the search ended early',
};

const FATE_RULE: CaseRule = {
  name: 'what becomes of an object',
  about: 'Whether an object of the dump goes on every fair run, on some, or on none.',
  source: null,
};

function fateCase(report: CheckReport, { object, uid, fate, goes, mayGo }: Fate): ReportCase {
  const words = `${FATE_WORDS[fate]}${FATE_NOTES[fate]}`;
  const shown = fate === 'goes' ? mayGo : goes;
  return caseOf(FATE_RULE, {
    ...caseAt(report, `${object} (${uid})`),
    status: fate === 'open' ? 'inconclusive' : 'ok',
    verdict: words,
    message: words,
    trace: shownTrace(report, shown),
  });
}

/** Faults of the check that belong to no property: its size, or a defect of the model. */
function leftoverCases(report: CheckReport): readonly ReportCase[] {
  const { unmet, result } = report;
  const { defect } = result;
  const names = result.properties.map(({ name }) => `"${name}"`);
  const sizes = unmet.filter((sentence) => !names.some((name) => sentence.includes(name)));
  return [
    ...(sizes.length === 0
      ? []
      : [bare(report, EXPECTATION_RULE, 'failed', 'unexpected', sizes.join('; '))]),
    ...(defect === null ? [] : [bare(report, DEFECT_RULE, 'error', 'defect', defectText(defect))]),
  ];
}

const EXPECTATION_RULE: CaseRule = {
  name: 'the state space has the expected size',
  about: 'A scenario may pin the number of states and transitions, and the depth.',
  source: null,
};

const DEFECT_RULE: CaseRule = {
  name: 'the model has no defect',
  about: 'Reducers and predicates are deterministic, throw nothing and keep to plain JSON.',
  source: null,
};

const INTERRUPTION_RULE: CaseRule = {
  name: 'the check is run',
  about: 'An interruption leaves out the checks that have not started.',
  source: null,
};

/** A defect of the model in one line. */
export function defectText({ kind, culprit, parameters, message }: Defect): string {
  return `${kind} in ${culprit} ${JSON.stringify(parameters)}: ${message}`;
}

type Defect = NonNullable<CheckReport['result']['defect']>;

function bare(
  report: CheckReport,
  rule: CaseRule,
  status: CaseStatus,
  verdict: string,
  message: string,
): ReportCase {
  return caseOf(rule, { ...caseAt(report, rule.name), status, verdict, message });
}

export function interruptedSuite(title: string): ReportSuite {
  return {
    name: title,
    seconds: null,
    place: null,
    notes: [],
    again: null,
    cases: [
      caseOf(INTERRUPTION_RULE, {
        status: 'inconclusive',
        verdict: 'not run',
        message: 'not run: interrupted before',
      }),
    ],
  };
}

function caseAt({ place }: CheckReport, name: string): Pick<ReportCase, 'name' | 'place'> {
  return { name, place: place === null ? null : placeIn(place, name) };
}

/** The line that names the property, or the line of the whole check. */
export function placeIn(place: NonNullable<CheckReport['place']>, name: string): CasePlace {
  const line = Object.hasOwn(place.properties, name) ? place.properties[name] : undefined;
  return { file: place.file, line: line ?? place.line };
}

const KINDS: Readonly<Record<PropertyResult['kind'], string>> = {
  invariant: 'An invariant of the model: it is true in every reachable state.',
  step: 'A rule of the model for its steps: every reachable step keeps it.',
  eventually: 'Leads-to in the model: each trigger is followed by the goal on every fair run.',
  witness: 'A state that the model can reach.',
  settled: 'Every reachable state without a next step is settled.',
};

/** The rule of a property of an author's model. */
function authoredRule({ id, name, kind }: PropertyResult): CaseRule {
  return {
    ...(id === undefined ? {} : { id }),
    name,
    about: KINDS[kind],
    source: null,
    isAuthored: true,
  };
}

export function ruleOf(name: string): CaseRule {
  const entry = propertyMeant(askedOfObject(name)?.property ?? name);
  const id = propertyId(name);
  if (entry !== undefined) {
    return { id: id ?? entry.id, name, about: entry.about, source: entry.source };
  }
  return {
    ...(id === null ? {} : { id }),
    name,
    about: isOutcome(name)
      ? 'How often runs end in a named outcome of the scenario.'
      : 'A property that the author of the scenario has written.',
    source: null,
  };
}

/** The trace of a property with what a reader needs to follow and replay it. */
export function shownTrace(report: CheckReport, property: PropertyResult): ReportCase['trace'] {
  const { title: check, setup } = report;
  const { trace } = property;
  if (trace === null) return null;
  return { check, setup, property, trace, token: tokensByTrace(report).get(trace) ?? null };
}
