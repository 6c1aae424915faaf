import { hint } from '../text/messages.ts';
import { type CommandName, GOALS, type GoalName, VOCABULARY } from './vocabulary.ts';

/** A parsed command. */
export type Command =
  | { readonly do: 'nothing' }
  | { readonly do: 'take'; readonly number: number }
  | { readonly do: 'step'; readonly words: readonly string[] }
  | { readonly do: 'why'; readonly words: readonly string[] }
  | { readonly do: 'back'; readonly steps: number }
  | { readonly do: 'undo'; readonly to: number }
  | { readonly do: 'state' | 'trace'; readonly full: boolean }
  | { readonly do: 'until'; readonly goal: GoalName; readonly words: readonly string[] }
  | { readonly do: 'jump'; readonly words: readonly string[] }
  | { readonly do: 'help'; readonly about: 'all' | 'until' }
  | { readonly do: 'actions' | 'properties' | 'save' | 'quit' }
  | { readonly do: 'wrong'; readonly message: string };

const LONGEST_LINE = 2000;
const GOAL_NAMES: readonly string[] = GOALS.map(({ name }) => name);

/** The words of a line. Quotes keep words together, and `#` begins a comment. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/#.*|"([^"]*)"|'([^']*)'|([^\s"'#][^\s]*)|["']/g)].flatMap(
    ([all, double, single, plain]) => {
      if (all.startsWith('#')) return [];
      return [double ?? single ?? plain ?? all];
    },
  );
}

export function parseCommand(line: string): Command {
  if (line.length > LONGEST_LINE) return wrong(`a line has at most ${LONGEST_LINE} characters`);
  const [first, ...rest] = wordsOf(line);
  if (first === undefined) return { do: 'nothing' };
  if (/^\d+$/.test(first) && rest.length === 0) return { do: 'take', number: Number(first) };
  const name = commandNamed(first);
  return name === null ? unknown(first) : parsed(name, rest);
}

function parsed(name: CommandName, rest: readonly string[]): Command {
  switch (name) {
    case 'step':
      if (rest.length === 0) return usage(name);
      if (/^\d+$/.test(rest[0] ?? '')) return alone(rest, { do: 'take', number: Number(rest[0]) });
      return { do: 'step', words: rest };
    case 'why':
      return { do: 'why', words: rest };
    case 'back':
      return counted(name, rest[0] ?? '1', rest, (steps) => ({ do: 'back', steps }), 1);
    case 'undo':
      return counted(name, rest[0] ?? '', rest, (to) => ({ do: 'undo', to }), 0);
    case 'state':
    case 'trace':
      if (rest.length === 0) return { do: name, full: false };
      return rest[0] === 'full' ? alone(rest, { do: name, full: true }) : usage(name);
    case 'until':
      return untilCommand(rest);
    case 'jump':
      return rest.length === 0 ? usage(name) : { do: 'jump', words: rest };
    case 'help':
      if (rest.length === 0) return { do: 'help', about: 'all' };
      return rest[0] === 'until' ? alone(rest, { do: 'help', about: 'until' }) : usage(name);
    case 'actions':
    case 'properties':
    case 'save':
    case 'quit':
      return rest.length === 0 ? { do: name } : usage(name);
    default:
      throw new Error(`unknown command ${JSON.stringify(name satisfies never)}`);
  }
}

function untilCommand([goal, ...words]: readonly string[]): Command {
  if (goal === undefined) return usage('until');
  const known = GOALS.find(({ name }) => name === goal);
  if (known === undefined) {
    const next = hint(goal, GOAL_NAMES) ?? `available: ${GOAL_NAMES.join(', ')}`;
    return wrong(`until does not know "${goal}"; ${next}`);
  }
  const isBare = known.name === 'quiet' || known.name === 'end';
  if (isBare !== (words.length === 0)) return wrong(`usage: until ${known.usage}`);
  return { do: 'until', goal: known.name, words };
}

function counted(
  name: CommandName,
  text: string,
  rest: readonly string[],
  make: (count: number) => Command,
  least: number,
): Command {
  if (!/^\d{1,6}$/.test(text) || Number(text) < least) return usage(name);
  return rest.length > 1 ? usage(name) : make(Number(text));
}

function alone(rest: readonly string[], command: Command): Command {
  return rest.length === 1 ? command : wrong(`"${rest[1]}" is one word too many`);
}

function commandNamed(word: string): CommandName | null {
  const given = word.toLowerCase();
  const found = VOCABULARY.find(
    ({ name, aliases }) => name === given || (aliases as readonly string[]).includes(given),
  );
  return found?.name ?? null;
}

function unknown(word: string): Command {
  const names = VOCABULARY.map(({ name }) => name);
  return wrong(`there is no command "${word}"; ${hint(word, names) ?? 'help lists them'}`);
}

function usage(name: CommandName): Command {
  return wrong(`usage: ${VOCABULARY.find((word) => word.name === name)?.usage}`);
}

function wrong(message: string): Command {
  return { do: 'wrong', message };
}
