import type { CheckReport } from '../../report/document/result-document.ts';
import { runPlan } from '../../run/assemble.ts';
import type { ScenarioCell } from '../cell.ts';

/** What the report of a cell depends on. */
export type CellQuestion = Pick<ScenarioCell, 'plan' | 'limits' | 'reductions' | 'again'>;

/** Runs one cell in this process. */
export function runCell(cell: CellQuestion, interrupted?: () => boolean): Promise<CheckReport> {
  const search = {
    engine: 'tracked',
    limits: cell.limits,
    auditEvery: 0,
    ...(cell.reductions === null ? {} : { reductions: cell.reductions }),
    ...(interrupted === undefined ? {} : { interrupted }),
  } as const;
  return runPlan(cell.plan, search, cell.again);
}

/** The answer of a process that runs cells. */
export type CellAnswer =
  /** The report as JSON, so that the stored report and the shown one are the same. */
  | { readonly kind: 'report'; readonly json: string }
  | { readonly kind: 'failed'; readonly message: string };
