import { classes } from './card.ts';
import { svg } from './dom.ts';
import type { Line, Point } from './run-data.ts';

/** An owner reference as it is drawn, from the dependent to its owner. */
export function linePicture(
  points: readonly Point[],
  line: Line | null,
  before: Line | null,
): SVGGElement {
  const shown = line ?? before;
  const state = {
    changed: JSON.stringify(line) !== JSON.stringify(before),
    removed: line === null,
    blocking: shown?.blocking === true,
  };
  return svg(
    'g',
    { class: classes(`line ${shown?.where ?? 'both'}`, state) },
    svg('title', {}, `${shown?.about ?? ''}${line === null ? ', until now' : ''}`),
    svg('path', { class: 'wide', d: curve(points) }),
    svg('path', { class: 'shaft', d: curve(points) }),
    svg('path', { class: 'tip', d: tip(points, state.blocking) }),
  );
}

/** Smooth through the points between the ends. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.pop();
  if (first === undefined || last === undefined) return '';
  const bends = rest.map(([x, y], index) => {
    const [nextX, nextY] = rest[index + 1] ?? last;
    return `Q${x} ${y} ${(x + nextX) / 2} ${(y + nextY) / 2}`;
  });
  return `M${first.join(' ')}${bends.join('')}L${last.join(' ')}`;
}

/** An arrow at the owner, with a bar if the dependent blocks its deletion. */
function tip(points: readonly Point[], blocking: boolean): string {
  const [endX, endY] = points.at(-1) ?? [0, 0];
  const [fromX, fromY] = points.at(-2) ?? [0, 0];
  const length = Math.hypot(endX - fromX, endY - fromY) || 1;
  const [x, y] = [(endX - fromX) / length, (endY - fromY) / length];
  const at = (along: number, aside: number): string =>
    `${endX + x * along - y * aside} ${endY + y * along + x * aside}`;
  const arrow = `M${at(-9, 5)}L${at(0, 0)}L${at(-9, -5)}Z`;
  return blocking ? `${arrow}M${at(-13, 7)}L${at(-13, -7)}` : arrow;
}
