import { type Child, element, type Markup, together } from './markup.ts';
import type { Row, Run, Status } from './page.ts';

/** The runs of each row, by name of the row. */
export type Places = ReadonlyMap<string, readonly PlacedRun[]>;

export interface PlacedRun {
  readonly run: Run;
  readonly slug: string;
}

/**
 * The verdicts: first those with notes or traces, a row each, then those that hold, then those that
 * nothing exercised.
 */
export function tableMarkup(rows: readonly Row[], places: Places): Child {
  const isLoud = ({ status, name, notes }: Row): boolean =>
    status.tone !== 'muted' && (status.tone !== 'good' || notes.length > 0 || places.has(name));
  const loud = rows.filter(isLoud);
  const calm = rows.filter((row) => !isLoud(row) && row.status.tone === 'good');
  const quiet = rows.filter(({ status }) => status.tone === 'muted');
  return together(
    loud.length === 0 ? null : loudMarkup(loud, places),
    calm.length === 0
      ? null
      : element('ul', { class: 'calm', 'aria-label': 'What holds' }, ...calm.map(calmMarkup)),
    ...quietMarkups(quiet),
  );
}

export function statusMarkup({ word, tone }: Status): Markup {
  return element('span', { class: `pill ${tone}` }, word);
}

const COLUMNS = ['Verdict', 'Property', 'Exercised', 'Trace'];

function loudMarkup(rows: readonly Row[], places: Places): Markup {
  const bad = rows.filter(({ status }) => status.tone !== 'good');
  const good = rows.filter(({ status }) => status.tone === 'good');
  return element(
    'table',
    { class: 'verdicts' },
    element('caption', { class: 'unseen' }, 'Verdicts'),
    element(
      'thead',
      { class: 'unseen' },
      element('tr', {}, ...COLUMNS.map((head) => element('th', { scope: 'col' }, head))),
    ),
    element(
      'tbody',
      {},
      ...[...bad, ...good].map((row) => rowMarkup(row, places.get(row.name) ?? [])),
    ),
  );
}

function rowMarkup(row: Row, runs: readonly PlacedRun[]): Markup {
  const { status, name, count, notes, details = [] } = row;
  const [first] = runs;
  return element(
    'tr',
    {},
    element('td', {}, statusMarkup(status)),
    element(
      'th',
      { scope: 'row' },
      first === undefined ? name : element('a', { href: hashOf(first) }, name),
      ...notes.map((note) => element('p', { class: 'note' }, linked(note))),
      details.length === 0 ? null : element('pre', { class: 'details' }, details.join('\n')),
    ),
    element('td', { class: 'count' }, count),
    element(
      'td',
      { class: 'trace' },
      ...runs.map((placed) => element('a', { href: hashOf(placed) }, lengthOf(placed.run))),
    ),
  );
}

function hashOf({ slug }: PlacedRun): string {
  return `#${slug}/0`;
}

function lengthOf({ trace: { shape, steps } }: Run): string {
  const ends = { path: '', stutter: ' ∞', lasso: ' ↻' }[shape];
  return `trace, ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}${ends}`;
}

function calmMarkup({ status, name, count }: Row): Markup {
  return element(
    'li',
    {},
    element('span', { class: 'tick', 'aria-hidden': 'true' }, '✓'),
    element('span', { class: 'unseen' }, `${status.word}: `),
    element('span', {}, name),
    count === null ? null : element('span', { class: 'count' }, count),
  );
}

/** Headings of the folded lists, by verdict. */
const QUIET: ReadonlyMap<string, string> = new Map([
  ['vacuous', 'Never exercised here'],
  ['inconclusive', 'Nothing found on these walks'],
]);

function quietMarkups(rows: readonly Row[]): readonly Markup[] {
  return [...new Set(rows.map(({ status }) => status.word))].map((word) =>
    quietMarkup(
      rows.filter(({ status }) => status.word === word),
      QUIET.get(word) ?? word,
    ),
  );
}

function quietMarkup(rows: readonly Row[], head: string): Markup {
  return element(
    'details',
    { class: 'quiet' },
    element('summary', {}, `${head}: ${rows.length}`),
    element(
      'ul',
      {},
      ...rows.map(({ name, notes }) =>
        element('li', {}, name, notes.length === 0 ? null : ` – ${notes.join(' ')}`),
      ),
    ),
  );
}

/** Text in which web addresses are links. */
export function linked(text: string): Markup {
  const parts = text.split(/(https?:\/\/[\w.-]+(?:\/[\w./#?=&%~+:@-]*[\w/#=&%~+@-])?)/);
  return together(
    ...parts.map((part, index) =>
      index % 2 === 0 ? part : element('a', { href: part, rel: 'noreferrer nofollow' }, part),
    ),
  );
}
