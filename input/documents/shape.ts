import type * as z from 'zod';
import { InputError } from '../../text/input-error.ts';
import { closest } from '../../text/suggest.ts';
import { fieldName, MANIFESTS, type Path, type SourceDocument } from './document.ts';

/**
 * The part of a document at `path`, parsed by the schema. Throws an `InputError` with file, line
 * and field of the first mismatch. `fields` are the field names to suggest for a misspelt one.
 */
export function shaped<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  document: SourceDocument,
  path: Path,
  fields: readonly string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // A misspelt field is both unknown and missing. The unknown field is the better report.
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  const at = [
    ...path,
    ...issue.path.map((step) => (typeof step === 'number' ? step : String(step))),
  ];
  throw issueError(issue, document, at, valueAt(value, issue.path), fields);
}

function issueError(
  issue: z.core.$ZodIssue,
  document: SourceDocument,
  path: Path,
  value: unknown,
  fields: readonly string[],
): InputError {
  const name = fieldName(path);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    return unknownField(document, [...path, key], fields);
  }
  if (value === undefined) return missingField(document, path);
  return new InputError({
    what: `${name === '' ? 'the document' : name} is ${worded(value)}`,
    where: document.place(path),
    expected: wanted(issue),
  });
}

/** A known field in the wrong place is not a misspelling. */
function nextTo(key: string, near: string | null): string | undefined {
  if (near === null) return undefined;
  return near === key ? `"${key}" is a field, but not here` : `did you mean "${near}"?`;
}

export function unknownField(
  document: SourceDocument,
  path: Path,
  fields: readonly string[],
): InputError {
  const key = String(path.at(-1));
  const near = closest(key, fields);
  return new InputError({
    what: `unknown field "${key}"`,
    where: document.place(path),
    next: nextTo(key, near),
  });
}

export function missingField(document: SourceDocument, path: Path): InputError {
  const isNoManifest =
    fieldName(path) === 'apiVersion' && valueAt(document.value, ['kind']) === undefined;
  return new InputError({
    what: `${fieldName(path)} is missing`,
    where: document.place(path),
    // What kubectl describe prints, or an error of kubectl, reads as YAML as well.
    ...(isNoManifest ? { next: MANIFESTS } : {}),
  });
}

/** What is at a path of any value; undefined if it is not there. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}

/** The text at a path; null if none is there, or it is empty. */
export function textAt(value: unknown, path: readonly PropertyKey[]): string | null {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** The list at a path; empty if none is there. */
export function listAt(value: unknown, path: readonly PropertyKey[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

const LONGEST_SHOWN = 60;

function worded(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  string: 'a string (in quotes if it looks like something else)',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
};

function wanted(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.map(String).join(' or ');
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'a value that is not empty'
        : `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Throws `InputError` for a key named `__proto__`, which the schema would silently drop from a
 * mapping of free names.
 */
export function rejectPrototypeKeys(value: unknown, document: SourceDocument, path: Path): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === '__proto__') throw unknownField(document, at, []);
    rejectPrototypeKeys((value as Record<string, unknown>)[key], document, at);
  }
}

/**
 * Whether every JavaScript object seems to have this name, so that it cannot be a key of a record.
 */
export function isReservedName(name: string): boolean {
  return name in Object.prototype;
}

/** The texts at a path, on which a field may be a list. */
export function textsAt(value: unknown, path: readonly string[]): readonly string[] {
  return valuesAt(value, path).filter(
    (one): one is string => typeof one === 'string' && one !== '',
  );
}

/** The values at a path, on which a field may be a list. */
export function valuesAt(value: unknown, [field, ...path]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((one) => valuesAt(one, field === undefined ? [] : [field, ...path]));
  }
  if (field === undefined) return [value];
  const found = valueAt(value, [field]);
  return found === undefined ? [] : valuesAt(found, path);
}
