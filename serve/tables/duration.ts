const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Each: below this length, in this unit, and in the next smaller one where that is named. */
const STEPS: readonly (readonly [
  below: number,
  unit: number,
  word: string,
  rest: number,
  small: string,
])[] = [
  [2 * MINUTE, SECOND, 's', 0, ''],
  [10 * MINUTE, MINUTE, 'm', SECOND, 's'],
  [3 * HOUR, MINUTE, 'm', 0, ''],
  [8 * HOUR, HOUR, 'h', MINUTE, 'm'],
  [2 * DAY, HOUR, 'h', 0, ''],
  [8 * DAY, DAY, 'd', HOUR, 'h'],
  [2 * YEAR, DAY, 'd', 0, ''],
  [8 * YEAR, YEAR, 'y', DAY, 'd'],
  [Number.POSITIVE_INFINITY, YEAR, 'y', 0, ''],
];

/**
 * A duration as `kubectl` prints it, with two units at most: `99s`, `5m3s`, `2d`. Mirrors
 * `duration.HumanDuration` of apimachinery.
 */
export function humanDuration(milliseconds: number): string {
  if (Number.isNaN(milliseconds) || milliseconds < -SECOND) return '<invalid>';
  if (milliseconds < 0) return '0s';
  for (const [below, unit, word, rest, small] of STEPS) {
    if (milliseconds >= below) continue;
    const count = `${Math.floor(milliseconds / unit)}${word}`;
    const more = rest === 0 ? 0 : Math.floor((milliseconds % unit) / rest);
    return more === 0 ? count : `${count}${more}${small}`;
  }
  throw new Error('every duration is below one of the steps');
}
