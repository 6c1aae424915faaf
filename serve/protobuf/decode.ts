import type { Body } from '../cluster/body.ts';
import { messageOf, messages } from './messages.ts';
import { fieldsOf, type WireField } from './wire.ts';

/**
 * Objects in `application/vnd.kubernetes.protobuf`, which typed clients send for the built-in
 * kinds. The result is what they would send as JSON.
 */

/** The first bytes of every object, before a `runtime.Unknown`. */
const PREFIX = [0x6b, 0x38, 0x73, 0x00];

/** Deeper nesting than any object of the API. */
const DEEPEST = 100;

/** Throws an `Error` if the bytes are no such object, or one of a kind that is not in the table. */
export function decodeObject(bytes: Uint8Array): Body {
  if (PREFIX.some((byte, index) => bytes[index] !== byte)) {
    throw new Error('it does not begin with k8s\\0');
  }
  const unknown = fieldsOf(bytes.subarray(PREFIX.length));
  const type = fieldsOf(bytesOf(unknown, 1));
  const apiVersion = textOf(bytesOf(type, 1));
  const kind = textOf(bytesOf(type, 2));
  const message = messageIn(apiVersion, kind);
  return { apiVersion, kind, ...decoded(message, bytesOf(unknown, 2), 0) };
}

function messageIn(apiVersion: string, kind: string): string {
  const message = kind === 'DeleteOptions' ? 'meta/v1.DeleteOptions' : messageOf(apiVersion, kind);
  if (message !== null) return message;
  throw new Error(`reapcheck serve cannot read ${kind} of ${apiVersion} in this form; send JSON`);
}

function bytesOf(fields: readonly WireField[], number: number): Uint8Array {
  const found = fields.findLast((field) => field.number === number)?.value;
  return found instanceof Uint8Array ? found : new Uint8Array();
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** Go writes every field of a message, the unset ones as well: these are left out, as in JSON. */
function decoded(message: string, bytes: Uint8Array, depth: number): Body {
  if (depth > DEEPEST) throw new Error(`it is nested deeper than ${DEEPEST} levels`);
  const table = messages().get(message);
  if (table === undefined) throw new Error(`there is no message ${message}`);
  const body: Record<string, unknown> = {};
  for (const { number, value } of fieldsOf(bytes)) {
    const field = table.get(number);
    // A field of a newer version.
    if (field === undefined) continue;
    const { name, type, omitsZero } = field;
    if (type.startsWith('[]')) {
      const list = (body[name] ?? []) as unknown[];
      body[name] = [...list, partOf(type.slice(2), value, depth)];
    } else if (type.startsWith('{}')) {
      const [key, part] = entryOf(type.slice(2), value, depth);
      body[name] = { ...(body[name] as Body | undefined), [key]: part };
    } else {
      const part = partOf(type, value, depth);
      if (name === '') Object.assign(body, part);
      else if (!isUnset(type, omitsZero, part)) body[name] = part;
    }
  }
  return body;
}

/** What a field has that nobody has set. A number may be 0 on purpose (`replicas`). */
function isUnset(type: string, omitsZero: boolean, value: unknown): boolean {
  if (value === null) return true;
  if (omitsZero) return value === 0 || value === false;
  if (type === 'text') return value === '';
  return typeof value === 'object' && Object.keys(value).length === 0 && type.endsWith('Meta');
}

function entryOf(
  type: string,
  value: WireField['value'],
  depth: number,
): readonly [string, unknown] {
  const fields = fieldsOf(asBytes(value));
  const key = textOf(bytesOf(fields, 1));
  if (key === '__proto__') throw new Error('a field may not be named __proto__');
  const found = fields.find(({ number }) => number === 2)?.value ?? new Uint8Array();
  return [key, partOf(type, found, depth)];
}

function asBytes(value: WireField['value']): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error('a number is where a message should be');
}

function partOf(type: string, value: WireField['value'], depth: number): unknown {
  switch (type) {
    case 'text':
    case 'quantity':
      return type === 'text'
        ? textOf(asBytes(value))
        : textOf(bytesOf(fieldsOf(asBytes(value)), 1));
    case 'bytes':
      return Buffer.from(asBytes(value)).toString('base64');
    case 'flag':
      return wholeOf(value) !== 0;
    case 'whole':
      return wholeOf(value);
    case 'double':
      return Buffer.from(asBytes(value)).readDoubleLE(0);
    case 'time':
    case 'microTime':
      return timeOf(fieldsOf(asBytes(value)), type);
    case 'duration': {
      const found = fieldsOf(asBytes(value)).find(({ number }) => number === 1)?.value ?? 0n;
      return `${wholeOf(found) / 1e9}s`;
    }
    case 'raw':
      return rawOf(bytesOf(fieldsOf(asBytes(value)), 1));
    case 'intOrString': {
      const fields = fieldsOf(asBytes(value));
      const isText = fields.some(({ number, value: kind }) => number === 1 && kind === 1n);
      if (isText) return textOf(bytesOf(fields, 3));
      return wholeOf(fields.find(({ number }) => number === 2)?.value ?? 0n);
    }
    default: {
      if (!type.startsWith('[]')) return decoded(type, asBytes(value), depth + 1);
      // A list in a mapping is a message of its own, with the one field `items`.
      const items = fieldsOf(asBytes(value)).filter(({ number }) => number === 1);
      return items.map((item) => partOf(type.slice(2), item.value, depth + 1));
    }
  }
}

/** Negative numbers take ten bytes. */
function wholeOf(value: WireField['value']): number {
  if (value instanceof Uint8Array) throw new Error('bytes are where a number should be');
  return Number(BigInt.asIntN(64, value));
}

/** An unset time is the empty message. */
function timeOf(fields: readonly WireField[], type: 'time' | 'microTime'): string | null {
  if (fields.length === 0) return null;
  const part = (number: number): number =>
    wholeOf(fields.find((field) => field.number === number)?.value ?? 0n);
  const date = new Date(part(1) * 1_000);
  if (Number.isNaN(date.getTime())) throw new Error('a time is out of range');
  const text = date.toISOString().slice(0, 19);
  if (type === 'time') return `${text}Z`;
  return `${text}.${String(Math.floor(part(2) / 1_000)).padStart(6, '0')}Z`;
}

function rawOf(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  return JSON.parse(textOf(bytes));
}
