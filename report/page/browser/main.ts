import { copyButton, foldable } from './answer.ts';
import { found, html } from './dom.ts';
import { legend } from './graph.ts';
import { indexSearch } from './index-search.ts';
import { type Command, commandOf, keysTable } from './keys.ts';
import { hashOf, type Route, routeOf } from './route.ts';
import { type RunView, runViewOf } from './run-view.ts';
import { themeButton } from './theme.ts';

/**
 * The page shows one check and one of its runs at a time. The address says which, and which state.
 */

const checks = [...document.querySelectorAll<HTMLElement>('.check')];
const index = document.querySelector<HTMLElement>('#index');
/** An answer, and the run that the page opens below it. */
const answer = document.querySelector<HTMLElement>('#answer');
const lead = document.querySelector<HTMLElement>('.run[data-lead]');
const views = new Map<HTMLElement, RunView>();
let shown: { readonly check: HTMLElement; readonly view: RunView | null } | null = null;
/** A step is selected, so that keys that otherwise scroll move from step to step. */
let stepping = false;
/** The address selects the state that is shown, not the reader. */
let following = false;
let settling = 0;
/** Pause before the address changes, in milliseconds. */
const RESTING = 150;

const announcer = html('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
const tool = (label: string, symbol: string): HTMLButtonElement =>
  html('button', { type: 'button', 'aria-label': label, title: label }, symbol);
const theme = tool('Theme', '');
const help = tool('Keys and signs (?)', '?');
const dialog = html(
  'dialog',
  { class: 'help', 'aria-label': 'Keys and signs' },
  html('h2', {}, 'Keys'),
  keysTable(),
  html('h2', {}, 'Signs'),
  legend(),
  html('form', { method: 'dialog' }, html('button', {}, 'Close')),
);
const search = index === null ? null : indexSearch(index);

document.documentElement.classList.add('js');
found('.tools').append(theme, help);
document.body.append(announcer, dialog);
for (const tree of document.querySelectorAll('.tree')) foldable(tree);
for (const place of document.querySelectorAll<HTMLElement>('.copyable')) {
  copyButton(place, (words) => {
    announcer.textContent = words;
  });
}
themeButton(theme);
help.addEventListener('click', () => dialog.showModal());
addEventListener('hashchange', () => follow(routeOf(location.hash)));
addEventListener('keydown', (event) => {
  if (dialog.open) return;
  const command = commandOf(event, stepping);
  if (command === null || !obey(command)) return;
  event.preventDefault();
});
follow(routeOf(location.hash));

function follow(route: Route): void {
  clearTimeout(settling);
  const leads = answer !== null && route.check === null;
  const only = checks.length === 1 ? (checks[0] ?? null) : null;
  const check = route.check ?? (leads ? (lead?.closest<HTMLElement>('.check') ?? null) : only);
  const run = route.run ?? (leads ? lead : (check?.querySelector<HTMLElement>('.run') ?? null));
  document.body.dataset.at = leads ? 'answer' : check === null ? 'index' : 'check';
  for (const one of checks) one.classList.toggle('active', one === check);
  for (const one of check?.querySelectorAll('.run') ?? []) {
    one.classList.toggle('active', one === run);
  }
  const view = run === null ? null : viewOf(run);
  shown = check === null ? null : { check, view };
  stepping = route.run !== null;
  following = true;
  view?.show(route.state ?? 0);
  following = false;
  if (stepping) run?.scrollIntoView({ block: 'start' });
  else scrollTo({ top: 0 });
}

function viewOf(run: HTMLElement): RunView {
  const known = views.get(run);
  if (known !== undefined) return known;
  const view = runViewOf(run, (state, words) => {
    if (!following) stepping = true;
    if (stepping) settle(hashOf(run, state), words);
  });
  views.set(run, view);
  return view;
}

/**
 * Updates address and announcement once the reader pauses: browsers limit how often a page changes
 * its address, and an announcement of a step that is no longer shown is useless. An address that
 * the reader has gone to meanwhile stays: its event comes later than the new address.
 */
function settle(hash: string, words: string): void {
  clearTimeout(settling);
  const before = location.hash;
  settling = setTimeout(() => {
    if (location.hash !== before) return;
    announcer.textContent = words;
    if (before !== hash) history.replaceState(null, '', hash);
  }, RESTING);
}

/** False: there was nothing to do, so the browser handles the key. */
function obey(command: Command): boolean {
  switch (command) {
    case 'next':
      return walk((view) => view.step(1));
    case 'previous':
      return walk((view) => view.step(-1));
    case 'first':
      return walk((view) => view.show(0));
    case 'last':
      return walk((view) => view.show(view.last));
    case 'nextChange':
      return walk((view) => view.jump(1));
    case 'previousChange':
      return walk((view) => view.jump(-1));
    case 'nextRun':
      return otherRun(1);
    case 'previousRun':
      return otherRun(-1);
    case 'up':
      return up();
    case 'search':
      if (search === null) return false;
      if (checks.length > 1) location.hash = '';
      search.focus();
      return true;
    case 'theme':
      theme.click();
      return true;
    case 'help':
      dialog.showModal();
      return true;
    default:
      throw new Error(`unknown command ${String(command satisfies never)}`);
  }
}

function walk(move: (view: RunView) => void): boolean {
  const view = shown?.view ?? null;
  if (view === null) return false;
  if (!stepping) view.element.scrollIntoView({ block: 'start' });
  move(view);
  return true;
}

function otherRun(direction: 1 | -1): boolean {
  if (shown === null || shown.view === null) return false;
  const runs = [...shown.check.querySelectorAll<HTMLElement>('.run')];
  const other = runs[runs.indexOf(shown.view.element) + direction];
  if (other === undefined) return false;
  location.hash = hashOf(other, 0);
  return true;
}

function up(): boolean {
  if (shown === null) return false;
  if (stepping && document.body.dataset.at === 'check') location.hash = `#${shown.check.id}`;
  else if (index !== null || answer !== null) location.hash = '';
  return true;
}
