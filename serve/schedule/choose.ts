import { decodeToken, isToken, type Token } from '../../run/tokens/token.ts';
import { InputError } from '../../text/input-error.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { fairSchedule } from './fair.ts';
import { manualSchedule } from './manual.ts';
import type { Schedule } from './schedule.ts';
import { seededSchedule } from './seeded.ts';

/** A schedule as the command line names it. */
export type ScheduleName =
  | { readonly is: 'fair' }
  | { readonly is: 'manual' }
  | { readonly is: 'seed'; readonly seed: number }
  /** The run of a token. */
  | { readonly is: 'token'; readonly token: Token };

/** Throws `InputError`. */
export function readSchedule(word: string): ScheduleName {
  if (word === 'fair' || word === 'manual') return { is: word };
  if (isToken(word)) return { is: 'token', token: decodeToken(word) };
  const seed = word.match(/^seed:(\d{1,9})$/)?.[1];
  if (seed !== undefined) return { is: 'seed', seed: Number(seed) };
  throw new InputError({
    what: `there is no schedule "${word}"`,
    expected: 'fair, manual, a token, or seed:N with a whole number N of at most nine digits',
  });
}

/** @param name of a schedule that needs no run. */
export function scheduleOf(
  name: Exclude<ScheduleName, { is: 'token' }>,
  cluster: ServedCluster,
): Schedule {
  switch (name.is) {
    case 'fair':
      return fairSchedule(cluster);
    case 'manual':
      return manualSchedule(cluster);
    case 'seed':
      return seededSchedule(cluster, name.seed);
    default:
      throw new Error(`unknown schedule ${JSON.stringify(name satisfies never)}`);
  }
}
