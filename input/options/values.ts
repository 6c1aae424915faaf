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

export function positive(values: Values, option: string): number | null {
  const given = text(values, option);
  if (given === null) return null;
  const value = /^\d{1,15}(\.\d+)?$/.test(given) ? Number(given) : 0;
  if (value > 0) return value;
  throw MESSAGES.wrongValue(option, 'a number above 0', given);
}
