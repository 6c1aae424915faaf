import { cellWords, DIFFERS, differs, rowNotes, type TreeRow, treeRows } from '../answer/tree.ts';
import { fateWords } from '../answer/words.ts';
import type { Answer } from '../document/answer.ts';
import { type Child, element, type Markup, together } from './markup.ts';

/** From this many rows on, subtrees in which all have one fate are folded at first. */
const MANY = 60;

/** The tree of objects: a row for each, with a column for each way to delete. */
export function answerTree(answer: Answer): Markup {
  const rows = treeRows(answer);
  const folded = rows.length > MANY ? foldedRows(rows) : new Set<number>();
  const several = answer.outcomes.length > 1;
  const names = answer.outcomes.map(({ name }) => (several ? name : 'fate'));
  const heads = [...names, 'object'].map((head) => element('th', { scope: 'col' }, head));
  const table = element(
    'table',
    { class: 'tree' },
    element('caption', { class: 'unseen' }, 'What becomes of each object'),
    element(
      'thead',
      { class: several ? null : 'unseen' },
      element('tr', {}, several ? element('td', {}) : null, ...heads),
    ),
    element(
      'tbody',
      {},
      ...rows.map((row, index) => rowMarkup(row, answer, { several, folded: folded.has(index) })),
    ),
  );
  return together(
    element(
      'div',
      {
        class: rows.length > MANY ? 'tree-frame long' : 'tree-frame',
        // What can be scrolled has to be reachable by keyboard.
        ...{ tabindex: 0, role: 'region', 'aria-label': 'Objects' },
      },
      table,
    ),
    rows.some(differs)
      ? element('p', { class: 'dim differing' }, `${DIFFERS} the outcomes differ`)
      : null,
  );
}

/** Numbers of the rows whose whole subtree looks like them. */
function foldedRows(rows: readonly TreeRow[]): ReadonlySet<number> {
  const found = new Set<number>();
  const looks = rows.map(({ fates }) => fates.map(fateWords).join());
  const depths = rows.map(({ depth }) => depth);
  // From the end, so that what is below a row is known; the subtrees that a row may still join.
  const below: { readonly depth: number; readonly alike: boolean; readonly look: string }[] = [];
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const depth = depths[index] ?? 0;
    const look = looks[index] ?? '';
    let alike = true;
    let isParent = false;
    for (let top = below.at(-1); top !== undefined && top.depth > depth; top = below.at(-1)) {
      isParent = true;
      alike &&= top.alike && top.look === look;
      below.pop();
    }
    if (isParent && alike) found.add(index);
    below.push({ depth, alike, look });
  }
  return found;
}

function rowMarkup(
  row: TreeRow,
  { objects }: Answer,
  { several, folded }: { readonly several: boolean; readonly folded: boolean },
): Markup {
  const { branch, label, asked, members, fates } = row;
  const notes = rowNotes(row);
  const name: Child =
    members.length === 1
      ? element('span', { class: asked ? 'asked' : null }, label)
      : element(
          'details',
          {},
          element('summary', {}, label),
          element(
            'ul',
            {},
            ...members.map((index) => element('li', {}, objects[index]?.name ?? '')),
          ),
        );
  return element(
    'tr',
    { 'data-depth': row.depth, 'data-folded': folded },
    several ? element('td', { class: 'differs' }, differs(row) ? DIFFERS : null) : null,
    ...fates.map((fate) =>
      element('td', {}, element('span', { class: `fate ${fate.fate}` }, cellWords(fate))),
    ),
    element(
      'th',
      { scope: 'row' },
      element('span', { class: 'branch', 'aria-hidden': 'true' }, branch.replaceAll(' ', '\u00a0')),
      name,
      notes.length === 0 ? null : element('span', { class: 'dim' }, ` ${notes.join(', ')}`),
    ),
  );
}
