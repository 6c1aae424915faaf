import { CheckerError } from '../errors.ts';
import type { Guard } from '../guard.ts';
import type { CheckOptions } from '../options.ts';
import { type PreparedQuestion, prepareQuestion } from '../question.ts';

/** What is searched. All partitions must have the same. Without `reductions`, there are none. */
export type PartitionOptions<State> = Pick<
  CheckOptions<State>,
  'model' | 'properties' | 'within' | 'reductions'
>;

/**
 * Partitions must find the same representatives. Where all renamings are tried, these depend on the
 * state only. Those of larger groups depend on what a process has met before. Throws as
 * `prepareQuestion` does.
 */
export function prepareForPartitions<State>(
  options: PartitionOptions<State> & CheckOptions<State>,
  guard: Guard,
): PreparedQuestion<State> {
  const prepared = prepareQuestion({ ...options, reductions: options.reductions ?? [] }, guard);
  const { orbits } = prepared.reductions;
  if (orbits === null || orbits.listed === orbits.size) return prepared;
  throw new CheckerError(
    'badOption',
    `partitions do not go with a symmetry of ${orbits.size} renamings; drop it`,
  );
}
