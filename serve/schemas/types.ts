import { type Body, isBody } from '../cluster/body.ts';
import { scalarFault } from './scalars.ts';
import { schemaOf } from './shape.ts';

/**
 * The first value that is not of the type that the schema of a built-in kind has for it, in the
 * words of Go's decoder. Null: all are.
 */
export function typeFault(schema: Body, value: unknown, path = ''): string | null {
  // Go takes it for no value.
  if (value === null || value === undefined) return null;
  const type = typeof schema.type === 'string' ? schema.type : '';
  if (!isOfType(schema, type, value)) {
    const found = Array.isArray(value)
      ? 'array'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;
    const wanted = type === '' ? 'number or string' : type;
    return `json: cannot unmarshal ${found} into field ${path} of type ${wanted}`;
  }
  const scalar = scalarFault(schema, value);
  if (scalar !== null) return scalar;
  if (Array.isArray(value)) {
    const { items } = schema;
    return isBody(items)
      ? firstFault(value.map((part, index) => [items, part, `${path}[${index}]`]))
      : null;
  }
  if (!isBody(value)) return null;
  return firstFault(
    Object.entries(value).flatMap(([field, part]): readonly Part[] => {
      const known = schemaOf(schema, field);
      return known === null ? [] : [[known, part, path === '' ? field : `${path}.${field}`]];
    }),
  );
}

type Part = readonly [schema: Body, value: unknown, path: string];

function firstFault(parts: readonly Part[]): string | null {
  for (const [schema, value, path] of parts) {
    const fault = typeFault(schema, value, path);
    if (fault !== null) return fault;
  }
  return null;
}

function isOfType(schema: Body, type: string, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isBody(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return (
        schema['x-kubernetes-preserve-unknown-fields'] === true ||
        ['number', 'string'].includes(typeof value)
      );
  }
}
