import type { Cluster } from '../state/cluster.ts';
import type { Context, Parameters, Reading } from './context.ts';

/** Used if many readings decide together and only one of them can be named. */
export const LAST_READ = 'the last thing read:';

/** What stops a controller before it reads any object. */
const SWITCHES: readonly string[] = ['stopped', 'calls', 'controllers'];

/** Explains why a controller has nothing to do after it has read several objects. */
export function nothingToDo(
  _context: Context,
  _parameters: Parameters,
  _cluster: Cluster,
  { path: [part = ''] }: Reading,
  words: string,
): string {
  return SWITCHES.includes(part) ? words : `it has nothing to do; ${LAST_READ} ${words}`;
}
