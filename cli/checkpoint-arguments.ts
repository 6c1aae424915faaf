import { positive, text, type Values } from '../input/options/values.ts';
import { MESSAGES } from '../text/messages.ts';
import { RESUME_OPTIONS } from './option-tables.ts';

/** Where and how often a search is saved. */
export interface CheckpointArguments {
  readonly folder: string;
  /** As it was given; null: the default. */
  readonly every: string | null;
}

/** What decides whether a check can be saved. */
interface Saveable {
  readonly engine: 'tracked' | 'naive';
  readonly distinct: number;
  readonly inputs: readonly string[];
}

/** Words of the command line that only say where to save, and so are no part of what is asked. */
const CHECKPOINT_WORDS = ['checkpoint', 'checkpoint-every', 'disk'];

/** Null: the search is not saved. Throws `InputError` for what cannot be saved. */
export function checkpointArguments(
  values: Values,
  given: Saveable,
  isQuestion: boolean,
  areModules: boolean,
): CheckpointArguments | null {
  const folder = text(values, 'checkpoint');
  const every = text(values, 'checkpoint-every');
  if (folder === null) {
    if (every !== null)
      throw MESSAGES.usage('--checkpoint-every has no effect without --checkpoint');
    return null;
  }
  intervalOf(every);
  const refuse = (why: string, next: string): never => {
    throw MESSAGES.usage(`--checkpoint does not go with ${why}`, next);
  };
  if (given.engine === 'naive') {
    refuse('--engine naive', 'the tracked engine gives the same answers');
  }
  if (given.distinct > 1) refuse('--distinct', 'ask for one counterexample per property');
  if (areModules) {
    refuse('modules: what a module imports may change unseen', 'check it without --checkpoint');
  }
  if (given.inputs.includes('-')) refuse('stdin, which is gone later', 'write it into a file');
  if (isQuestion) {
    refuse('--delete alone, which needs several searches', 'add --property for a single one');
  }
  return { folder, every };
}

/** `60` are seconds, `10000states` are expanded states. Throws `InputError`. */
export function intervalOf(
  every: string | null,
): { readonly everySeconds: number } | { readonly everyStates: number } | Record<string, never> {
  if (every === null) return {};
  const [, states] = /^([1-9]\d{0,11})states$/.exec(every) ?? [];
  if (states !== undefined) return { everyStates: Number(states) };
  if (!/^\d+(\.\d+)?$/.test(every)) {
    throw MESSAGES.wrongValue('checkpoint-every', 'seconds, or a number like 10000states', every);
  }
  return { everySeconds: positive({ 'checkpoint-every': every }, 'checkpoint-every') ?? 0 };
}

export function withoutCheckpoint(words: readonly string[]): readonly string[] {
  return withoutOptions(words, CHECKPOINT_WORDS);
}

/** The options of the saved command, with those that `resume` has instead. */
export function resumedWords(saved: readonly string[], values: Values): readonly string[] {
  const names = Object.keys(RESUME_OPTIONS).filter(
    (name) => values[name] !== undefined && !CHECKPOINT_WORDS.includes(name),
  );
  const shows = ['format', 'output', 'report'];
  const dropped = names.some((name) => shows.includes(name)) ? [...names, ...shows] : names;
  const added = names.flatMap((name) => {
    const value = values[name];
    return value === true ? [`--${name}`] : [value].flat().map((one) => `--${name}=${one}`);
  });
  const kept = withoutOptions(saved, dropped);
  // What follows two dashes are inputs.
  const dashes = kept.indexOf('--');
  const at = dashes === -1 ? kept.length : dashes;
  return [...kept.slice(0, at), ...added, ...kept.slice(at)];
}

const SHORT: Readonly<Record<string, string>> = { output: '-o', quiet: '-q' };
const FLAGS = ['traces', 'full', 'quiet'];

export function withoutOptions(
  words: readonly string[],
  names: readonly string[],
): readonly string[] {
  const kept: string[] = [];
  const dashes = words.indexOf('--');
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const isOption = dashes === -1 || index < dashes;
    const name = isOption ? names.find((one) => isWordOf(word, one)) : undefined;
    if (name === undefined) kept.push(word);
    else if (!word.includes('=') && !FLAGS.includes(name)) index++;
  }
  return kept;
}

function isWordOf(word: string, name: string): boolean {
  return word === `--${name}` || word === SHORT[name] || word.startsWith(`--${name}=`);
}
