import type { Trace } from '../../checker/index.ts';
import type { Setup } from '../../model/index.ts';

/** The content of the page, for every kind of document. */
export interface Page {
  /** The command line, or what was compared. */
  readonly title: string;
  readonly version: string;
  readonly tone: Tone;
  /** One line at the top. */
  readonly summary: string;
  readonly sections: readonly Section[];
  /** Further notes on the whole document. */
  readonly notes: readonly Note[];
}

/** `goes` and `stays` are neither good nor bad. */
export type Tone = 'good' | 'bad' | 'warn' | 'muted' | 'defect' | 'goes' | 'stays';

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
  /** How often the property was exercised. */
  readonly count: string | null;
  readonly notes: readonly string[];
  /** The full result, in lines for a terminal. */
  readonly details?: readonly string[];
}

/** A trace of the section; a row of the same name links to it. */
export interface Run {
  readonly name: string;
  readonly status: Status;
  readonly headline: string;
  /** Its parameters, or how it differs from the first counterexample. */
  readonly notes: readonly string[];
  /** Null: the states are not those of a cluster. */
  readonly setup: Setup | null;
  readonly trace: Trace;
  readonly broken: readonly string[];
  /** The token that replays it; null without one. */
  readonly token: string | null;
}

export interface Note {
  readonly head: string;
  readonly items: readonly string[];
  readonly tone?: Tone;
  /** A command to copy. */
  readonly code?: true;
}
