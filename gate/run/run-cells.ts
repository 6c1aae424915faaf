import type { CheckReport } from '../../report/document/result-document.ts';
import { shareOut } from '../../run/worker-process.ts';
import { type Answerer, processesHere, type Workplace } from '../../run/workplace.ts';
import type {
  Cell,
  CellOutcome,
  CodeDigests,
  ModuleCell,
  RunCells,
  ScenarioCell,
} from '../cell.ts';
import { NO_CACHE, type ReportCache } from './cache.ts';
import { cellKey } from './digest.ts';
import type { CellAnswer, CellQuestion } from './run-cell.ts';
import { runModule } from './run-module.ts';

export interface RunnerOptions {
  readonly code: CodeDigests;
  readonly processes?: number | null;
  /** Where cells are run; absent: in so many processes of this machine. */
  readonly place?: Workplace;
  readonly cache?: ReportCache;
  /** Throws `InputError` if the code is no longer that of the digests. */
  readonly checkCode?: () => void;
}

type CellProcess = Answerer<CellQuestion, CellAnswer>;

const WORKER = { main: 'gate/run/worker' };
const INTERRUPTION_MILLISECONDS = 50;
/** This many entries of the cache are read at a time. */
const READERS: readonly null[] = new Array(16).fill(null);

/**
 * Runs the cells that are not in the cache in other processes, the longest first; then those of
 * modules, here.
 */
export function cellRunner(options: RunnerOptions): RunCells {
  const { code, processes, cache = NO_CACHE, checkCode } = options;
  const place = options.place ?? processesHere(processes);
  return async (cells, { interrupted, onDone, pinnedStates }) => {
    const outcomes: CellOutcome[] = cells.map(() => ({ kind: 'notRun' }));
    let done = 0;
    const note = (index: number, cell: Cell, outcome: CellOutcome): void => {
      outcomes[index] = outcome;
      done += 1;
      onDone?.(done, cells.length, cell);
    };
    const open: { readonly index: number; readonly cell: ScenarioCell; readonly key: string }[] =
      [];
    const modules: { readonly index: number; readonly cell: ModuleCell }[] = [];
    const keys = cells.map((cell) => (cell.plan === null ? null : cellKey(cell, code)));
    const stored = await storedReports(keys, cache, interrupted);
    if (interrupted()) return outcomes;
    for (const [index, cell] of cells.entries()) {
      const json = stored[index] ?? null;
      if (cell.plan === null) modules.push({ index, cell });
      else if (json === null) open.push({ index, cell, key: keys[index]! });
      else note(index, cell, doneWith(json, true));
    }
    const states = ({ name }: Cell): number => pinnedStates.get(name) ?? Number.POSITIVE_INFINITY;
    open.sort((one, other) => compared(states(other.cell), states(one.cell)));
    const workers: readonly CellProcess[] = place.answerers(WORKER, open.length);
    const stop = (): void => {
      for (const worker of workers) worker.stop();
    };
    const watch = setInterval(() => interrupted() && stop(), INTERRUPTION_MILLISECONDS);
    try {
      const fresh = new Map<string, string>();
      await shareOut(workers, open, async (worker, { index, cell, key }) => {
        if (interrupted()) return;
        const { outcome, json } = await askedFor(worker, cell);
        if (outcome.kind === 'failed' && interrupted()) return;
        if (json !== null) fresh.set(key, json);
        note(index, cell, outcome);
      });
      for (const { index, cell } of modules) {
        if (!interrupted()) note(index, cell, await runModule(cell, interrupted));
      }
      // Processes load the code when they start. Results of other code must not be cached.
      if (open.length > 0) checkCode?.();
      for (const [key, json] of fresh) await cache.write(key, json);
      await cache.prune();
      return outcomes;
    } finally {
      clearInterval(watch);
      stop();
    }
  };
}

async function storedReports(
  keys: readonly (string | null)[],
  cache: ReportCache,
  interrupted: () => boolean,
): Promise<readonly (string | null)[]> {
  const stored: (string | null)[] = keys.map(() => null);
  await shareOut(READERS, keys, async (_reader, key, index) => {
    if (!interrupted() && key !== null) stored[index] = await cache.read(key);
  });
  return stored;
}

/** Cells of unknown size come first, because they may be long. */
function compared(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

interface Told {
  readonly outcome: CellOutcome;
  /** The report as JSON, if another run would give the same report; null otherwise. */
  readonly json: string | null;
}

async function askedFor(worker: CellProcess, cell: ScenarioCell): Promise<Told> {
  const { plan, limits, reductions, again } = cell;
  const told = await worker.ask({ plan, limits, reductions, again }, null);
  if (told.reply === 'late') throw new Error('a cell without a time limit is late');
  if (told.reply === 'died') return failed(told.why);
  if (told.answer.kind === 'failed') return failed(told.answer.message);
  const { json } = told.answer;
  const outcome = doneWith(json, false);
  return { outcome, json: isRepeatable(outcome.report) ? json : null };
}

function failed(message: string): Told {
  return { outcome: { kind: 'failed', message }, json: null };
}

function doneWith(json: string, cached: boolean) {
  return { kind: 'done', report: JSON.parse(json) as CheckReport, cached } as const;
}

/** A faster machine, or one with more memory, could change any other report. */
export function isRepeatable({ result: { outcome, limit } }: CheckReport): boolean {
  return outcome !== 'defect' && (limit === null || ['states', 'depth'].includes(limit.kind));
}
