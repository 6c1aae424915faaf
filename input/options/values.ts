import { MESSAGES } from '../../text/messages.ts';

/** Values of options by name, from the command line or a suite of the gate. */
export type Values = Readonly<Record<string, unknown>>;

/** Default of `--max-input`, in megabytes (10^6 bytes). */
export const MAX_INPUT_DEFAULT = 64;
/** A JavaScript string holds about half a gigabyte. */
export const MAX_INPUT_HIGHEST = 500;

/** Readers of option values. Each throws `InputError` for an invalid value. */

export function formatOf(values: Values): 'text' | 'json' {
  return text(values, 'format') === 'json' ? 'json' : 'text';
}

export function maxMegabytesOf(values: Values): number {
  const given = positive(values, 'max-input') ?? MAX_INPUT_DEFAULT;
  if (given <= MAX_INPUT_HIGHEST) return given;
  throw MESSAGES.wrongValue('max-input', `at most ${MAX_INPUT_HIGHEST}`, String(given));
}

export function texts(values: Values, option: string): readonly string[] {
  const value = values[option];
  return Array.isArray(value) ? value.map(String) : [];
}

export function text(values: Values, option: string): string | null {
  const value = values[option];
  if (Array.isArray(value)) throw MESSAGES.usage(`--${option} is given twice`);
  return value === undefined ? null : String(value);
}

export function whole(values: Values, option: string, least: number): number | null {
  const given = text(values, option);
  if (given === null) return null;
  const value = /^\d{1,15}$/.test(given) ? Number(given) : -1;
  if (value >= least) return value;
  throw MESSAGES.wrongValue(option, `a whole number from ${least}`, given);
}

/** Seconds, or a duration as kubectl takes it: `90`, `30s`, `1m30s`. */
export function seconds(values: Values, option: string): number | null {
  const given = text(values, option);
  if (given === null || !/^(\d{1,9}(\.\d+)?(h|m|s|ms))+$/.test(given)) {
    return positive(values, option);
  }
  const parts = [...given.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  const total = parts
    .map(([, count, unit]) => Number(count) * (SECONDS[unit ?? ''] ?? Number.NaN))
    .reduce((sum, one) => sum + one, 0);
  if (total > 0) return total;
  throw MESSAGES.wrongValue(option, 'a number above 0', given);
}

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/**
 * The file of `--output`. With kubectl, the option names a format.
 *
 * @param instead an option of the command for a format, and `, or `; empty: it has none.
 */
export function outputFile(values: Values, instead = '--format json, or '): string | null {
  const given = text(values, 'output');
  const isFormat =
    given !== null &&
    /^(name|wide|yaml|json|((jsonpath|go-template|custom-columns)(-as-json|-file)?(=.*)?))$/.test(
      given,
    );
  if (!isFormat) return given;
  throw MESSAGES.usage(
    `-o and --output take the file to write to, and "${given}" is a format of kubectl`,
    `${instead}-o ./${given} for a file of that name`,
  );
}

/** Less than a command takes before it begins to work would leave nothing to search with. */
export const MEMORY_LEAST = 80;

export function megabytes(values: Values, option: string): number | null {
  const given = positive(values, option);
  if (given === null || given >= MEMORY_LEAST) return given;
  const expected = `at least ${MEMORY_LEAST} megabytes: Node.js and reapcheck themselves take so much`;
  throw MESSAGES.wrongValue(option, expected, String(given));
}

export function positive(values: Values, option: string): number | null {
  const given = text(values, option);
  if (given === null) return null;
  const value = /^\d{1,15}(\.\d+)?$/.test(given) ? Number(given) : 0;
  if (value > 0) return value;
  throw MESSAGES.wrongValue(option, 'a number above 0', given);
}
