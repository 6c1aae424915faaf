import type { PropertyResult, Trace, TraceDifference, Verdict } from '../../checker/index.ts';
import { EXIT } from '../../text/exit-codes.ts';
import { grouped, plural } from '../../text/layout.ts';
import { defectText } from '../cases/check-cases.ts';
import type { Answer } from '../document/answer.ts';
import { tokensByTrace } from '../document/replay.ts';
import type { CheckReport, FateWord, ResultDocument } from '../document/result-document.ts';
import { expectedOf, wordOn } from '../document/verdict-word.ts';
import { FATE_WORDS } from '../text/fates.ts';
import { reductionNotes } from '../text/reductions.ts';
import { neverDone, partsLeftOut, verdictNotes } from '../text/report.ts';
import { classesWords, exercisedWords, parameterWords, runNoun } from '../text/run-words.ts';
import { isLeftOpen, walkedNotes } from '../text/simulation.ts';
import { statisticsLine, statusWord, verdictSummary } from '../text/summary.ts';
import { leadingTrace, worthShowing } from './answer-evidence.ts';
import type { Note, Page, Row, Run, Section, Status, Tone } from './page.ts';

/** A document of `check` as a page: a section for each check. */
export function checkPage(document: ResultDocument): Page {
  const { checks, notRun, exitCode, answer } = document;
  if (answer !== null) return answerPage(document, answer);
  const met = checks.filter((report) => report.met).length;
  const states = checks.reduce((sum, { result }) => sum + result.statistics.states, 0);
  const asExpected = `${met} of ${plural(checks.length, 'check')} as expected`;
  return {
    title: document.command,
    version: document.version,
    tone: met === checks.length && exitCode === EXIT.asExpected ? 'good' : 'bad',
    summary: `${asExpected}, ${plural(states, 'state')}${leftOut(document)}`,
    sections: checks.map(checkSection),
    notes: [{ head: 'Interrupted before', items: notRun, tone: 'warn' }],
  };
}

const ANSWER_TONES: Readonly<Record<number, Tone>> = {
  [EXIT.asExpected]: 'muted',
  [EXIT.inconclusive]: 'warn',
  [EXIT.interrupted]: 'warn',
};

/** What goes is neither good nor bad, so the page of an answer is never green. */
function answerPage(document: ResultDocument, answer: Answer): Page {
  const { command, version, notRun, exitCode } = document;
  const { checks, left } = worthShowing(document, answer, leadingTrace(document, answer));
  return {
    title: command,
    version,
    tone: ANSWER_TONES[exitCode] ?? 'bad',
    summary: `${answer.title}${leftOut(document)}`,
    sections: checks.map((report) => ({ ...checkSection(report), ...evidenceStatus(report) })),
    notes: [
      { head: 'Interrupted before', items: notRun, tone: 'warn' },
      {
        head: 'Not shown',
        items: left.map((words) => `${words} (--format json has all)`),
      },
    ],
  };
}

/** That a search ended well says nothing about what was asked, so it is not green. */
function evidenceStatus(report: CheckReport): Partial<Section> {
  const status = statusOf(report);
  return status.tone === 'good' ? { status: { word: 'searched', tone: 'muted' } } : {};
}

/** Shown at the top as well, because all checks that did run may be green. */
function leftOut({ notRun, exitCode }: ResultDocument): string {
  if (notRun.length > 0) return `; interrupted before ${grouped(notRun.length)} more`;
  return exitCode === EXIT.interrupted ? '; interrupted' : '';
}

export function checkSection(report: CheckReport): Section {
  const { result, fates } = report;
  return {
    title: report.title,
    status: statusOf(report),
    summary: [
      report.museum?.title ?? '',
      verdictSummary(report),
      plural(result.statistics.states, 'state'),
    ]
      .filter((words) => words !== '')
      .join('; '),
    about: [report.museum?.title ?? null, report.about, report.source].filter(
      (text) => text !== null,
    ),
    rows: [...fateRows(fates), ...result.properties.map((property) => rowOf(property, report))],
    runs: [
      ...fateRuns(report),
      ...result.properties.flatMap((property) => runsOf(property, report)),
    ],
    notes: notesOf(report),
  };
}

const TONES = { green: 'good', red: 'bad', yellow: 'warn', magenta: 'defect' } as const;

function statusOf(report: CheckReport): Status {
  const [word, color] = statusWord(report);
  return { word, tone: TONES[color] };
}

const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = {
  holds: 'good',
  violated: 'bad',
  inconclusive: 'warn',
  vacuous: 'muted',
};

/** A violation that the scenario expects is a warning only. */
function verdictStatus(property: PropertyResult, report: CheckReport): Status {
  const { name, verdict } = property;
  if (isLeftOpen(property, report)) return { word: verdict, tone: 'muted' };
  const expected = verdict === 'violated' && report.expectation?.verdicts[name] === verdict;
  return { word: wordOn(property, report), tone: expected ? 'warn' : VERDICT_TONES[verdict] };
}

