import { html } from './dom.ts';

/** What the reader may ask for by a key. */
export type Command =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'nextChange'
  | 'previousChange'
  | 'nextRun'
  | 'previousRun'
  | 'up'
  | 'search'
  | 'theme'
  | 'help';

interface Binding {
  readonly command: Command;
  readonly keys: readonly string[];
  readonly about: string;
  /** The page scrolls by them unless a step is being looked at. */
  readonly scrolling?: readonly string[];
}

const BINDINGS: readonly Binding[] = [
  {
    command: 'next',
    keys: ['ArrowRight', 'j'],
    scrolling: ['ArrowDown'],
    about: 'next step; from the end of a loop, round again',
  },
  {
    command: 'previous',
    keys: ['ArrowLeft', 'k'],
    scrolling: ['ArrowUp'],
    about: 'step before',
  },
  { command: 'first', keys: [], scrolling: ['Home'], about: 'the state at first' },
  { command: 'last', keys: [], scrolling: ['End'], about: 'the last step' },
  {
    command: 'nextChange',
    keys: ['n'],
    about: 'next step that changes the chosen object, or any object if none is chosen',
  },
  { command: 'previousChange', keys: ['p'], about: 'the step before that did' },
  { command: 'nextRun', keys: [']'], about: 'next trace' },
  { command: 'previousRun', keys: ['['], about: 'trace before' },
  { command: 'up', keys: ['u', 'Escape'], about: 'up: to the verdicts, to the list of all' },
  { command: 'search', keys: ['/'], about: 'search the list' },
  { command: 'theme', keys: ['t'], about: 'dark, light, as the system' },
  { command: 'help', keys: ['?'], about: 'these keys' },
];

export function commandOf(event: KeyboardEvent, stepping: boolean): Command | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return null;
  const binding = BINDINGS.find(
    ({ keys, scrolling = [] }) =>
      keys.includes(event.key) || (stepping && scrolling.includes(event.key)),
  );
  return binding?.command ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type !== 'range';
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowRight: '→',
  ArrowLeft: '←',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
};

export function keysTable(): HTMLElement {
  const rows = BINDINGS.map(({ keys, scrolling = [], about }) =>
    html(
      'tr',
      {},
      html(
        'th',
        { scope: 'row' },
        ...[...keys, ...scrolling].map((key) => html('kbd', {}, NAMES[key] ?? key)),
      ),
      html('td', {}, about),
    ),
  );
  return html('table', { class: 'keys' }, html('tbody', {}, ...rows));
}
