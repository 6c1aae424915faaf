import { type Body, isBody } from '../cluster/body.ts';
import { patternOf } from './checkable.ts';

/** What is wrong with the schemas of a definition, and what of them is not checked later. */

/**
 * A part of a schema, with its place: `spec.versions[0].schema.openAPIV3Schema.properties[size]`.
 */
interface Part {
  readonly at: string;
  readonly schema: Body;
  /** Inside of `allOf` and the like, which only narrow what the schema around them says. */
  readonly isNarrowing: boolean;
}

/**
 * Mirrors the main rules of `schema.ValidateStructural` of apiextensions-apiserver (1.33): every
 * value has one type.
 *
 * @param version name of the version that the schema is for.
 * @returns one sentence for each fault.
 */
export function schemaFaults(version: string, schema: Body): readonly string[] {
  const root = rootOf(version);
  return [
    ...(schema.type === 'object' ? [] : [`${root}.type: must be object at the root`]),
    ...partsOf(schema, root).flatMap(({ at, schema: part, isNarrowing }) => {
      const faults: string[] = [];
      const isFree =
        part['x-kubernetes-int-or-string'] === true ||
        part['x-kubernetes-preserve-unknown-fields'] === true;
      if (part.$ref !== undefined) faults.push(`${at}.$ref: Forbidden: $ref is not supported`);
      if (!isNarrowing && !part.type && !isFree && at !== root) {
        faults.push(`${at}.type: Required value: must not be empty for specified object fields`);
      }
      if (part.type !== undefined && !TYPES.includes(part.type)) {
        faults.push(`${at}.type: Unsupported value: ${JSON.stringify(part.type)}`);
      }
      if (isBody(part.properties) && isUsed(part.additionalProperties)) {
        faults.push(
          `${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
        );
      }
      for (const [keyword, isRight] of SHAPES) {
        const value = part[keyword];
        if (isUsed(value) && !isRight(value)) faults.push(`${at}.${keyword}: Invalid value`);
      }
      return faults;
    }),
  ];
}

/** What the server stores of a definition and does not check, one sentence each. */
export function notChecked(version: string, schema: Body): readonly string[] {
  const parts = partsOf(schema, rootOf(version));
  const rules = parts.filter(({ schema: part }) => isUsed(part['x-kubernetes-validations']));
  const patterns = parts.filter(
    ({ schema: { pattern } }) => typeof pattern === 'string' && patternOf(pattern) === null,
  );
  return [
    ...rules.map(
      ({ at }) => `${at}.x-kubernetes-validations: reapcheck serve evaluates no rules in CEL`,
    ),
    ...patterns.map(({ at }) => `${at}.pattern: reapcheck serve cannot read this pattern`),
  ];
}

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Keywords, and what their values must be. */
const SHAPES: readonly (readonly [keyword: string, isRight: (value: unknown) => boolean])[] = [
  ...['maxItems', 'maxLength', 'maxProperties', 'minItems', 'minLength', 'minProperties'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ['required', isTexts],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['properties', (value) => isBody(value) && Object.values(value).every(isBody)],
  ['items', isBody],
  ['uniqueItems', (value) => value === false],
  ['pattern', (value) => typeof value === 'string'],
];

function isUsed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function rootOf(version: string): string {
  return `spec.versions[${version}].schema.openAPIV3Schema`;
}

function partsOf(schema: Body, at: string, isNarrowing = false): readonly Part[] {
  const below = (keyword: string, narrows = isNarrowing): readonly Part[] => {
    const part = schema[keyword];
    return isBody(part) ? partsOf(part, `${at}.${keyword}`, narrows) : [];
  };
  const listed = (keyword: string): readonly Part[] => {
    const parts = schema[keyword];
    if (!Array.isArray(parts)) return [];
    return parts
      .filter(isBody)
      .flatMap((part, index) => partsOf(part, `${at}.${keyword}[${index}]`, true));
  };
  const { properties } = schema;
  return [
    { at, schema, isNarrowing },
    ...(isBody(properties)
      ? Object.entries(properties).flatMap(([field, part]) =>
          isBody(part) ? partsOf(part, `${at}.properties[${field}]`, isNarrowing) : [],
        )
      : []),
    ...below('additionalProperties'),
    ...below('items'),
    ...below('not', true),
    ...listed('allOf'),
    ...listed('anyOf'),
    ...listed('oneOf'),
  ];
}
