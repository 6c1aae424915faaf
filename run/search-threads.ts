import type { ThreadOptions } from '../checker/index.ts';
import type { Plan } from '../input/plan.ts';
import { compiledModule } from './worker-process.ts';

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
