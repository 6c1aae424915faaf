import type { ReductionName, ThreadOptions } from '../checker/index.ts';
import type { Plan } from '../input/plan.ts';
import { MESSAGES } from '../text/messages.ts';
import { compiledModule } from './worker-process.ts';

/** One thread stores all states, so more of them gain nothing. */
const THREADS_HIGHEST = 64;

/** What a thread of the search of a plan needs. */
export type ThreadPlan = Pick<Plan, 'setup' | 'properties' | 'fates'>;

/** What a thread of the search of a module's model needs: the module, as it was given. */
export interface ThreadModule {
  readonly file: string;
}

/**
 * The option of a search with so many threads.
 *
 * @param module the compiled module that they run, by its path below `dist` without its ending.
 */
export function threadsOf(
  count: number,
  module: string,
  data: ThreadPlan | ThreadModule,
): { readonly threads?: ThreadOptions } {
  return count === 1 ? {} : { threads: { count, module: compiledModule(module), data } };
}

/** What decides whether a search can have several threads. */
interface Searched {
  readonly engine: 'tracked' | 'naive';
  readonly reductions: readonly ReductionName[] | null;
  readonly checkpoint: object | null;
  readonly disk: string | null;
  /** Whether it takes several searches to answer. */
  readonly isQuestion: boolean;
}

/** Throws `InputError` for what several threads do not go with. */
export function demandForThreads(threads: number, given: Searched): void {
  if (threads === 1) return;
  if (threads > THREADS_HIGHEST) {
    throw MESSAGES.wrongValue(
      'threads',
      `a whole number up to ${THREADS_HIGHEST}`,
      String(threads),
    );
  }
  const refuse = (why: string, next = 'drop one of them'): never => {
    throw MESSAGES.usage(`--threads does not go with ${why}`, next);
  };
  if (given.engine === 'naive') {
    refuse('--engine naive', 'the tracked engine gives the same answers');
  }
  const leaving = given.reductions?.find((name) => name !== 'symmetry');
  if (leaving !== undefined) refuse(`--reduction ${leaving}, which leaves out steps`);
  if (given.checkpoint !== null) refuse('--checkpoint');
  if (given.disk !== null) refuse('--disk');
  if (given.isQuestion) {
    refuse('--delete alone, which needs several searches', 'add --property for a single one');
  }
}
