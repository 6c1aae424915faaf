import { cardPictures } from './card.ts';
import { html, svg } from './dom.ts';
import { linePicture } from './line.ts';
import type { Card, Line, RunData, Timeline } from './run-data.ts';
import { takenAt } from './timelines.ts';

export interface Graph {
  readonly element: SVGSVGElement;
  /** Redraws only what differs from the current drawing. */
  show(state: number, before: number | null): void;
  /** Uid of the selected object; null: none. */
  chosen(): string | null;
}

interface Slot {
  readonly timeline: Timeline;
  /** The current drawing: indexes of the values now and before. */
  drawn: string;
  place: SVGGElement;
}

/** The picture of the objects and their owners. */
export function graphOf(data: RunData, onChoice: () => void): Graph {
  const { drawing, values } = data;
  const lines = svg('g', { class: 'lines' });
  const cards = svg('g', { class: 'cards' });
  const element = svg(
    'svg',
    {
      class: 'graph',
      viewBox: `0 0 ${drawing.width} ${drawing.height}`,
      width: drawing.width,
      height: drawing.height,
      role: 'group',
      'aria-label': 'Objects and their owners',
    },
    lines,
    cards,
  );
  let choice: string | null = null;
  const slot = (timeline: Timeline, layer: SVGGElement): Slot => {
    const place = svg('g');
    layer.append(place);
    return { timeline, drawn: '', place };
  };
  const lineSlots = data.lines.map((timeline) => slot(timeline, lines));
  const cardSlots = data.cards.map((timeline) => slot(timeline, cards));
  for (const { timeline, place } of cardSlots) {
    place.setAttribute('role', 'button');
    place.setAttribute('tabindex', '0');
    place.dataset.name = nameOf(timeline);
    const choose = (): void => {
      choice = choice === timeline.id ? null : timeline.id;
      mark();
      onChoice();
    };
    place.addEventListener('click', choose);
    place.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    });
  }
  mark();

  function mark(): void {
    for (const { timeline, place } of cardSlots) {
      place.setAttribute('aria-pressed', String(timeline.id === choice));
    }
  }

  function update(
    { place }: Slot,
    drawn: string,
    now: number,
    old: number,
    picture: (now: unknown, old: unknown) => readonly SVGElement[],
  ): string {
    const wanted = `${now} ${old}`;
    if (drawn === wanted) return drawn;
    const made = picture(now < 0 ? null : values[now], old < 0 ? null : values[old]);
    place.replaceChildren(...made);
    return wanted;
  }

  /** The name of an object, also before it exists. */
  function nameOf({ takes }: Timeline): string {
    const known = values[takes.find((index) => index >= 0) ?? -1];
    return (known as Card | undefined)?.name ?? '';
  }

  return {
    element,
    chosen: () => choice,
    show: (state, before) => {
      for (const one of cardSlots) {
        const box = drawing.boxes[one.timeline.id];
        if (box === undefined) continue;
        const now = takenAt(one.timeline, state);
        const old = before === null ? now : takenAt(one.timeline, before);
        one.drawn = update(one, one.drawn, now, old, (card, was) =>
          // Screen readers read the title of a button as its name.
          cardPictures(box, nameOf(one.timeline), card as Card | null, was as Card | null),
        );
      }
      for (const one of lineSlots) {
        const arrow = drawing.arrows[one.timeline.id];
        if (arrow === undefined) continue;
        const now = takenAt(one.timeline, state);
        const old = before === null ? now : takenAt(one.timeline, before);
        one.drawn = update(one, one.drawn, now, old, (line, was) =>
          line === null && was === null
            ? []
            : [linePicture(arrow, line as Line | null, was as Line | null)],
        );
      }
    },
  };
}

const SIGNS: readonly (readonly [kind: string, words: string])[] = [
  ['both', 'owner'],
  ['blocking', 'blocking'],
  ['stored', 'not in the graph'],
  ['believed', 'in the graph only'],
  ['differs', 'graph and store differ'],
  ['changed', 'changed'],
];

/** The meaning of the signs in the picture. */
export function legend(): HTMLElement {
  return html(
    'ul',
    { class: 'signs' },
    ...SIGNS.map(([kind, words]) => html('li', { class: kind }, html('i', {}), words)),
  );
}
