import { type Body, bodyIn, isBody } from '../cluster/body.ts';

/**
 * What the structural schema of a definition does to an object before it is validated: fields that
 * it does not specify are pruned, and missing ones get their defaults.
 *
 * Sources: `pruning.PruneWithOptions` and `defaulting.Default`,
 * `defaulting.PruneNonNullableNullsWithoutDefaults` of apiextensions-apiserver (1.33).
 */

const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
/** Of a field of a built-in kind: 0 and false are the same as no value, as in Go. */
export const OMITS_ZERO = 'x-reapcheck-omits-zero';
/** The value is an object of its own, with a type and metadata. */
export const EMBEDS = 'x-kubernetes-embedded-resource';

/** Fields of every object, which a schema need not specify. */
const OF_OBJECTS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

export interface Shaped {
  readonly body: Body;
  /** Paths of the fields that were pruned, such as `spec.ports[0].nmae`. */
  readonly unknown: readonly string[];
}

/** @param schema the `openAPIV3Schema` of the version in which the object is written. */
export function shaped(schema: Body, object: Body): Shaped {
  const unknown: string[] = [];
  const kept = pruned({ ...schema, [EMBEDS]: true }, object, '', unknown) as Body;
  return { body: defaulted(schema, kept) as Body, unknown };
}

function pruned(schema: Body, value: unknown, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isBody(items)) return value;
    return value.map((one, index) => pruned(items, one, `${path}[${index}]`, unknown));
  }
  if (!isBody(value)) return value;
  return mapped(value, (field, part) => {
    const at = path === '' ? field : `${path}.${field}`;
    if (schema[EMBEDS] === true && OF_OBJECTS.includes(field)) return part;
    const known = schemaOf(schema, field);
    if (known?.[OMITS_ZERO] === true && (part === 0 || part === false)) return undefined;
    if (known !== null) return pruned(known, part, at, unknown);
    if (schema[PRESERVES] === true || schema.additionalProperties === true) return part;
    unknown.push(at);
    return undefined;
  });
}

function defaulted(schema: Body, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isBody(items) ? value.map((one) => defaulted(items, one)) : value;
  }
  if (!isBody(value)) return value;
  const isNothing = (field: string, part: unknown): boolean => {
    const known = schemaOf(schema, field);
    return part === null && known !== null && known.nullable !== true;
  };
  const missing = Object.entries(bodyIn(schema, 'properties')).flatMap(([field, known]) => {
    if (!isBody(known) || known.default === undefined) return [];
    const has = Object.hasOwn(value, field) && !isNothing(field, value[field]);
    return has ? [] : [[field, known.default] as const];
  });
  return mapped({ ...value, ...Object.fromEntries(missing) }, (field, part) => {
    const known = schemaOf(schema, field);
    if (known === null) return part;
    return isNothing(field, part) ? undefined : defaulted(known, part);
  });
}

/** The schema of a field. Null: there is none. */
export function schemaOf(schema: Body, field: string): Body | null {
  const properties = bodyIn(schema, 'properties');
  const own = Object.hasOwn(properties, field) ? properties[field] : schema.additionalProperties;
  return isBody(own) ? own : null;
}

/** Undefined takes the field off. */
function mapped(body: Body, change: (field: string, part: unknown) => unknown): Body {
  return Object.fromEntries(
    Object.entries(body).flatMap(([field, part]) => {
      const next = change(field, part);
      return next === undefined ? [] : [[field, next] as const];
    }),
  );
}
