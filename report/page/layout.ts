import { Graph, layout } from '@dagrejs/dagre';
import type { OwnerView } from '../view/owners.ts';
import type { Snapshot } from '../view/snapshot.ts';
import {
  type Arrow,
  type Box,
  CARD,
  type Card,
  type Drawing,
  type Point,
} from './browser/run-data.ts';
import type { Scene } from './cards.ts';
import { arrowBack, arrowThrough, type Direction, LOOP } from './curves.ts';
import { portsOf } from './ports.ts';

/** The approximate space for the picture on a usual screen, in pixels. */
const PLACE = { width: 620, height: 480 } as const;
/** Owners are above their dependents unless the picture must be scaled below this factor. */
const LEGIBLE = 0.8;
const MARGIN = 14;

/**
 * Positions for every object and every owner reference of a run, so that nothing moves from one
 * step
 * to the next. Owners are above their dependents, or on their left if that fits better.
 */
export function drawingOf(scenes: readonly Scene[], run: readonly Snapshot[]): Drawing {
  const heights = new Map<string, number>();
  const owners = new Map<string, OwnerView>();
  for (const [state, { cards }] of scenes.entries()) {
    for (const [uid, card] of Object.entries(cards)) {
      const before = scenes[state - 1]?.cards;
      const old = before !== undefined && Object.hasOwn(before, uid) ? before[uid] : undefined;
      heights.set(uid, Math.max(heights.get(uid) ?? 0, heightOf(card, old)));
    }
  }
  for (const snapshot of run) {
    for (const [id, view] of Object.entries(snapshot.owners)) owners.set(id, view);
  }
  const down = drawn(heights, owners, 'TB');
  if (scaleOf(down) >= LEGIBLE) return down;
  const aside = drawn(heights, owners, 'LR');
  return scaleOf(aside) > scaleOf(down) ? aside : down;
}

function scaleOf({ width, height }: Drawing): number {
  return Math.min(PLACE.width / width, PLACE.height / height);
}

/** Counts the rows that the step removes as well: they are still shown, struck out. */
function heightOf(card: Card, old: Card | undefined): number {
  const rows = new Set([...card.rows, ...(old?.rows ?? [])].map(({ kind, text }) => kind + text));
  return CARD.head + CARD.halves + rows.size * CARD.row + (rows.size > 0 ? CARD.foot : 0);
}

function drawn(
  heights: ReadonlyMap<string, number>,
  owners: ReadonlyMap<string, OwnerView>,
  direction: Direction,
): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction,
    nodesep: 34,
    ranksep: 52,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  // Uids may be any text, so the layout gets generated names.
  const names = new Map([...heights.keys()].map((uid, index) => [uid, `n${index}`]));
  const nameOf = (uid: string): string => names.get(uid) ?? '';
  const apart = [...owners].filter(([, { dependent, owner }]) => dependent !== owner);
  for (const [uid, height] of heights) graph.setNode(nameOf(uid), { width: CARD.width, height });
  for (const [index, [, { dependent, owner }]] of apart.entries()) {
    graph.setEdge(nameOf(owner), nameOf(dependent), {}, `e${index}`);
  }
  layout(graph);
  const boxes = new Map<string, Box>();
  for (const [uid, height] of heights) {
    const { x = 0, y = 0 } = graph.node(nameOf(uid)) as { x?: number; y?: number };
    const box = { x: x - CARD.width / 2, y: y - height / 2, width: CARD.width, height };
    boxes.set(uid, rounded(box));
  }
  const ports = portsOf(owners, boxes, direction);
  const arrows = new Map<string, Arrow>();
  for (const [id, { dependent, owner }] of owners) {
    const box = boxes.get(dependent);
    if (dependent !== owner || box === undefined) continue;
    arrows.set(id, arrowBack(box.x + box.width, box.y + box.height / 2));
  }
  for (const [index, [id, { dependent, owner }]] of apart.entries()) {
    const ends = ports.get(id);
    if (ends === undefined) continue;
    const edge = graph.edge(nameOf(owner), nameOf(dependent), `e${index}`) as { points?: XY[] };
    const way = [ends.dependent, ...bendsOf(edge.points ?? []), ends.owner];
    arrows.set(id, arrowThrough(way, direction));
  }
  const right = Math.max(0, ...[...boxes.values()].map(({ x, width }) => x + width));
  const bottom = Math.max(0, ...[...boxes.values()].map(({ y, height }) => y + height));
  const loops = [...owners.values()].some(({ dependent, owner }) => dependent === owner);
  return {
    width: right + MARGIN + (loops ? LOOP : 0),
    height: bottom + MARGIN,
    boxes: Object.fromEntries(boxes),
    arrows: Object.fromEntries(arrows),
  };
}

interface XY {
  readonly x: number;
  readonly y: number;
}

/** The bends of an edge. An edge between neighbouring ranks has only a middle, and no bend. */
function bendsOf(points: readonly XY[]): readonly Point[] {
  if (points.length <= 3) return [];
  const inner = points.slice(1, -1).map(({ x, y }): Point => [Math.round(x), Math.round(y)]);
  return inner.reverse();
}

function rounded({ x, y, width, height }: Box): Box {
  return { x: Math.round(x), y: Math.round(y), width, height };
}
