import { equalJson } from '../../model/index.ts';
import { type Body, isBody } from '../cluster/body.ts';
import type { Fault } from '../requests/status.ts';

/** Faults in the words of `field.Error`, and what two values have in common. */

/** Mirrors `field.Required`, for a field that is absent or empty. */
export function required(body: Body, field: string, at: string): readonly Fault[] {
  const value = body[field];
  const isThere = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  return isThere && value !== null ? [] : [missing(`${at}.${field}`)];
}

export function missing(field: string): Fault {
  return { field, reason: 'FieldValueRequired', message: 'Required value' };
}

export function invalid(field: string, value: unknown, why: string): Fault {
  const message = `Invalid value: ${JSON.stringify(value ?? null)}: ${why}`;
  return { field, reason: 'FieldValueInvalid', message };
}

export function duplicate(field: string, value: unknown): Fault {
  const message = `Duplicate value: ${JSON.stringify(value)}`;
  return { field, reason: 'FieldValueDuplicate', message };
}

export function forbidden(field: string, words: string): Fault {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${words}` };
}

/** Mirrors `field.NotSupported`, for a text that is not one of those allowed. */
export function oneOf(
  body: Body,
  field: string,
  at: string,
  allowed: readonly string[],
): readonly Fault[] {
  const value = body[field];
  if (value === undefined || value === null || value === '') return [];
  if (allowed.includes(String(value))) return [];
  const known = allowed.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${known}`;
  return [{ field: `${at}.${field}`, reason: 'FieldValueNotSupported', message }];
}

/** A number that `IsValidPortNum` takes. 0 is as good as none. */
export function portFaults(
  body: Body,
  field: string,
  at: string,
  isRequired: boolean,
): readonly Fault[] {
  const value = body[field];
  const isNone = value === undefined || value === null || value === 0;
  if (isNone) return isRequired ? [missing(`${at}.${field}`)] : [];
  // The name of a port.
  if (typeof value === 'string') return [];
  const isPort = Number(value) >= 1 && Number(value) <= 65_535;
  const words = 'must be between 1 and 65535, inclusive';
  return isPort ? [] : [invalid(`${at}.${field}`, value, words)];
}

/** The mappings in a list. */
export function bodiesIn(body: Body, field: string): readonly Body[] {
  const list = body[field];
  return Array.isArray(list) ? list.filter(isBody) : [];
}

export function without(body: Body, fields: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
}

/** `apiequality.Semantic.DeepEqual`: what is empty is the same as nothing. */
export function same(one: unknown, other: unknown): boolean {
  return equalJson(meant(one) ?? null, meant(other) ?? null);
}

function meant(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(meant);
  // Go does not write an empty text, so a client sends none where another one has sent it.
  if (!isBody(value)) return value === '' ? undefined : (value ?? undefined);
  const parts = Object.entries(value).flatMap(([field, part]) => {
    const rest = meant(part);
    return rest === undefined ? [] : [[field, rest] as const];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}
