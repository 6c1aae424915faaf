import type { CheckReport } from '../../report/document/result-document.ts';
import { runPlan } from '../../run/assemble.ts';
import type { Cell } from '../cell.ts';

/** Runs one cell in this process. */
export function runCell(cell: Cell, interrupted?: () => boolean): Promise<CheckReport> {
  const search = {
    engine: 'tracked',
    limits: cell.limits,
    auditEvery: 0,
    symmetry: cell.symmetry,
    ...(interrupted === undefined ? {} : { interrupted }),
  } as const;
  return runPlan(cell.plan, search, cell.again);
}
