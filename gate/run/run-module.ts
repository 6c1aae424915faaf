import { check } from '../../checker/index.ts';
import { reportOnModel } from '../../run/authored/report.ts';
import { InputError } from '../../text/input-error.ts';
import type { CellOutcome, ModuleCell } from '../cell.ts';

/**
 * Runs a cell of a module in this process, which has loaded it. It is never cached: what a module
 * imports and reads is not known.
 */
export async function runModule(
  { module, name, again, limits }: ModuleCell,
  interrupted: () => boolean,
): Promise<CellOutcome> {
  const search = { engine: 'tracked', interrupted } as const;
  // Without any limit, that of the checker applies: a model may be unbounded.
  const limited = Object.keys(limits).length === 0 ? {} : { limits };
  try {
    const report = await reportOnModel(module, {
      title: name,
      again,
      limits,
      how: 'search',
      answer: (question) => check({ ...search, ...limited, ...question }),
    });
    return { kind: 'done', report, cached: false };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { kind: 'failed', message: error.message };
  }
}
