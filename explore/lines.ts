import { escaped } from '../text/escape.ts';
import { plural, wrapped } from '../text/layout.ts';
import type { Explorer } from './explorer.ts';
import type { Goal } from './goals.ts';
import type { Session } from './position.ts';
import type { SearchOutcome } from './search.ts';

const CHANGE_INDENT = '       ';

/** Any text, escaped and wrapped for a terminal. */
export function textLines(text: string, first: string, indent?: string): string[] {
  return wrapped(escaped(text), first, indent);
}

/** The enabled actions of a state, numbered. */
export function enabledLines(explorer: Explorer, state: unknown): string[] {
  const { colors, instances } = explorer;
  const enabled = explorer.enabled(state);
  const others = instances.length - enabled.length;
  if (enabled.length === 0) {
    return textLines('Nothing can be done here (why all tells why).', '  ').map(colors.yellow);
  }
  const width = String(enabled.length).length;
  return [
    ...enabled.flatMap(({ sentence }, index) =>
      sentenceLines(explorer, `${String(index + 1).padStart(width)})`, sentence),
    ),
    colors.dim(`  ${plural(others, 'other action')} cannot be done here: why`),
  ];
}

/** One step of the run, numbered from 1, with its changes. */
export function stepLines(explorer: Explorer, session: Session, number: number): string[] {
  const { words, colors } = explorer;
  const action = session.actions[number - 1]!;
  const before = session.states[number - 1]!;
  const after = session.states[number]!;
  const changes = words.changes(before, after);
  return [
    ...sentenceLines(explorer, `${number}`.padStart(3), words.action(action, before, after)),
    ...(words.beliefs?.(action, before, after) ?? [])
      .flatMap((belief) => textLines(belief, CHANGE_INDENT, `${CHANGE_INDENT}  `))
      .map(colors.magenta),
    ...changes.flatMap((change) => changeLines(explorer, change)),
  ];
}

/** A sentence with its actor in bold. */
export function sentenceLines(
  { colors }: Pick<Explorer, 'colors'>,
  number: string,
  sentence: string,
): string[] {
  const first = `  ${number}  `;
  const [head = '', ...rest] = textLines(sentence, first);
  const told = head.slice(first.length);
  const actor = told.match(/^[^:]{1,40}:/)?.[0] ?? '';
  return [`${first}${colors.bold(actor)}${told.slice(actor.length)}`, ...rest];
}

/** Keeps the indentation of a line that continues the change before it. */
export function changeLines({ colors }: Pick<Explorer, 'colors'>, change: string): string[] {
  const indent = CHANGE_INDENT + (change.match(/^ */)?.[0] ?? '');
  return textLines(change.trimStart(), indent, `${indent}  `).map(colors.green);
}

/** The headline of what a search found. */
export function foundLines(
  { colors }: Explorer,
  goal: Goal,
  outcome: SearchOutcome,
  steps: number,
  before: number,
): string[] {
  const from = before === 0 ? 'the start' : `step ${before}`;
  const shortest =
    outcome.found && outcome.session.found?.endless === true ? '' : ', by a shortest way';
  const how = steps === 0 ? 'is so already' : `${plural(steps, 'step')} from ${from}${shortest}`;
  const searched = `(${plural(outcome.states, 'state')} searched)`;
  return textLines(`${goal.words}: ${how} ${searched}`, '', '  ').map(colors.bold);
}

export function notFoundLines({ colors }: Explorer, goal: Goal, outcome: SearchOutcome): string[] {
  if (outcome.found) return [];
  if (outcome.limit !== null) {
    const searched = plural(outcome.states, 'state');
    return textLines(
      `Not known whether ${goal.words}, after ${searched}. ${outcome.limit}`,
      '',
      '  ',
    ).map(colors.yellow);
  }
  const all = `${plural(outcome.states, 'state')} searched, and there are no more`;
  return textLines(`${neverWords(goal, outcome.vacuous)}; ${all}`, '', '  ').map(colors.green);
}

function neverWords({ words, judged, property }: Goal, vacuous: boolean): string {
  const name = `"${property.name}"`;
  if (!judged) return `From here on it never happens that ${words}`;
  if (vacuous) return `From here on nothing ever triggers ${name}`;
  return `From here on ${name} ${property.kind === 'witness' ? 'is never reached' : 'holds'}`;
}
