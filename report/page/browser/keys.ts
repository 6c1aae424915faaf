import { html } from './dom.ts';

/** The commands that have keys. */
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
  /** Keys that scroll the page unless a step is selected. */
  readonly scrolling?: readonly string[];
}

const BINDINGS: readonly Binding[] = [
  {
    command: 'next',
    keys: ['ArrowRight', 'j'],
    scrolling: ['ArrowDown'],
    about: 'next step; after the end of a loop, its first step again',
  },
  {
    command: 'previous',
    keys: ['ArrowLeft', 'k'],
    scrolling: ['ArrowUp'],
    about: 'previous step',
  },
  { command: 'first', keys: [], scrolling: ['Home'], about: 'initial state' },
  { command: 'last', keys: [], scrolling: ['End'], about: 'last step' },
  {
    command: 'nextChange',
    keys: ['n'],
    about: 'next step that changes the chosen object, or any object if none is chosen',
  },
  { command: 'previousChange', keys: ['p'], about: 'previous step that changes it' },
  { command: 'nextRun', keys: [']'], about: 'next trace' },
  { command: 'previousRun', keys: ['['], about: 'previous trace' },
  {
    command: 'up',
    keys: ['u', 'Escape'],
    about: 'up: to the verdicts, then to the list of all results',
  },
  { command: 'search', keys: ['/'], about: 'search the list' },
  { command: 'theme', keys: ['t'], about: 'theme: dark, light, system' },
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
