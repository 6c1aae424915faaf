import type { Body } from '../cluster/body.ts';
import { IS_QUANTITY, isQuantity } from './quantities.ts';

/** Of a field of a built-in kind: its value is a `MicroTime`. */
export const IS_MICRO_TIME = 'x-reapcheck-micro-time';

const QUANTITY_WORDS =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/**
 * What Go's decoder says of a text that is no quantity, time or base64, where a built-in kind has
 * one. Null: it is what it should be.
 */
export function scalarFault(schema: Body, value: unknown): string | null {
  if (schema[IS_QUANTITY] === true) return isQuantity(value) ? null : QUANTITY_WORDS;
  if (typeof value !== 'string') return null;
  switch (schema.format) {
    case 'date-time':
      return timeFault(value, schema[IS_MICRO_TIME] === true);
    case 'byte':
      return base64Fault(value);
    default:
      return null;
  }
}

/** The parts of a layout of Go, each with the texts that it takes, and the largest number. */
const DATE: readonly (readonly [layout: string, pattern: RegExp, most?: number])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, 12],
  ['-', /^-/],
  ['02', /^\d\d/, 31],
  ['T', /^T/],
  ['15', /^\d\d?/, 23],
  [':', /^:/],
  ['04', /^\d\d/, 59],
  [':', /^:/],
  ['05', /^\d\d/, 59],
];

/**
 * Go takes fractions of seconds where the layout has none, and exactly as many where it has some.
 */
const SECONDS = ['', /^([.,]\d+)?/] as const;
const MICROSECONDS = ['.000000', /^[.,]\d{6}/] as const;
const ZONE = ['Z07:00', /^(Z|[+-]\d\d:\d\d)/] as const;

const UNITS: Readonly<Record<string, string>> = {
  '01': 'month',
  '02': 'day',
  15: 'hour',
  '04': 'minute',
  '05': 'second',
};

/** Mirrors `time.Parse` with `RFC3339` and `RFC3339Micro`. */
function timeFault(value: string, isMicro: boolean): string | null {
  const parts = [...DATE, isMicro ? MICROSECONDS : SECONDS, ZONE];
  const layout = parts.map(([part]) => part).join('');
  const refused = `parsing time ${JSON.stringify(value)}`;
  let rest = value;
  let outside: string | null = null;
  for (const [part, pattern, most] of parts) {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) {
      const words = `cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`;
      return `${refused} as ${JSON.stringify(layout)}: ${words}`;
    }
    const unit = UNITS[part];
    const isOutside =
      most !== undefined &&
      (Number(found) > most || (Number(found) === 0 && most < 59 && most !== 23));
    if (isOutside) outside ??= `${refused}: ${unit} out of range`;
    rest = rest.slice(found.length);
  }
  if (outside !== null) return outside;
  if (rest !== '') return `${refused}: extra text: ${JSON.stringify(rest)}`;
  const day = Number(value.slice(8, 10));
  const days = new Date(Date.UTC(Number(value.slice(0, 4)), Number(value.slice(5, 7)), 0));
  return day > days.getUTCDate() ? `${refused}: day out of range` : null;
}

/** Mirrors `base64.StdEncoding`, which leaves out ends of lines and demands the padding. */
function base64Fault(value: string): string | null {
  // Nearly all are right, and may be large.
  if (value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)) return null;
  const corrupt = (at: number): string => `illegal base64 data at input byte ${at}`;
  let [inGroup, padding] = [0, 0];
  for (const [at, letter] of [...value].entries()) {
    if (letter === '\n' || letter === '\r') continue;
    const isPadding = letter === '=';
    const isRight = isPadding
      ? inGroup + padding >= 2 && inGroup + padding < 4
      : padding === 0 && /[A-Za-z0-9+/]/.test(letter);
    if (!isRight) return corrupt(at);
    if (isPadding) padding++;
    else inGroup = (inGroup + 1) % 4;
  }
  const isWhole = padding === 0 ? inGroup === 0 : inGroup + padding === 4;
  return isWhole ? null : corrupt(value.length - inGroup - padding);
}
