import { type Body, isBody } from '../cluster/body.ts';

/**
 * The `openAPIV3Schema` of a definition as JSON schema. Only keywords whose meaning is known are
 * kept: a schema comes from a client.
 */

/**
 * The formats that are checked. Others are stored as they are, as are unknown ones in Kubernetes.
 */
export const FORMATS = [
  'byte',
  'date',
  'date-time',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
] as const;

/** Keywords that mean the same in both. */
const SAME: readonly string[] = [
  'enum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
  'required',
  'uniqueItems',
];

const LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

export function checkable(schema: Body): Body {
  const made: Record<string, unknown> = { ...typeOf(schema), ...limitsOf(schema) };
  for (const keyword of SAME) if (isUsable(schema[keyword])) made[keyword] = schema[keyword];
  if (schema.nullable === true && Array.isArray(schema.enum)) made.enum = [...schema.enum, null];
  for (const keyword of LISTS) {
    const parts = schema[keyword];
    // The alternatives of a number or a text stand in `type` already.
    if (Array.isArray(parts) && !(keyword === 'anyOf' && isNumberOrText(schema))) {
      made[keyword] = parts.filter(isBody).map(checkable);
    }
  }
  for (const keyword of ['not', 'items', 'additionalProperties']) {
    const part = schema[keyword];
    if (isBody(part)) made[keyword] = checkable(part);
  }
  if (isBody(schema.properties)) {
    made.properties = Object.fromEntries(
      Object.entries(schema.properties).flatMap(([field, part]) =>
        isBody(part) ? [[field, checkable(part)]] : [],
      ),
    );
  }
  const { pattern, format } = schema;
  if (typeof pattern === 'string' && patternOf(pattern) !== null) made.pattern = pattern;
  if (FORMATS.some((one) => one === format)) made.format = format;
  return made;
}

function isUsable(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isNumberOrText(schema: Body): boolean {
  return schema['x-kubernetes-int-or-string'] === true;
}

function typeOf(schema: Body): Body {
  const types = isNumberOrText(schema) ? ['integer', 'string'] : [schema.type].filter(isUsable);
  if (types.length === 0) return {};
  return { type: schema.nullable === true ? [...types, 'null'] : types };
}

/** In OpenAPI 3.0, `exclusiveMinimum` says how to read `minimum`. */
function limitsOf(schema: Body): Body {
  const { minimum, maximum } = schema;
  return {
    ...(typeof minimum === 'number'
      ? { [schema.exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }
      : {}),
    ...(typeof maximum === 'number'
      ? { [schema.exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }
      : {}),
  };
}

/** Patterns are written for RE2. Null: JavaScript has no such pattern, so it is not checked. */
export function patternOf(pattern: string): RegExp | null {
  const isLoose = pattern.startsWith('(?i)');
  const source = (isLoose ? pattern.slice('(?i)'.length) : pattern).replaceAll('(?P<', '(?<');
  // Only the stricter mode knows classes of characters by name, and only the other one `\\_`.
  for (const flags of /\\[pP]/.test(source) ? ['u'] : ['u', '']) {
    try {
      return new RegExp(source, isLoose ? `i${flags}` : flags);
    } catch {}
  }
  return null;
}
