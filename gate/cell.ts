import * as z from 'zod';
import type { Limits, ReductionName } from '../checker/index.ts';
import type { Plan } from '../input/plan.ts';
import type { CellFacts } from '../report/document/gate-document.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import type { AuthoredModel } from '../run/authored/authored.ts';

export type { CellFacts, CellSize, TraceFact } from '../report/document/gate-document.ts';

/** Names of a cell's parameters, in the order in which the name of a cell lists them. */
export const PARAMETERS = [
  'protocol',
  'workers',
  'relists',
  'stuckFinalizer',
  'reduction',
] as const;
export type ParameterName = (typeof PARAMETERS)[number];

/** One thing that the suite checks, with one choice of parameters. */
export type Cell = ScenarioCell | ModuleCell;

/** A scenario, an entry of the museum or a deletion. Plain JSON, so that any process can run it. */
export interface ScenarioCell extends CommonCell {
  /** The plan with the parameters applied. */
  readonly plan: Plan;
  readonly module: null;
}

/** What a module of the user's exports. It is code, so it runs where it was loaded. */
export interface ModuleCell extends CommonCell {
  readonly plan: null;
  readonly module: AuthoredModel;
}

interface CommonCell {
  /** Unique in the suite: `foreground-chain [protocol=v1.7 workers=2]`. */
  readonly name: string;
  /** The name without the parameters. */
  readonly scenario: string;
  /** In the order of the name. Rules come after the other parameters. */
  readonly parameters: readonly CellParameter[];
  readonly limits: Limits;
  /** Null: those of a check that chooses none. */
  readonly reductions: readonly ReductionName[] | null;
  /** Path of the scenario relative to the working directory, with forward slashes. */
  readonly file: string;
  /** The text of the file, or of all files of a dump; of a module, without what it imports. */
  readonly text: string;
  /** The command line that checks this alone. */
  readonly again: string;
}

export interface CellParameter {
  readonly name: string;
  readonly value: string;
}

/** The outcome of a cell. */
export type CellOutcome =
  /** `cached`: nothing that it depends on has changed, so this is an earlier report. */
  | { readonly kind: 'done'; readonly report: CheckReport; readonly cached: boolean }
  /** Its process died, or no model could be built. Never green. */
  | { readonly kind: 'failed'; readonly message: string }
  /** An interruption prevented it or cut it short. */
  | { readonly kind: 'notRun' };

/** Digests of what a cell's facts depend on besides the code; equal digests, equal inputs. */
export interface CellInputs {
  /** The scenario's text. */
  readonly scenario: string;
  /** The values of all rules in force. A model of a module has none. */
  readonly rules: string;
  /** Parameters other than the protocol and rules, properties, limits, reductions. */
  readonly question: string;
}

/** Digests of the code that all cells depend on, by part. */
export const codeDigestsSchema = z.strictObject({
  checker: z.string(),
  model: z.string(),
  properties: z.string(),
  /** What turns input into a model. */
  input: z.string(),
  /** Third-party packages, by name and version. */
  packages: z.string(),
});

export type CodeDigests = Readonly<z.output<typeof codeDigestsSchema>>;

/** What the lock pins of one cell. */
export interface PinnedCell extends Pick<CellInputs, 'scenario' | 'question'> {
  /** Null: a model of a module. */
  readonly protocol: string | null;
  /** Rules that differ from the protocol. */
  readonly rules: Readonly<Record<string, string>>;
  readonly facts: CellFacts;
  /** False where the scenario states other results than it did when the lock was written. */
  readonly isCertain: boolean;
}

/** Runs cells. The outcomes are in the order of the cells. */
export type RunCells = (
  cells: readonly Cell[],
  options: RunCellsOptions,
) => Promise<readonly CellOutcome[]>;

export interface RunCellsOptions {
  readonly interrupted: () => boolean;
  /** Called after each cell. */
  readonly onDone?: (done: number, of: number, cell: Cell) => void;
  /** Known numbers of states, by name of the cell. The longest cells go first. */
  readonly pinnedStates: ReadonlyMap<string, number>;
}
