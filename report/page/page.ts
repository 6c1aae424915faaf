import type { Trace } from '../../checker/index.ts';
import type { Setup } from '../../model/index.ts';

/** What every document comes down to on the page. */
export interface Page {
  /** What was done: a command line, or what was compared. */
  readonly title: string;
  readonly version: string;
  readonly tone: Tone;
  /** One line over everything. */
  readonly summary: string;
  readonly sections: readonly Section[];
  /** What is to be said besides. */
  readonly notes: readonly Note[];
}

export type Tone = 'good' | 'bad' | 'warn' | 'muted' | 'defect';

/** One check, cell, area or trace. */
export interface Section {
  readonly title: string;
  readonly status: Status;
  /** One line in the index. */
  readonly summary: string;
  readonly about: readonly string[];
  readonly rows: readonly Row[];
  readonly runs: readonly Run[];
  readonly notes: readonly Note[];
}

export interface Status {
  readonly tone: Tone;
  readonly word: string;
}

/** A verdict. */
export interface Row {
  readonly status: Status;
  readonly name: string;
  /** How often it was put to the test. */
  readonly count: string | null;
  readonly notes: readonly string[];
  /** Lines for a terminal that say the whole of it. */
  readonly details?: readonly string[];
}

/** A trace of the section; a row of the same name links to it. */
export interface Run {
  readonly name: string;
  readonly status: Status;
  readonly headline: string;
  /** Of whom it tells, or how it differs from the one before. */
  readonly notes: readonly string[];
  readonly setup: Setup;
  readonly trace: Trace;
  readonly broken: readonly string[];
  /** What replays it. */
  readonly token: string | null;
}

export interface Note {
  readonly head: string;
  readonly items: readonly string[];
  readonly tone?: Tone;
  /** To be copied as it is. */
  readonly code?: true;
}
