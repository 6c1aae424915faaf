import type { Limits, Trace, Verdict } from '../checker/index.ts';
import type { Plan } from '../input/plan.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import type { Fate } from '../run/fates.ts';

/** What a cell's parameters are called, in the order in which a name tells them. */
export const PARAMETERS = ['protocol', 'workers', 'relists', 'stuckFinalizer'] as const;
export type ParameterName = (typeof PARAMETERS)[number];

/** One scenario under one choice of parameters: JSON throughout, so that any process can run it. */
export interface Cell {
  /** Unique in the suite: `foreground-chain [protocol=v1.7 workers=2]`. */
  readonly name: string;
  /** The name without the parameters. */
  readonly scenario: string;
  /** In the order of the name; rules by `NAME`, after the other parameters. */
  readonly parameters: readonly CellParameter[];
  /** With the parameters in force. */
  readonly plan: Plan;
  readonly limits: Limits;
  readonly symmetry: boolean;
  /** Where the scenario stands, relative to the working directory, with forward slashes. */
  readonly file: string;
  /** The text of the file, or of all files of a dump. */
  readonly text: string;
  /** The command line that checks this alone. */
  readonly again: string;
}

export interface CellParameter {
  readonly name: string;
  readonly value: string;
}

/** What became of a cell. */
export type CellOutcome =
  /** `cached`: nothing that it depends on has changed, so an earlier report was taken. */
  | { readonly kind: 'done'; readonly report: CheckReport; readonly cached: boolean }
  /** Its process died, or the cell made no model. Never green. */
  | { readonly kind: 'failed'; readonly message: string }
  /** An interruption left it out, or cut it short. */
  | { readonly kind: 'notRun' };

/** A cell's facts, as the lock pins them. What has not happened has no entry. */
export interface CellFacts {
  /** `complete`, or the limit that ended the search. */
  readonly outcome: 'complete' | 'states' | 'depth' | 'time' | 'memory';
  /** Null where a limit on time or memory makes them differ from run to run. */
  readonly size: CellSize | null;
  /** By property, each that was judged. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** By property: in how many states or steps it was put to the test, if in any. */
  readonly triggered: Readonly<Record<string, number>>;
  /** By property: of a violated one, or of a witness that holds. */
  readonly traces: Readonly<Record<string, TraceFact>>;
  /** By action: how many transitions, if any. */
  readonly actions: Readonly<Record<string, number>>;
  /** By object of a dump: what becomes of it. */
  readonly fates: Readonly<Record<string, Fate['fate']>>;
}

export interface CellSize {
  readonly states: number;
  readonly transitions: number;
  /** Layers beyond the initial states. */
  readonly depth: number;
}

export interface TraceFact {
  readonly shape: Trace['shape'];
  /** In steps. */
  readonly length: number;
  /** Of the actions in order, by their identity. */
  readonly digest: string;
}

/** Digests of what a cell's facts depend on besides the code; equal digests, equal inputs. */
export interface CellInputs {
  /** The scenario's text. */
  readonly scenario: string;
  /** The values of all rules in force. */
  readonly rules: string;
  /** Parameters other than the protocol and rules, properties, limits, symmetry. */
  readonly question: string;
}

/** Digests of the code that all cells depend on, by part. */
export interface CodeDigests {
  readonly checker: string;
  readonly model: string;
  readonly properties: string;
  /** What turns input into a model. */
  readonly input: string;
  /** Packages of others, by name and version. */
  readonly packages: string;
}

/** What the gate has pinned: what `reapcheck.lock.json` says. */
export interface Lock {
  /** Name of the suite file beside it. */
  readonly suite: string;
  readonly code: CodeDigests;
  /** By protocol, the values of its rules: so that a drift can name the rule that has changed. */
  readonly protocols: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cells: ReadonlyMap<string, PinnedCell>;
}

export interface PinnedCell extends Pick<CellInputs, 'scenario' | 'question'> {
  readonly protocol: string;
  /** Those that differ from the protocol. */
  readonly rules: Readonly<Record<string, string>>;
  readonly facts: CellFacts;
}

/** How the cells of a suite are run. The outcomes come in the order of the cells. */
export type RunCells = (
  cells: readonly Cell[],
  options: RunCellsOptions,
) => Promise<readonly CellOutcome[]>;

export interface RunCellsOptions {
  readonly interrupted: () => boolean;
  /** Called after each cell. */
  readonly onDone?: (done: number, of: number, cell: Cell) => void;
  /** States that the lock pins, by name of the cell: the longest go first. */
  readonly pinnedStates: ReadonlyMap<string, number>;
}
