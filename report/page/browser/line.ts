import { classes } from './card.ts';
import { svg } from './dom.ts';
import type { Arrow, Line } from './run-data.ts';

/** The drawing of an owner reference, from the dependent to its owner. */
export function linePicture(arrow: Arrow, line: Line | null, before: Line | null): SVGGElement {
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
    svg('path', { class: 'wide', d: arrow.path }),
    svg('path', { class: 'shaft', d: arrow.path }),
    svg('path', { class: 'tip', d: tipPath(arrow, state.blocking) }),
  );
}

/** The arrow head at the owner, with a bar if the dependent blocks its deletion. */
function tipPath({ tip: [endX, endY], heading: [x, y] }: Arrow, blocking: boolean): string {
  const at = (along: number, aside: number): string =>
    `${endX + x * along - y * aside} ${endY + y * along + x * aside}`;
  const arrow = `M${at(-9, 5)}L${at(0, 0)}L${at(-9, -5)}Z`;
  return blocking ? `${arrow}M${at(-13, 7)}L${at(-13, -7)}` : arrow;
}
