import { escaped } from './escape.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { plural } from './layout.ts';

/** A place in the input, as exactly as it is known. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Path of the field: `items[3].metadata.name`. */
  readonly field?: string;
}

export interface ErrorText {
  readonly what: string;
  readonly where?: Place | undefined;
  /** What is expected instead. */
  readonly expected?: string | undefined;
  /** What to do; each part is a line. */
  readonly next?: string | readonly string[] | undefined;
}

/** Wrong usage or wrong input, or input for which a limit is too small: printed as one error. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly text: ErrorText;
  readonly exitCode: ExitCode;

  constructor(text: ErrorText, exitCode: ExitCode = EXIT.usage) {
    super(text.what);
    this.text = text;
    this.exitCode = exitCode;
  }
}

export function placeText(place: Place): string {
  const line = place.line === undefined ? '' : `:${place.line}:${place.column ?? 1}`;
  const field = place.field ? `, ${place.field}` : '';
  return `${place.file}${line}${field}`;
}

/** Longer than a name or an address can be. */
const LONG_WORD = 500;
/** What is shown of it. */
const SHOWN = 200;

/**
 * A name can be as long as a file: for a regular expression that matches it whole, the stack is too
 * small. Commands in what to do next stay whole.
 */
function cut(line: string): string {
  if (line.length < LONG_WORD) return line;
  const words = line.split(/(\s)/u).map((word) => {
    if (word.length < LONG_WORD) return word;
    const start = [...word.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('');
    return `${start}... (${plural(word.length, 'character')})`;
  });
  return words.join('');
}

/**
 * The lines of an error. Escaped, so that text from input cannot add lines or control the terminal.
 */
export function errorLines({ what, where, expected, next = [] }: ErrorText): readonly string[] {
  return [
    cut(`error: ${what}`),
    ...(where ? [cut(`  at ${placeText(where)}`)] : []),
    ...(expected ? [cut(`  expected: ${expected}`)] : []),
    ...(typeof next === 'string' ? [next] : next).map((line) => `  ${line}`),
  ].map(escaped);
}
