import type { Step } from '../actions.ts';
import type { Reading } from '../describe/readings.ts';

/** Where many readings together decide, and only one of them can be named. */
export const LAST_READ = 'the last thing read:';

/** What stops a controller before it has looked at any object. */
const SWITCHES: readonly string[] = ['stopped', 'calls', 'controllers'];

/** Of somebody who wants nothing, told from all that it has looked at. */
export function nothingToDo(_step: Step, { path: [part = ''] }: Reading, words: string): string {
  return SWITCHES.includes(part) ? words : `it has nothing to do; ${LAST_READ} ${words}`;
}
