import { html } from './dom.ts';
import type { RunData, Timeline } from './run-data.ts';
import { takenAt } from './timelines.ts';

export interface Panels {
  readonly element: HTMLElement;
  show(state: number, before: number | null): void;
}

/** What waits in queues and streams, and which actors are at work. */
export function panelsOf(data: RunData): Panels {
  const parts = [
    part('Waiting', data.waiting, data.values, itemsPicture),
    part('At work', data.work, data.values, textPicture),
  ];
  return {
    element: html('div', { class: 'panels' }, ...parts.map(({ element }) => element)),
    show: (state, before) => {
      for (const { show } of parts) show(state, before);
    },
  };
}

type Picture = (now: unknown, old: unknown) => readonly Node[];

function part(
  head: string,
  timelines: readonly Timeline[],
  values: readonly unknown[],
  picture: Picture,
): Panels {
  const list = html('dl', {});
  const nothing = html('p', { class: 'nothing' }, 'nothing');
  const slots = timelines.map((timeline) => {
    const entry = html('div', { class: 'entry' }, html('dt', {}, timeline.id));
    entry.hidden = true;
    list.append(entry);
    return { timeline, entry, drawn: '-1 -1' };
  });
  return {
    element: html('section', { class: 'panel' }, html('h4', {}, head), list, nothing),
    show: (state, before) => {
      let busy = false;
      for (const slot of slots) {
        const now = takenAt(slot.timeline, state);
        const old = before === null ? now : takenAt(slot.timeline, before);
        busy ||= now >= 0 || old >= 0;
        if (slot.drawn === `${now} ${old}`) continue;
        slot.drawn = `${now} ${old}`;
        const { entry } = slot;
        entry.hidden = now < 0 && old < 0;
        entry.classList.toggle('changed', now !== old);
        entry.replaceChildren(
          html('dt', {}, slot.timeline.id),
          ...picture(now < 0 ? null : values[now], old < 0 ? null : values[old]),
        );
      }
      nothing.hidden = busy;
    },
  };
}

/** Items of a queue: removed ones are struck out, new ones marked. */
function itemsPicture(now: unknown, old: unknown): readonly Node[] {
  const items = (now ?? []) as readonly string[];
  const before = (old ?? []) as readonly string[];
  return [
    ...without(before, items).map((item) => html('dd', { class: 'removed' }, item)),
    ...marked(items, before).map(({ item, added }) =>
      html('dd', added ? { class: 'added' } : {}, item),
    ),
  ];
}

/** The items that the other list lacks; an item that occurs twice counts twice. */
function without(items: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return items.filter((item) => {
    const index = left.indexOf(item);
    if (index < 0) return true;
    left.splice(index, 1);
    return false;
  });
}

function marked(
  items: readonly string[],
  before: readonly string[],
): readonly { readonly item: string; readonly added: boolean }[] {
  const left = [...before];
  return items.map((item) => {
    const index = left.indexOf(item);
    if (index >= 0) left.splice(index, 1);
    return { item, added: index < 0 };
  });
}

function textPicture(now: unknown, old: unknown): readonly Node[] {
  if (now === null) return [html('dd', { class: 'removed' }, String(old))];
  return [html('dd', now === old ? {} : { class: 'added' }, String(now))];
}
