import { answerQuestions } from '../../run/worker-process.ts';
import { type CellAnswer, type CellQuestion, runCell } from './run-cell.ts';

/** The process that runs cells, one at a time. */

answerQuestions(async (cell: CellQuestion): Promise<CellAnswer> => {
  try {
    return { kind: 'report', json: JSON.stringify(await runCell(cell)) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
});
