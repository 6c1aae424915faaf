import { BadValueError } from '../errors.ts';

/** JSON text with sorted keys at every level. */
export interface CanonicalForm {
  readonly text: string;
  /** Whether the value equals what parsing the text gives: sorted keys, ordinary objects. */
  readonly isCanonical: boolean;
}

/** Set by `write`. A result object for each value would cost too much. */
let sawOther = false;

/**
 * The canonical text of a JSON value: equal values have equal texts.
 * Throws `BadValueError` for anything that is not plain JSON (and for `-0` and `__proto__` keys).
 */
export function canonicalText(value: unknown): string {
  return canonicalForm(value).text;
}

export function canonicalForm(value: unknown): CanonicalForm {
  sawOther = false;
  try {
    const text = write(value, null);
    return { text, isCanonical: !sawOther };
  } catch (error) {
    // Paths take time, so only a second pass over a bad value computes them.
    if (error instanceof BadValueError) write(value, '');
    throw error;
  }
}

/** As `canonicalText`. Texts of deep-frozen objects are kept as long as the objects are. */
export class FrozenTexts {
  private readonly known = new WeakMap<object, string>();

  /** The text of a value of which, if it is frozen, all parts are frozen. */
  of(value: unknown): string {
    return this.by(value, () => canonicalText(value));
  }

  /** The text that `write` makes of such a value, always the same. */
  by(value: unknown, write: () => string): string {
    if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return write();
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const text = write();
    this.known.set(value, text);
    return text;
  }
}

/** The deep-frozen value of a canonical text. */
export function fromCanonicalText(text: string): unknown {
  return deepFreeze(JSON.parse(text));
}

/**
 * Objects made of sorted keys and plain JSON, in all their parts. They are frozen, so they stay so.
 * A getter can still give another value later. That is hidden state, as a variable outside is.
 */
const canonicalObjects = new WeakSet<object>();

/**
 * The value itself if it is what its canonical text gives, else what equals that. Throws as
 * `canonicalText` does. Parts that were asked about before take no time, if they are frozen, and
 * parts that are canonical stay the same objects.
 */
export function canonicalValue(value: unknown): unknown {
  const found = rewritten(value);
  // The text says what is bad, and where.
  return found === BAD ? fromCanonicalText(canonicalText(value)) : found;
}

/** Whether this object was found to be canonical, so that it never changes. */
export function isKnownCanonical(value: object): boolean {
  return canonicalObjects.has(value);
}

/** What is not plain JSON, or contains what is not. */
const BAD = Symbol('bad');

function rewritten(value: unknown): unknown {
  if (isCanonical(value)) return value;
  if (typeof value !== 'object' || value === null) return BAD;
  return Array.isArray(value) ? rewrittenArray(value) : rewrittenObject(value);
}

function rewrittenArray(items: readonly unknown[]): unknown {
  const found: unknown[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = rewritten(items[index]);
    if (item === BAD) return BAD;
    found.push(item);
  }
  return Object.freeze(found);
}

function rewrittenObject(value: object): unknown {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return BAD;
  if (Object.getOwnPropertySymbols(value).length > 0) return BAD;
  const keys = Object.keys(value);
  sortKeys(keys);
  const found: Record<string, unknown> = {};
  for (const key of keys) {
    const part = key === '__proto__' ? BAD : rewritten((value as JsonObject)[key]);
    if (part === BAD) return BAD;
    found[key] = part;
  }
  return Object.freeze(found);
}

/** False for bad values, too. */
function isCanonical(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object': {
      if (value === null || canonicalObjects.has(value)) return true;
      if (!Object.isFrozen(value)) return false;
      const isSo = Array.isArray(value) ? everyItem(value) : everyEntry(value);
      if (isSo) canonicalObjects.add(value);
      return isSo;
    }
    default:
      return false;
  }
}

function everyItem(items: readonly unknown[]): boolean {
  for (let index = 0; index < items.length; index++) if (!isCanonical(items[index])) return false;
  return true;
}

function everyEntry(value: object): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  const keys = Object.keys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (key === '__proto__' || (index > 0 && keys[index - 1]! > key)) return false;
    if (!isCanonical((value as JsonObject)[key])) return false;
  }
  return true;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/**
 * Whether a value has the canonical text of another one, which must be plain JSON. Parts that the
 * two share take no time, unlike with their texts.
 */
export function hasTextOf(value: unknown, other: unknown): boolean {
  if (typeof value !== 'object' || typeof other !== 'object') return Object.is(value, other);
  if (value === other) return true;
  if (value === null || other === null) return false;
  if (Array.isArray(value) || Array.isArray(other)) {
    if (!Array.isArray(value) || !Array.isArray(other)) return false;
    return value.length === other.length && other.every((item, at) => hasTextOf(value[at], item));
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  const keys = Object.keys(other);
  return (
    Object.keys(value).length === keys.length &&
    keys.every(
      (key) =>
        Object.hasOwn(value, key) &&
        hasTextOf((value as JsonObject)[key], (other as JsonObject)[key]),
    )
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Sorts in place; returns whether the keys were sorted already. */
export function sortKeys(keys: string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if (keys[index - 1]! > keys[index]!) {
      keys.sort();
      return false;
    }
  }
  return true;
}

function write(value: unknown, path: string | null): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new BadValueError(String(value), path);
      if (Object.is(value, -0)) throw new BadValueError('-0', path);
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
    case 'undefined':
      throw new BadValueError('undefined', path);
    case 'bigint':
    case 'function':
    case 'symbol':
      throw new BadValueError(`a ${typeof value}`, path);
    default:
      throw new BadValueError('not JSON', path);
  }
}

function writeArray(value: readonly unknown[], path: string | null): string {
  let text = '[';
  for (let index = 0; index < value.length; index++) {
    if (index > 0) text += ',';
    text += write(value[index], path === null ? null : `${path}[${index}]`);
  }
  return `${text}]`;
}

function writeObject(value: object, path: string | null): string {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) sawOther = true;
  else if (prototype !== Object.prototype) {
    throw new BadValueError(`a ${value.constructor?.name ?? 'class instance'}`, path);
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw new BadValueError('an object with symbol keys', path);
  }
  const keys = Object.keys(value);
  if (!sortKeys(keys)) sawOther = true;
  let text = '{';
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (key === '__proto__') throw new BadValueError('an object with the key __proto__', path);
    if (index > 0) text += ',';
    const part = (value as Readonly<Record<string, unknown>>)[key];
    text += `${JSON.stringify(key)}:${write(part, path === null ? null : path === '' ? key : `${path}.${key}`)}`;
  }
  return `${text}}`;
}
