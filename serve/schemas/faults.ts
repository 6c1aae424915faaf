import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { equalJson } from '../../model/index.ts';
import { type Body, isBody } from '../cluster/body.ts';
import { checkable, FORMATS } from './checkable.ts';
import { boundedPattern, renewTime } from './patterns.ts';
import { schemaOf } from './shape.ts';

/** What is wrong with a field, as `field.Error` of apimachinery. */
export interface Fault {
  /** Such as `spec.ports[0].name`. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
  /** Whether an update may leave it as it was (`CRDValidationRatcheting`, 1.30). */
  readonly ratchets: boolean;
  /** The keys that lead to the value. */
  readonly path: readonly string[];
}

const regExp = Object.assign(boundedPattern, { code: 'boundedPattern' });
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  logger: false,
  verbose: true,
  code: { regExp },
});
ajvFormats.default(ajv, { mode: 'full', formats: [...FORMATS] });

/** By schema: what a definition says is read once. */
const known = new WeakMap<Body, ValidateFunction>();

function validatorOf(schema: Body): ValidateFunction {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const json = checkable(schema);
  const made = ajv.compile(json);
  // Otherwise it keeps every schema for ever.
  ajv.removeSchema(json);
  known.set(schema, made);
  return made;
}

/** Why objects cannot be validated by this schema. Empty: they can. */
export function compileFault(schema: Body): readonly string[] {
  try {
    validatorOf(schema);
    return [];
  } catch (error) {
    return [`openAPIV3Schema: ${(error as Error).message}`];
  }
}

/**
 * What is wrong with an object. Mirrors `validation.ValidateCustomResource` and
 * `listtype.ValidateListSetsAndMaps` of apiextensions-apiserver (1.33), without the rules in CEL.
 */
export function faultsIn(schema: Body, object: Body): readonly Fault[] {
  const validate = validatorOf(schema);
  renewTime();
  const errors = validate(object) ? [] : (validate.errors ?? []);
  const outer = errors.filter(({ schemaPath }) => !/\/(anyOf|oneOf|not)\//.test(schemaPath));
  return [
    ...(outer.length === 0 ? errors : outer).map((error) => faultOf(error, object)),
    ...duplicates(schema, object, []),
  ];
}

/** The value that a fault is about. Undefined if there is none. */
export function valueIn(object: Body, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Body)[key];
  }
  return value;
}

function fieldOf(path: readonly string[], object: Body): string {
  let text = '';
  for (const [index, key] of path.entries()) {
    const isElement = Array.isArray(valueIn(object, path.slice(0, index)));
    text += isElement ? `[${key}]` : `${text === '' ? '' : '.'}${key}`;
  }
  return text;
}

/** The words of kube-openapi for each keyword. */
function faultOf(error: ErrorObject, object: Body): Fault {
  const above = error.instancePath.split('/').slice(1).map(unescaped);
  const isRequired = error.keyword === 'required';
  const path = isRequired ? [...above, String(error.params.missingProperty)] : above;
  const field = fieldOf(path, object);
  const about = { field, path, ratchets: !NOT_RATCHETED.includes(error.keyword) };
  const { params, data } = error;
  const value = isBody(data) || Array.isArray(data) ? JSON.stringify(data) : quoted(data);
  const invalid = (text: string): Fault => ({
    ...about,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${value}: ${field} in body ${text}`,
  });
  switch (error.keyword) {
    case 'required':
      return { ...about, reason: 'FieldValueRequired', message: 'Required value' };
    case 'enum': {
      const allowed = (params.allowedValues as readonly unknown[]).filter((one) => one !== null);
      const message = `Unsupported value: ${value}: supported values: ${allowed.map(quoted).join(', ')}`;
      return { ...about, reason: 'FieldValueNotSupported', message };
    }
    case 'type': {
      const wanted = [params.type].flat().filter((type) => type !== 'null');
      const is = quoted(typeName(data));
      const message = `Invalid value: ${is}: ${field} in body must be of type ${wanted.join(',')}: ${is}`;
      return { ...about, reason: 'FieldValueTypeInvalid', message };
    }
    case 'minimum':
      return invalid(`should be greater than or equal to ${params.limit}`);
    case 'maximum':
      return invalid(`should be less than or equal to ${params.limit}`);
    case 'exclusiveMinimum':
      return invalid(`should be greater than ${params.limit}`);
    case 'exclusiveMaximum':
      return invalid(`should be less than ${params.limit}`);
    case 'multipleOf':
      return invalid(`should be a multiple of ${params.multipleOf}`);
    case 'minLength':
      return invalid(`should be at least ${params.limit} chars long`);
    case 'pattern':
      return invalid(`should match '${params.pattern}'`);
    case 'format':
      return invalid(`must be of type ${params.format}: ${value}`);
    case 'minItems':
      return invalid(`should have at least ${params.limit} items`);
    case 'uniqueItems':
      return invalid("shouldn't contain duplicates");
    case 'minProperties':
      return invalid(`should have at least ${params.limit} properties`);
    case 'maxLength': {
      const message = `Too long: may not be more than ${params.limit} bytes`;
      return { ...about, reason: 'FieldValueTooLong', message };
    }
    case 'maxItems':
    case 'maxProperties': {
      const count = Object.keys(data as Body).length;
      const message = `Too many: ${count}: must have at most ${params.limit} items`;
      return { ...about, reason: 'FieldValueTooMany', message };
    }
    case 'anyOf':
      return invalid('must validate at least one schema (anyOf)');
    case 'oneOf':
      return invalid('must validate one and only one schema (oneOf)');
    case 'not':
      return invalid('must not validate the schema (not)');
    default:
      return invalid(error.message ?? 'is invalid');
  }
}

const NOT_RATCHETED: readonly string[] = ['required', 'allOf', 'anyOf', 'oneOf', 'not'];

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

function quoted(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** As kube-openapi names the types of values. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Elements that `x-kubernetes-list-type` does not allow twice. */
function duplicates(schema: Body, value: unknown, path: readonly string[]): readonly Fault[] {
  if (isBody(value)) {
    return Object.entries(value).flatMap(([field, part]) => {
      const of = schemaOf(schema, field);
      return of === null ? [] : duplicates(of, part, [...path, field]);
    });
  }
  const { items } = schema;
  if (!Array.isArray(value) || !isBody(items)) return [];
  const keys = keysOf(schema, value);
  return value.flatMap((element, index): readonly Fault[] => {
    const at = [...path, String(index)];
    const inside = duplicates(items, element, at);
    const first = keys?.findIndex((key) => equalJson(key, keys[index])) ?? index;
    if (first === index) return inside;
    const field = `${path.join('.')}[${index}]`;
    const message = `Duplicate value: ${quoted(keys?.[index])}`;
    return [
      { field, path: at, reason: 'FieldValueDuplicate', message, ratchets: false },
      ...inside,
    ];
  });
}

/** By what the elements of a list are told apart. Null: they may be the same. */
function keysOf(schema: Body, value: readonly unknown[]): readonly unknown[] | null {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return value;
    case 'map': {
      const names = schema['x-kubernetes-list-map-keys'];
      if (!Array.isArray(names)) return null;
      return value.map((element) =>
        isBody(element)
          ? Object.fromEntries(names.map((name) => [name, element[String(name)] ?? null]))
          : element,
      );
    }
    default:
      return null;
  }
}
