import type { OwnerView } from '../view/owners.ts';
import type { Box, Point } from './browser/run-data.ts';
import type { Direction } from './curves.ts';

/** Where the two ends of an arrow touch the boxes. */
export interface Ports {
  readonly dependent: Point;
  readonly owner: Point;
}

interface End {
  readonly id: string;
  readonly of: 'dependent' | 'owner';
  readonly box: Box;
  /** The box at the other end. */
  readonly other: Box;
}

/**
 * Spreads the ends on the same edge of a box over it, in the order of the boxes at the other ends.
 */
export function portsOf(
  owners: ReadonlyMap<string, OwnerView>,
  boxes: ReadonlyMap<string, Box>,
  direction: Direction,
): ReadonlyMap<string, Ports> {
  const edges = new Map<string, End[]>();
  for (const [id, { dependent, owner }] of owners) {
    const [from, to] = [boxes.get(dependent), boxes.get(owner)];
    if (dependent === owner || from === undefined || to === undefined) continue;
    for (const [uid, end] of [
      [dependent, { id, of: 'dependent', box: from, other: to }],
      [owner, { id, of: 'owner', box: to, other: from }],
    ] as const) {
      const edge = `${liesBefore(end.other, end.box, direction) ? 'near' : 'far'} ${uid}`;
      edges.set(edge, [...(edges.get(edge) ?? []), end]);
    }
  }
  const ports = new Map<string, Partial<Ports>>();
  for (const ends of edges.values()) {
    const ordered = ends.toSorted(
      (a, b) => across(a.other, direction) - across(b.other, direction),
    );
    for (const [index, end] of ordered.entries()) {
      const at = portAt(end, (index + 1) / (ordered.length + 1), direction);
      ports.set(end.id, { ...ports.get(end.id), [end.of]: at });
    }
  }
  return ports as ReadonlyMap<string, Ports>;
}

function liesBefore(one: Box, other: Box, direction: Direction): boolean {
  return direction === 'TB' ? one.y < other.y : one.x < other.x;
}

function across({ x, y, width, height }: Box, direction: Direction): number {
  return direction === 'TB' ? x + width / 2 : y + height / 2;
}

function portAt({ box, other }: End, part: number, direction: Direction): Point {
  const { x, y, width, height } = box;
  const before = liesBefore(other, box, direction);
  return direction === 'TB'
    ? [Math.round(x + width * part), before ? y : y + height]
    : [before ? x : x + width, Math.round(y + height * part)];
}
