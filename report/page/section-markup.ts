import type { Trace } from '../../checker/index.ts';
import { shellQuoted } from '../../text/layout.ts';
import { stepsKey } from '../text/run-words.ts';
import { type Child, element, embeddedJson, type Markup, slugger, together } from './markup.ts';
import type { Note, Run, Section } from './page.ts';
import { runDataOf } from './run-data.ts';
import { sequenceMarkup } from './sequence.ts';
import { statesMarkup } from './states.ts';
import { linked, type PlacedRun, type Places, statusMarkup, tableMarkup } from './table.ts';

/** One section: its verdicts, its runs and its notes. */
export function sectionMarkup(section: Section, slug: string, lead: Trace | null = null): Markup {
  const slugOf = slugger();
  const runs = section.runs.map((run) => ({ run, slug: `${slug}/${slugOf(run.name)}` }));
  const places = placesOf(runs);
  return element(
    'section',
    { id: slug, class: 'check', 'aria-labelledby': `${slug}//title` },
    element(
      'header',
      { class: 'check-head' },
      element(
        'h2',
        { id: `${slug}//title` },
        statusMarkup(section.status),
        ' ',
        element('a', { href: `#${slug}` }, section.title),
      ),
      ...section.about.map((text) => element('p', { class: 'about' }, linked(text))),
    ),
    tableMarkup(section.rows, places),
    ...runs.map(({ run, slug: runSlug }) =>
      runMarkup(run, runSlug, sameAs(run, runSlug, runs), run.trace === lead),
    ),
    notesMarkup(section.notes),
  );
}

function placesOf(runs: readonly PlacedRun[]): Places {
  const places = new Map<string, readonly PlacedRun[]>();
  for (const placed of runs) {
    const { name } = placed.run;
    places.set(name, [...(places.get(name) ?? []), placed]);
  }
  return places;
}

/**
 * The first run with the same steps: several properties often break on one run, which is drawn
 * once.
 */
function sameAs({ trace }: Run, slug: string, runs: readonly PlacedRun[]): string | null {
  const text = stepsText(trace);
  const first = runs.find((other) => stepsText(other.run.trace) === text);
  return first === undefined || first.slug === slug ? null : first.slug;
}

function stepsText(trace: Run['trace']): string {
  return `${trace.loopStart} ${stepsKey(trace)}`;
}

function runMarkup(run: Run, slug: string, same: string | null, leads: boolean): Markup {
  const { trace, broken, token, setup } = run;
  const data = same === null && setup !== null ? runDataOf(setup, trace) : null;
  return element(
    'section',
    {
      id: slug,
      class: 'run',
      'aria-labelledby': `${slug}//title`,
      'data-same-as': same,
      'data-lead': leads,
      'data-length': trace.steps.length,
      'data-loop': trace.shape === 'lasso' ? trace.loopStart : null,
    },
    element(
      'header',
      { class: 'run-head' },
      element(
        'div',
        { class: 'run-title' },
        element('h3', { id: `${slug}//title` }, statusMarkup(run.status), ' ', run.name),
        element('p', { class: 'headline' }, [run.headline, ...run.notes].join(' · ')),
      ),
    ),
    element(
      'div',
      { class: 'bench' },
      element(
        'div',
        { class: 'told' },
        sequenceMarkup(trace, slug, setup !== null),
        listMarkup('broken', 'Broken', broken),
        fairnessMarkup(run),
        token === null ? null : tokenMarkup(token),
      ),
      setup === null && same === null ? statesMarkup(trace) : null,
    ),
    data === null ? null : embeddedJson({ class: 'run-data' }, data),
  );
}

function listMarkup(kind: string, head: string, items: readonly string[]): Child {
  if (items.length === 0) return null;
  return element(
    'div',
    { class: `aside ${kind}` },
    element('h4', {}, head),
    element('ul', {}, ...items.map((item) => element('li', {}, item))),
  );
}

/** Why the loop may repeat for ever although every action that must happen does happen. */
function fairnessMarkup({ trace }: Run): Child {
  return listMarkup(
    'fairness',
    'Why the loop is fair',
    trace.fairness.map(({ sentence, actor, action, group, by, step }) => {
      const what = group ?? (sentence === '' ? `${actor}: ${action}` : sentence);
      const impossible = group === undefined ? 'not possible after' : 'none possible after';
      const how = by === 'taken' ? 'taken in' : impossible;
      return `${what} – ${how} step ${step + 1}`;
    }),
  );
}

function tokenMarkup(token: string): Markup {
  return element(
    'div',
    { class: 'aside token' },
    element('h4', {}, 'Replay'),
    copyable(`reapcheck replay ${shellQuoted(token)}`),
  );
}

/** A command; the script adds a button that copies it. */
export function copyable(command: string): Markup {
  return element('div', { class: 'copyable' }, element('code', {}, command));
}

export function notesMarkup(notes: readonly Note[]): Child {
  const told = notes.filter(({ items }) => items.length > 0);
  if (told.length === 0) return null;
  return element(
    'dl',
    { class: 'notes' },
    ...told.map(({ head, items, tone, code }) =>
      together(
        element('dt', { class: tone ?? null }, head),
        ...items.map((item) =>
          element('dd', { class: tone ?? null }, code ? copyable(item) : linked(item)),
        ),
      ),
    ),
  );
}
