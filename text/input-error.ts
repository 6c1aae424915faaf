import { escaped } from './escape.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

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

/** The lines of an error. Escaped, so that text from input cannot add lines or control the terminal. */
export function errorLines({ what, where, expected, next = [] }: ErrorText): readonly string[] {
  return [
    `error: ${what}`,
    ...(where ? [`  at ${placeText(where)}`] : []),
    ...(expected ? [`  expected: ${expected}`] : []),
    ...(typeof next === 'string' ? [next] : next).map((line) => `  ${line}`),
  ].map(escaped);
}
