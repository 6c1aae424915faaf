import { type TreeRow, treeRows } from '../answer/tree.ts';
import { fateWords, LOOKS } from '../answer/words.ts';
import type { Answer } from '../document/answer.ts';
import { type Child, element, type Markup } from './markup.ts';

/** From this many rows on, subtrees in which all have one fate are folded at first. */
const MANY = 60;

/** The tree of objects: a row for each, with a column for each way to delete. */
export function answerTree(answer: Answer): Markup {
  const rows = treeRows(answer);
  const folded = rows.length > MANY ? foldedRows(rows) : new Set<number>();
  const names = answer.outcomes.map(({ name }) => (answer.outcomes.length > 1 ? name : 'fate'));
  return element(
    'table',
    { class: 'tree' },
    element('caption', { class: 'unseen' }, 'What becomes of each object'),
    element(
      'thead',
      { class: names.length > 1 ? null : 'unseen' },
      element(
        'tr',
        {},
        ...[...names, 'object'].map((head) => element('th', { scope: 'col' }, head)),
      ),
    ),
    element('tbody', {}, ...rows.map((row, index) => rowMarkup(row, answer, folded.has(index)))),
  );
}

function depthOf({ branch }: TreeRow): number {
  // Every level is three characters wide.
  return branch.length / 3;
}

/** Numbers of the rows whose whole subtree looks like them. */
function foldedRows(rows: readonly TreeRow[]): ReadonlySet<number> {
  const found = new Set<number>();
  const looks = rows.map(({ fates }) => fates.map(fateWords).join());
  for (const [index, row] of rows.entries()) {
    let end = index + 1;
    while (end < rows.length && depthOf(rows[end]!) > depthOf(row)) end += 1;
    const below = looks.slice(index + 1, end);
    if (below.length > 0 && below.every((look) => look === looks[index])) found.add(index);
  }
  return found;
}

function rowMarkup(row: TreeRow, { objects }: Answer, folded: boolean): Markup {
  const { branch, label, asked, deleting, members, fates } = row;
  const notes = [...(asked ? ['asked for'] : []), ...(deleting ? ['being deleted'] : [])];
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
    { 'data-depth': depthOf(row), 'data-folded': folded },
    ...fates.map((fate) =>
      element(
        'td',
        {},
        element(
          'span',
          { class: `fate ${fate.fate}` },
          `${LOOKS[fate.fate].sign} ${fateWords(fate)}`,
        ),
      ),
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