function rowOf(property: PropertyResult, report: CheckReport): Row {
  return {
    status: verdictStatus(property, report),
    name: property.name,
    count: countOf(property, report),
    notes: [...verdictNotes(property, report), ...alternativeNotes(property)],
  };
}

function countOf(property: PropertyResult, report: CheckReport): string | null {
  const expect = expectedOf(property.name, report);
  return expect === null ? exercisedWords(property) : `expected: ${expect}`;
}

function alternativeNotes({ alternatives }: PropertyResult): readonly string[] {
  if (alternatives === undefined) return [];
  return [`${classesWords(alternatives)} of counterexamples. Compared: ${alternatives.compared}.`];
}

const FATE_TONES: Readonly<Record<FateWord, Tone>> = {
  goes: 'goes',
  either: 'warn',
  stays: 'stays',
  open: 'warn',
};

function fateRows(fates: CheckReport['fates']): readonly Row[] {
  return fates.map(({ object, members = [], fate, goes }) => ({
    status: fateStatus(fate, goes),
    name: members.length === 0 ? object : `${object} and ${members.length - 1} alike`,
    count: null,
    notes: fate === 'stays' ? goes.broken : [],
  }));
}

/** An object that stays because something blocks its deletion is a warning. */
function fateStatus(fate: FateWord, goes: PropertyResult): Status {
  const isHeld = fate === 'stays' && goes.broken.length > 0;
  return { word: FATE_WORDS[fate], tone: isHeld ? 'warn' : FATE_TONES[fate] };
}

/** For each object, a run on which it stays and one on which it goes, if there are any. */
function fateRuns(report: CheckReport): readonly Run[] {
  return report.fates.flatMap(({ object, goes, mayGo, fate }) =>
    [
      { property: goes, what: 'A run on which it stays' },
      { property: mayGo, what: 'A run on which it goes' },
    ].flatMap(({ property, what }) =>
      runsOf(property, report).map((run) => ({
        ...run,
        name: object,
        status: fateStatus(fate, goes),
        headline: `${what}, ${plural(run.trace.steps.length, 'step')}`,
      })),
    ),
  );
}

function runsOf(property: PropertyResult, report: CheckReport): readonly Run[] {
  const { name, trace, alternatives } = property;
  if (trace === null) return [];
  const tokens = tokensByTrace(report);
  const run = (one: Pick<PropertyResult, 'parameters' | 'broken'> & { trace: Trace }): Run => ({
    name,
    status: verdictStatus(property, report),
    headline: headline(property, one.trace),
    notes: parameterNotes(one.parameters),
    setup: report.setup,
    trace: one.trace,
    broken: one.broken,
    token: tokens.get(one.trace) ?? null,
  });
  return [
    run({ ...property, trace }),
    ...(alternatives?.counterexamples ?? []).map((other) => ({
      ...run(other),
      headline: `Another counterexample, ${plural(other.trace.steps.length, 'step')}`,
      notes: [...parameterNotes(other.parameters), ...differenceNotes(other.differs)],
    })),
  ];
}

/** How a counterexample differs from the first one. */
function differenceNotes({ added, missing, reordered }: TraceDifference): readonly string[] {
  return [
    ...added.map((sentence) => `with: ${sentence}`),
    ...missing.map((sentence) => `without: ${sentence}`),
    ...reordered.map(({ first, then }) => `first "${first}", then "${then}"`),
  ];
}

export function headline(property: PropertyResult, { steps }: Trace): string {
  const { kind, shortenedFrom, continuedFrom } = property;
  const isOther = shortenedFrom !== undefined || continuedFrom !== undefined;
  const shortest = kind === 'eventually' || isOther ? '' : ', a shortest one';
  return `${runNoun(property)}, ${plural(steps.length, 'step')}${shortest}`;
}

export function parameterNotes(parameters: PropertyResult['parameters']): readonly string[] {
  const words = parameterWords(parameters);
  return words === null ? [] : [words];
}

function notesOf(report: CheckReport): readonly Note[] {
  const { result } = report;
  const { defect, limit } = result;
  return [
    {
      head: 'Defect of the model',
      items: defect === null ? [] : [defectText(defect)],
      tone: 'defect',
    },
    { head: 'Unexpected', items: report.unmet, tone: 'bad' },
    {
      head: limit?.kind === 'walks' ? 'Next' : 'Limit hit',
      items: limit === null ? [] : [limit.advice],
      tone: 'warn',
    },
    { head: 'Warning', items: report.warnings, tone: 'warn' },
    { head: 'Walked', items: walkedNotes(result) },
    { head: 'Searched', items: result.simulation === undefined ? [statisticsLine(report)] : [] },
    { head: 'Reductions', items: reductionNotes(result) },
    { head: 'Never done', items: neverDone(result.actions) },
    { head: 'Protocol', items: report.protocol === null ? [] : [report.protocol] },
    {
      head: 'Rules',
      items: Object.entries(report.rules).map(([name, value]) => `${name}=${value}`),
    },
    { head: 'Assumed', items: report.assumptions },
    { head: 'Left out', items: partsLeftOut(report) },
    { head: 'Again', items: report.again === '' ? [] : [report.again], code: true },
  ];
}
