import type { Arrow, Point } from './browser/run-data.ts';

/** Where owners are in a drawing: above their dependents (TB) or on their left (LR). */
export type Direction = 'TB' | 'LR';

/** A smooth arrow through these points that leaves and meets the boxes at right angles. */
export function arrowThrough(points: readonly Point[], direction: Direction): Arrow {
  const [first = ORIGIN, ...rest] = points;
  let from = first;
  let path = `M${first.join(' ')}`;
  for (const to of rest) {
    path += `C${bend(from, to, direction)} ${to.join(' ')}`;
    from = to;
  }
  const [x, y] = from;
  const before = points.at(-2) ?? first;
  const toward =
    direction === 'TB' ? Math.sign(y - before[1]) || -1 : Math.sign(x - before[0]) || -1;
  return { path, tip: from, heading: direction === 'TB' ? [0, toward] : [toward, 0] };
}

const ORIGIN: Point = [0, 0];

function bend([x, y]: Point, [toX, toY]: Point, direction: Direction): string {
  if (direction === 'TB') {
    const middle = (y + toY) / 2;
    return `${x} ${middle} ${toX} ${middle}`;
  }
  const middle = (x + toX) / 2;
  return `${middle} ${y} ${middle} ${toY}`;
}

export const LOOP = 26;
const LOOP_HALF = 16;

/** The arrow of an object that owns itself: out of the right side of its box and back. */
export function arrowBack(x: number, y: number): Arrow {
  const [low, high] = [y + LOOP_HALF, y - LOOP_HALF];
  const out = x + LOOP;
  return {
    path: `M${x} ${low}C${out} ${low} ${out} ${high} ${x} ${high}`,
    tip: [x, high],
    heading: [-1, 0],
  };
}
