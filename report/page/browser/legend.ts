import { html } from './dom.ts';

const SIGNS: readonly (readonly [kind: string, words: string])[] = [
  ['both', 'owner'],
  ['blocking', 'blocking'],
  ['stored', 'not in the graph'],
  ['believed', 'in the graph only'],
  ['differs', 'graph and store differ'],
  ['changed', 'changed'],
];

/** What the signs in the picture mean. */
export function legend(): HTMLElement {
  return html(
    'ul',
    { class: 'signs' },
    ...SIGNS.map(([kind, words]) => html('li', { class: kind }, html('i', {}), words)),
  );
}
