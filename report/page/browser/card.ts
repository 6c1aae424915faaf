import { svg } from './dom.ts';
import { type Box, CARD, type Card, type CardRow, type Half } from './run-data.ts';

/** The title and the drawing of an object; changes since `before` are marked. */
export function cardPictures(
  box: Box,
  name: string,
  card: Card | null,
  before: Card | null,
): readonly SVGElement[] {
  return [svg('title', {}, description(card, name)), cardPicture(box, name, card, before)];
}

function cardPicture(
  box: Box,
  fullName: string,
  card: Card | null,
  before: Card | null,
): SVGGElement {
  const changed = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const isChanged = changed(card, before);
  const [kind, name] = nameParts(fullName);
  const rows = markedRows(card?.rows ?? [], before?.rows ?? card?.rows ?? []);
  const half = CARD.width / 2;
  const haveChanged = (side: 'stored' | 'believed'): boolean =>
    isChanged && changed(card?.[side], before?.[side]);
  return svg(
    'g',
    {
      class: classes('card', {
        changed: isChanged,
        ghost: card === null,
        gone: card !== null && card.stored.tone === 'absent',
        leaving: card?.stored.tone === 'leaving',
        differs: card?.differs === true,
      }),
      transform: `translate(${box.x} ${box.y})`,
    },
    svg('rect', { class: 'body', width: CARD.width, height: box.height, rx: 9 }),
    svg('text', { class: 'kind', x: 12, y: 18 }, shortened(kind, 30)),
    svg('text', { class: 'name', x: 12, y: 35 }, shortened(name, 28)),
    svg('path', {
      class: 'rule',
      d: `M0 ${CARD.head}H${CARD.width}M${half} ${CARD.head}v${CARD.halves}`,
    }),
    halfPicture('stored', card?.stored ?? null, 0, haveChanged('stored')),
    halfPicture('collector', card?.believed ?? null, half, haveChanged('believed')),
    ...(card?.differs === true ? [differsMark(half)] : []),
    ...rows.map(({ row, mark }, index) => rowPicture(row, mark, index)),
  );
}

function halfPicture(head: string, half: Half | null, x: number, changed: boolean): SVGGElement {
  const { word, tone } = half ?? { word: '–', tone: 'absent' };
  return svg(
    'g',
    { class: classes(`half ${tone}`, { changed }), transform: `translate(${x} ${CARD.head})` },
    svg('rect', {
      class: 'ground',
      x: 1,
      y: 1,
      width: CARD.width / 2 - 2,
      height: CARD.halves - 2,
    }),
    svg('text', { class: 'side', x: 12, y: 14 }, head),
    svg('text', { class: classes('word', { long: word.length > 14 }), x: 12, y: 29 }, word),
  );
}

function differsMark(x: number): SVGGElement {
  const y = CARD.head + CARD.halves / 2;
  return svg(
    'g',
    { class: 'unequal', transform: `translate(${x} ${y})` },
    svg('circle', { r: 9 }),
    svg('text', { y: 4.5, 'text-anchor': 'middle' }, '≠'),
  );
}

type Mark = 'same' | 'added' | 'removed';

function markedRows(
  now: readonly CardRow[],
  before: readonly CardRow[],
): readonly { row: CardRow; mark: Mark }[] {
  const has = (rows: readonly CardRow[], { kind, text }: CardRow): boolean =>
    rows.some((row) => row.kind === kind && row.text === text);
  return [
    ...now.map((row) => ({ row, mark: has(before, row) ? 'same' : 'added' }) as const),
    ...before.filter((row) => !has(now, row)).map((row) => ({ row, mark: 'removed' }) as const),
  ];
}

function rowPicture({ kind, text }: CardRow, mark: Mark, index: number): SVGGElement {
  const y = CARD.head + CARD.halves + index * CARD.row;
  return svg(
    'g',
    { class: `row ${kind} ${mark}`, transform: `translate(0 ${y})` },
    svg('rect', {
      class: 'ground',
      x: 5,
      y: 2,
      width: CARD.width - 10,
      height: CARD.row - 1,
      rx: 4,
    }),
    ...(kind === 'finalizer' ? [svg('path', { class: 'lock', d: LOCK })] : []),
    svg('text', { x: kind === 'finalizer' ? 27 : 12, y: 14.5 }, shortened(text, 30)),
    svg('title', {}, `${kind === 'finalizer' ? 'finalizer ' : ''}${text}`),
  );
}

const LOCK = 'M12 9.5h9v6.5h-9zM14 9.5v-2a2.5 2.5 0 0 1 5 0v2';

function description(card: Card | null, name: string): string {
  if (card === null) return `${name}: not there`;
  const { stored, believed, rows } = card;
  const finalizers = rows.filter(({ kind }) => kind === 'finalizer').map(({ text }) => text);
  const held = finalizers.length === 0 ? '' : `, finalizers ${finalizers.join(', ')}`;
  return `${card.name}: ${stored.word}${held}; the collector: ${believed.word}`;
}

/** Splits `ConfigMap/a (uid u-1)` into `ConfigMap` and `a (uid u-1)`. */
function nameParts(text: string): readonly [string, string] {
  const slash = text.indexOf('/');
  return slash < 0 ? ['', text] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** Keeps both ends of a name, because names often differ at the end only. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const tail = Math.floor(longest / 3);
  return `${text.slice(0, longest - tail - 1)}…${text.slice(-tail)}`;
}

export function classes(always: string, more: Readonly<Record<string, boolean>>): string {
  return [always, ...Object.keys(more).filter((name) => more[name])].join(' ');
}
