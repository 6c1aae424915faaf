import { availableParallelism } from 'node:os';
import { shareOut, WorkerProcess } from '../../../run/worker-process.ts';
import type { Answer, Question } from '../messages.ts';
import { allMutants, type Mutant, mutantWords } from '../mutants.ts';
import { type Closeness, candidatesFor } from './candidates.ts';
import type { SourceRow } from './source-rows.ts';

/** Tries rows of docs/sources.md: the model without what a row is about must answer otherwise. */

export interface RowProof {
  readonly row: SourceRow;
  /** What the model says as it is. */
  readonly before: string;
  /** The change that turns the answer, and the answer then; null: none of those tried does. */
  readonly turnedBy: {
    readonly mutant: string;
    readonly closeness: Closeness;
    readonly after: string;
  } | null;
  readonly tried: number;
}

export interface ProofOptions {
  readonly processes?: number;
  readonly onProgress?: (done: number, of: number) => void;
  /** Ends the run: Ctrl-C, or the time is up. */
  readonly interrupted?: () => boolean;
  /** Limit of each search; null: none. A row with a search that hits it is left out. */
  readonly megabytes?: number | null;
}

const MODULE = { main: 'tools/mutate/worker', first: 'tools/mutate/register' };

/** The test of the page has the same limit. */
export const STATES = 6_000;
/** Only ends a process that hangs: `STATES` limits the work, whatever the machine does besides. */
const PATIENCE_SECONDS = 1_800;
const INTERRUPTION_MILLISECONDS = 50;
/** What says nothing about the statement. */
const NO_ANSWER: readonly string[] = ['inconclusive'];

export async function proveRows(
  rows: readonly SourceRow[],
  {
    processes = availableParallelism(),
    onProgress,
    interrupted,
    megabytes = null,
  }: ProofOptions = {},
): Promise<readonly RowProof[]> {
  const mutants = allMutants();
  const workers = Array.from(
    { length: processes },
    () => new WorkerProcess<Question, Answer>(MODULE),
  );
  const proofs: (RowProof | undefined)[] = rows.map(() => undefined);
  let done = 0;
  const isOver = (): boolean => interrupted?.() === true;
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  // One row alone can take minutes.
  const watch = setInterval(() => isOver() && stop(), INTERRUPTION_MILLISECONDS);
  try {
    await shareOut(workers, rows, async (worker, row, index) => {
      if (isOver()) return;
      const proof = await prove(worker, row, mutants, { isOver, megabytes });
      if (proof === null) return;
      proofs[index] = proof;
      onProgress?.(++done, rows.length);
    });
    return proofs.filter((proof) => proof !== undefined);
  } finally {
    clearInterval(watch);
    stop();
  }
}

/** Null: the run was over, or the memory full, before the answer. */
async function prove(
  worker: WorkerProcess<Question, Answer>,
  row: SourceRow,
  mutants: readonly Mutant[],
  { isOver, megabytes }: { readonly isOver: () => boolean; readonly megabytes: number | null },
): Promise<RowProof | null> {
  const ask = async (mutant: Mutant | null) => {
    const { command, question } = row;
    const told = await worker.ask(
      { ask: 'row', command, question, mutant, states: STATES, megabytes },
      PATIENCE_SECONDS,
    );
    return told.reply === 'answer' && told.answer.answer === 'row' ? told.answer : null;
  };
  const before = await ask(null);
  if (isOver() || before?.isFull === true) return null;
  if (before === null || before.verdict === null) {
    throw new Error(`${row.command} gives no answer to: ${row.question}`);
  }
  const candidates = candidatesFor(row, mutants, before.reached);
  const proof = { row, before: before.verdict, tried: candidates.length };
  let vacuous: RowProof['turnedBy'] = null;
  for (const { mutant, closeness } of candidates) {
    const told = await ask(mutant);
    if (isOver() || told?.isFull === true) return null;
    const after = told?.verdict ?? null;
    if (after === null || after === before.verdict || NO_ANSWER.includes(after)) continue;
    const turnedBy = { mutant: mutantWords(mutant), closeness, after };
    if (after !== 'vacuous') return { ...proof, turnedBy };
    // It shows less: the property is not exercised any more.
    vacuous ??= turnedBy;
  }
  return { ...proof, turnedBy: vacuous };
}

/** The proofs as data: what docs/source-rows.json has. */
export interface RowsDocument {
  readonly schema: 'reapcheck.source-rows/v1';
  readonly rows: readonly {
    readonly document: string;
    readonly where: string;
    readonly statement: string;
    readonly scenario: string;
    readonly question: string;
    readonly verdict: string;
    readonly turnedBy: RowProof['turnedBy'];
  }[];
}

export function rowsDocument(proofs: readonly RowProof[]): RowsDocument {
  return {
    schema: 'reapcheck.source-rows/v1',
    rows: proofs.map(({ row, before, turnedBy }) => ({
      document: row.document,
      where: row.where,
      statement: row.statement,
      scenario: row.command,
      question: row.question,
      verdict: before,
      turnedBy,
    })),
  };
}
