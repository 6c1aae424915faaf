import { greatestOf } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import { answerShown, type Drawn } from '../answer/parts.ts';
import type { ReportDocument } from '../document/documents.ts';
import type { TraceChoice } from '../document/traces.ts';
import { element, type Markup } from '../page/markup.ts';
import { type AnswerNode, answerPicture, FATE_COLOURS } from './answer-nodes.ts';
import { shortLines } from './picture-text.ts';

/**
 * The tree of an answer as an image. The objects are below one another and indented, as a tree
 * needs no other layout. What an image has no room for is counted.
 */

/** Viewers show no image of many more than 16,000 pixels, which is a chain of so many objects. */
const MOST_DRAWN = 500;
const ROOM = 90;
const FONT = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
/** Pixels: the width of a character, of an indent; the height of a line, of a box around one. */
const CHARACTER = 7.3;
const INDENT = 28;
const LINE = 17;
const PAD = 7;
const GAP = 8;
const MARGIN = 16;
const ARROW = '#5f6368';

/** Throws `InputError` for a document without an answer. */
export function renderSvg(
  document: ReportDocument,
  { choice }: { readonly choice: TraceChoice },
): string {
  const drawn = answerShown(document, choice);
  if (drawn === null) throw MESSAGES.noAnswer();
  return svgOf(drawn);
}

/** An image that says why nothing can be shown. */
export function emptySvg(why: string): string {
  const lines = shortLines(why, ROOM);
  return image(why, widthOf(lines) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN, [
    ...texts(lines, MARGIN, MARGIN, '#1b222c'),
  ]);
}

interface Placed {
  readonly node: AnswerNode;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function svgOf(drawn: Drawn): string {
  const { captions, nodes, legend, notes, inOrder } = answerPicture(drawn, MOST_DRAWN);
  const head = captions.flatMap((text) => shortLines(text, ROOM));
  let y = MARGIN + head.length * LINE + GAP;
  const placed = new Map<string, Placed>();
  for (const node of nodes) {
    const words = [...node.fates, ...node.notes];
    const texts = inOrder ? [node.name, ...words] : [`${node.name}  ${words.join(', ')}`];
    const lines = texts.flatMap((text) => shortLines(text, ROOM));
    const height = lines.length * LINE + PAD;
    const x = MARGIN + node.depth * INDENT;
    placed.set(node.id, { node, lines, x, y, width: widthOf(lines) + 2 * PAD, height });
    y += height + (inOrder ? 2 * GAP : GAP);
  }
  const boxes = [...placed.values()];
  const legends = legend.map(({ fate, text }, index) => {
    const lines = [text];
    const top = y + GAP + index * (LINE + PAD + 3);
    return boxOf(fate, { lines, x: MARGIN, y: top, width: widthOf(lines) + 2 * PAD });
  });
  const foot = notes.flatMap((text) => shortLines(text, ROOM));
  const footTop = y + 2 * GAP + legend.length * (LINE + PAD + 3);
  const right = Math.max(
    widthOf([...head, ...foot]) + MARGIN,
    ...boxes.map(({ x, width }) => x + width),
    ...legend.map(({ text }) => MARGIN + widthOf([text]) + 2 * PAD),
  );
  return image(captions.join(' '), right + MARGIN, footTop + foot.length * LINE + MARGIN, [
    ...texts(head, MARGIN, MARGIN, '#1b222c', 'bold'),
    ...boxes.flatMap((box) => (inOrder ? stepArrow(box) : arrowOf(box, placed))),
    ...boxes.flatMap(({ node, ...box }) => [boxOf(node.fate, box)]),
    ...legends,
    ...texts(foot, MARGIN, footTop, '#485362'),
  ]);
}

function boxOf(
  fate: AnswerNode['fate'],
  { lines, x, y, width }: Pick<Placed, 'lines' | 'x' | 'y' | 'width'>,
): Markup {
  const { ground, ink } = FATE_COLOURS[fate];
  return element(
    'g',
    {},
    element('rect', {
      ...{ x, y, width, height: lines.length * LINE + PAD, rx: 6, fill: ground, stroke: ink },
      'stroke-dasharray': fate === 'unknown' ? '4 3' : null,
    }),
    ...texts(lines, x + PAD, y + PAD / 2, ink),
  );
}

/** From an object up to its owner. */
function arrowOf({ node, x, y }: Placed, placed: ReadonlyMap<string, Placed>): readonly Markup[] {
  const owner = node.parent === null ? undefined : placed.get(node.parent);
  if (owner === undefined) return [];
  const from = owner.x + INDENT / 2;
  const bottom = owner.y + owner.height;
  const middle = y + (LINE + PAD) / 2;
  return [
    element('path', { d: `M${x} ${middle}H${from}V${bottom + 6}`, fill: 'none', stroke: ARROW }),
    element('path', { d: `M${from} ${bottom}l-4 7h8z`, fill: ARROW }),
  ];
}

/** From the step before it. */
function stepArrow({ node, x, y }: Placed): readonly Markup[] {
  if (node.parent === null) return [];
  const from = x + INDENT / 2;
  return [
    element('path', { d: `M${from} ${y - 2 * GAP}V${y - 6}`, fill: 'none', stroke: ARROW }),
    element('path', { d: `M${from} ${y}l-4 -7h8z`, fill: ARROW }),
  ];
}

function texts(
  lines: readonly string[],
  x: number,
  y: number,
  fill: string,
  weight: string | null = null,
): readonly Markup[] {
  return lines.map((line, index) =>
    element('text', { x, y: y + (index + 1) * LINE - 4, fill, 'font-weight': weight }, legal(line)),
  );
}

function image(title: string, width: number, height: number, content: readonly Markup[]): string {
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  const { html } = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'font-family': FONT,
      'font-size': 12,
    },
    element('title', {}, legal(title)),
    element('rect', { ...size, fill: '#ffffff' }),
    ...content,
  );
  return `${html}\n`;
}

/** The width of the longest line. Characters beyond Latin scripts may be twice as wide. */
function widthOf(lines: readonly string[]): number {
  const widths = lines.map((line) =>
    [...line].reduce((sum, character) => sum + (character > '\u024f' ? 2 : 1), 0),
  );
  return greatestOf(widths) * CHARACTER;
}

/** XML forbids two characters that do no harm elsewhere. */
function legal(text: string): string {
  return text.replaceAll(/[\ufffe\uffff]/g, (found) => `\\u${found.charCodeAt(0).toString(16)}`);
}
