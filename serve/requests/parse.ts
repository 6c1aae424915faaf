import { parse } from 'yaml';
import { decodeObject } from '../protobuf/decode.ts';
import { badRequest, unsupportedType } from './status.ts';

/** Deeper nesting than any object of the API. */
const DEEPEST = 200;

const JSON_TYPES: readonly string[] = [
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

const PROTOCOL_BUFFERS = 'application/vnd.kubernetes.protobuf';

const YAML_TYPES: readonly string[] = ['application/yaml', 'application/apply-patch+yaml'];

/**
 * The value in the body of a request. Undefined: there is none. Throws `StatusError` for a body
 * that cannot be read, is too deep, or has the key `__proto__`.
 *
 * @param type media type, without its parameters. Empty counts as JSON, as in kube-apiserver.
 */
export function parseBody(bytes: Uint8Array, type: string): unknown {
  if (bytes.length === 0) return undefined;
  const value = parsed(bytes, type);
  checkShape(value);
  return value;
}

function parsed(bytes: Uint8Array, type: string): unknown {
  if (type === PROTOCOL_BUFFERS) return parseProtocolBuffers(bytes);
  const text = new TextDecoder().decode(bytes);
  if (type === '' || JSON_TYPES.includes(type)) return parseJson(text);
  if (YAML_TYPES.includes(type)) return parseYaml(text);
  throw unsupportedType(type, 'JSON, YAML, and protocol buffers of the built-in kinds');
}

function parseProtocolBuffers(bytes: Uint8Array): unknown {
  try {
    return decodeObject(bytes);
  } catch (error) {
    throw badRequest(`the protocol buffers in the body: ${(error as Error).message}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`the body of the request is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Most clients send JSON as YAML, which is read much faster. The search for equal keys takes the
 * square of their number, so that one body could keep the server busy for minutes: the last of
 * equal keys counts.
 */
function parseYaml(text: string): unknown {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text);
  } catch {
    // A flow mapping of YAML, perhaps.
  }
  try {
    return parse(text, { maxAliasCount: 100, schema: 'core', uniqueKeys: false });
  } catch (error) {
    throw badRequest(`the body of the request is not YAML: ${(error as Error).message}`);
  }
}

/** Without recursion, which a deep value would exhaust. */
function checkShape(root: unknown): void {
  const waiting: [value: unknown, depth: number][] = [[root, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEEPEST) throw badRequest(`the body is nested deeper than ${DEEPEST} levels`);
    if (Object.hasOwn(value, '__proto__')) throw badRequest('a field may not be named __proto__');
    for (const part of Object.values(value)) waiting.push([part, depth + 1]);
  }
}
