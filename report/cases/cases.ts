import type { ShownTrace } from '../document/traces.ts';

/**
 * Every document as suites of cases, as other tools know them. JUnit, SARIF, annotations and
 * Markdown are made from suites, so they can show the documents of all commands.
 */
export interface ReportSuite {
  readonly name: string;
  readonly seconds: number | null;
  readonly place: CasePlace | null;
  /** The assumptions and the size of the search, one sentence each. */
  readonly notes: readonly string[];
  /** The command line that runs this suite alone. */
  readonly again: string | null;
  readonly cases: readonly ReportCase[];
}

export interface CasePlace {
  /** Relative to the working directory, with `/`; the whole path of a file outside of it. */
  readonly file: string;
  readonly line: number | null;
}

/**
 * - `ok`: as it should be. Also a violation that the scenario expects: see `known`.
 * - `skipped`: nothing was judged, and the case was not asked for by name.
 * - `vacuous`: nothing was judged, although the case was asked for. Never green.
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
  /** The result in one sentence; may be empty for `ok`. */
  readonly message: string;
  /** The full result, in lines of at most 100 columns, safe for a terminal. */
  readonly details: readonly string[];
  readonly place: CasePlace | null;
  readonly seconds: number | null;
  /** Why a result that looks bad is known and accepted; null if it is neither. */
  readonly known: string | null;
  readonly trace: ShownTrace | null;
}

/** The property, or other rule, that a case was judged by. */
export interface CaseRule {
  /** The stable id of a property; other rules have only a name. */
  readonly id?: string;
  readonly name: string;
  readonly about: string;
  /** Its source: links, or names of files and functions. */
  readonly source: string | null;
  /** It is a property of an author's model, which has nothing to do with Kubernetes. */
  readonly isAuthored?: true;
}

/** A case with the name of its rule; all that is not given is empty. */
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

/** The level of a case for tools that have errors and warnings; null: neither. */
export const ALARMS: Readonly<Record<CaseStatus, 'error' | 'warning' | null>> = {
  ok: null,
  skipped: null,
  failed: 'error',
  error: 'error',
  vacuous: 'warning',
  inconclusive: 'warning',
};

/** At most this many characters of a message, with dots in place of the rest. */
export function shortened(message: string, longest: number): string {
  return message.length <= longest ? message : `${message.slice(0, longest)}...`;
}

/** Worst first: where there is room for some cases only, these are shown. */
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

/** A case in one sentence; for a case without a message, why it is known. */
export function sentenceOf({ message, known }: Pick<ReportCase, 'message' | 'known'>): string {
  return message === '' ? (known ?? '') : message;
}

/** Whether nothing is wrong with a case. */
export function isGreen({ status }: Pick<ReportCase, 'status'>): boolean {
  return status === 'ok' || status === 'skipped';
}
