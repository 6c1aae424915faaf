import { answerQuestions } from '../../run/worker-process.ts';
import type { Cell } from '../cell.ts';
import { runCell } from './run-cell.ts';

/** The process that runs cells, one at a time. */

export type CellAnswer =
  /** The report as JSON, so that the stored report and the shown one are the same. */
  | { readonly kind: 'report'; readonly json: string }
  | { readonly kind: 'failed'; readonly message: string };

answerQuestions(async (cell: Cell): Promise<CellAnswer> => {
  try {
    return { kind: 'report', json: JSON.stringify(await runCell(cell)) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
});
