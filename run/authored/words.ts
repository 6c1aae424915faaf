import { type Describer, plainWords } from '../../checker/index.ts';
import { AUTHORED_ERRORS } from './errors.ts';

/** What each function of the words returns. */
const WORDS = {
  action: 'text',
  actor: 'text',
  beliefs: 'lines',
  changes: 'lines',
  state: 'lines',
  details: 'lines',
} as const;

const EXPECTED = { text: 'a text', lines: 'a list of texts' } as const;

/**
 * How the model's states and steps print: in the author's words, else in those that the model
 * brings, else plainly.
 */
export function wordsOf(
  file: string,
  words: unknown,
  picture: unknown,
  brought: Describer<unknown> | undefined,
): Describer<unknown> {
  const given = words === undefined ? {} : words;
  if (typeof given !== 'object' || given === null) {
    throw AUTHORED_ERRORS.strange(file, 'words', `an object with ${Object.keys(WORDS).join(', ')}`);
  }
  const own = Object.entries(given).map(([name, told]) => {
    const kind = Object.hasOwn(WORDS, name) ? WORDS[name as keyof typeof WORDS] : undefined;
    const known = Object.keys(WORDS);
    if (kind === undefined) {
      throw AUTHORED_ERRORS.unknownWord(file, name, known);
    }
    return [name, safely(file, `words.${name}`, told, kind)];
  });
  return {
    ...plainWords,
    ...brought,
    ...(Object.fromEntries(own) as Partial<Describer<unknown>>),
    ...(picture === undefined
      ? {}
      : { picture: safely(file, 'picture', picture, 'text') as (state: unknown) => string }),
  };
}

/** The author's function. Whatever it does wrong is an error of the module. */
function safely(
  file: string,
  name: string,
  told: unknown,
  kind: keyof typeof EXPECTED,
): (...given: readonly unknown[]) => unknown {
  if (typeof told !== 'function') {
    throw AUTHORED_ERRORS.strange(file, name, `a function that returns ${EXPECTED[kind]}`);
  }
  return (...given) => {
    let said: unknown;
    try {
      said = told(...given);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw AUTHORED_ERRORS.threw(file, name, message);
    }
    if (!isOf(kind, said)) throw AUTHORED_ERRORS.returned(file, name, EXPECTED[kind]);
    return said;
  };
}

function isOf(kind: keyof typeof EXPECTED, said: unknown): boolean {
  if (kind === 'text') return typeof said === 'string';
  return Array.isArray(said) && said.every((line) => typeof line === 'string');
}
