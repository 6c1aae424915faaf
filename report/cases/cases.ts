import type { ShownTrace } from '../document/traces.ts';

/**
 * Every document as suites of cases, the form in which other tools think of results. JUnit, SARIF,
 * annotations and Markdown are made from it, so that they show the documents of all commands.
 */
export interface ReportSuite {
  readonly name: string;
  readonly seconds: number | null;
  readonly place: CasePlace | null;
  /** What the verdicts rest on and how much was searched, one sentence each. */
  readonly notes: readonly string[];
  /** The command line that repeats this alone. */
  readonly again: string | null;
  readonly cases: readonly ReportCase[];
}

export interface CasePlace {
  /** From the working directory on, with `/`; a file outside of it with its whole path. */
  readonly file: string;
  readonly line: number | null;
}

/**
 * - `ok`: as it should be. Also a violation that the scenario expects: see `known`.
 * - `skipped`: nothing was judged, and nobody had asked for it by name.
 * - `vacuous`: nothing was judged, although it was asked for. Never green.
 * - `inconclusive`: a limit or an interruption came before the answer. Never green.
 * - `error`: the model or reapcheck itself has a defect.
 */
export type CaseStatus = 'ok' | 'skipped' | 'failed' | 'vacuous' | 'inconclusive' | 'error';

export interface ReportCase {
  readonly name: string;
  readonly rule: CaseRule;
  readonly status: CaseStatus;
  /** The verdict in the words of the document: `violated`, `rejected`, `passed`. */
  readonly verdict: string;
  /** What there is to say, in one sentence; may be empty for `ok`. */
  readonly message: string;
  /** The whole of it in lines of at most 100 columns, fit for a terminal. */
  readonly details: readonly string[];
  readonly place: CasePlace | null;
  readonly seconds: number | null;
  /** Why what looks bad is known and accepted; null where there is nothing of the kind. */
  readonly known: string | null;
  readonly trace: ShownTrace | null;
}

/** What a case was judged by. */
export interface CaseRule {
  /** The stable id of a property; other rules have only a name. */
  readonly id?: string;
  readonly name: string;
  readonly about: string;
  /** Where it comes from: links, or names of files and functions. */
  readonly source: string | null;
}

/** A case that is judged by this rule alone; what is not given is empty. */
export function caseOf(
  rule: CaseRule,
  given: Pick<ReportCase, 'status' | 'verdict'> & Partial<ReportCase>,
): ReportCase {
  return {
    name: rule.name,
    rule,
    message: '',
    details: [],
    place: null,
    seconds: null,
    known: null,
    trace: null,
    ...given,
  };
}

/** How loud a tool that knows errors and warnings must be about a case; null: not at all. */
export const ALARMS: Readonly<Record<CaseStatus, 'error' | 'warning' | null>> = {
  ok: null,
  skipped: null,
  failed: 'error',
  error: 'error',
  vacuous: 'warning',
  inconclusive: 'warning',
};

/** A message of at most this many characters, and dots if there is more. */
export function shortened(message: string, longest: number): string {
  return message.length <= longest ? message : `${message.slice(0, longest)}...`;
}

/** Worst first: the order in which cases are listed where there is room for some only. */
const SEVERITY: readonly CaseStatus[] = [
  'error',
  'failed',
  'inconclusive',
  'vacuous',
  'skipped',
  'ok',
];

export function worstFirst<Case extends Pick<ReportCase, 'status'>>(
  cases: readonly Case[],
): readonly Case[] {
  return SEVERITY.flatMap((status) => cases.filter((one) => one.status === status));
}

/** What to say of a case in one sentence: of one that is as it should be, why it is worth one. */
export function sentenceOf({ message, known }: Pick<ReportCase, 'message' | 'known'>): string {
  return message === '' ? (known ?? '') : message;
}

/** Whether nothing is wrong with a case. */
export function isGreen({ status }: Pick<ReportCase, 'status'>): boolean {
  return status === 'ok' || status === 'skipped';
}
