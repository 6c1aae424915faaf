import { type CelInput, type CelMap, type CelValue, celMap } from '@bufbuild/cel';
import { type Mapping, Unknown, type Value } from './value.ts';

/** The fields of a mapping as a map of the library, which makes values when they are asked for. */

/** How values are made. */
export interface Making {
  readonly celOf: (value: Value) => CelValue;
  /** An error of the library. */
  readonly unknown: (what: string) => unknown;
}

interface Fields {
  readonly mapping: Mapping;
  readonly making: Making;
}

export function fieldsOf(mapping: Mapping, making: Making): CelMap {
  return Object.assign(Object.create(PROTOTYPE), { mapping, making } satisfies Fields);
}

/** Whether a map is of a mapping, and no value of an expression. */
export function isStored(map: CelMap): boolean {
  return 'mapping' in map;
}

/** Whether a map may have more fields than it shows. */
export function isPartial(map: CelMap): boolean {
  return isStored(map) && !(map as unknown as Fields).mapping.isWhole;
}

function at({ mapping, making }: Fields, key: unknown): CelValue | undefined {
  const found = typeof key === 'string' ? mapping.at(key) : undefined;
  return found === undefined ? undefined : making.celOf(found);
}

function isThere({ mapping, making }: Fields, key: unknown): CelValue {
  const found = typeof key === 'string' ? mapping.at(key) : undefined;
  // What may be another value at that time may be absent as well.
  return found instanceof Unknown ? making.celOf(found) : found !== undefined;
}

const LACKING = 'fields that the dump may lack';

function keysOf({ mapping, making }: Fields): readonly CelValue[] {
  return mapping.isWhole ? mapping.names : [...mapping.names, making.unknown(LACKING) as CelValue];
}

/** Throws if there may be others, which is an error for the library. */
function allNames({ mapping, making }: Fields): readonly string[] {
  if (mapping.isWhole) return mapping.names;
  making.unknown(LACKING);
  throw new Error('unknown');
}

function entriesOf(fields: Fields): readonly [string, CelValue][] {
  return allNames(fields).map((name) => [name, at(fields, name) as CelValue]);
}

/** All maps have the same properties: one by one, they would take most of the time. */
const PROTOTYPE: CelMap = Object.defineProperties(celMap(new Map<string, CelInput>()), {
  size: {
    get(this: Fields) {
      return allNames(this).length;
    },
  },
  ...method('get', at),
  ...method('has', isThere),
  ...method('keys', (fields) => keysOf(fields).values()),
  ...method('values', (fields) =>
    entriesOf(fields)
      .map(([, value]) => value)
      .values(),
  ),
  ...method('entries', (fields) => entriesOf(fields).values()),
  ...method(Symbol.iterator, (fields) => entriesOf(fields).values()),
  forEach: { value: undefined },
});

function method(
  name: string | symbol,
  call: (fields: Fields, key: unknown) => unknown,
): PropertyDescriptorMap {
  return {
    [name]: {
      value(this: Fields, key: unknown) {
        return call(this, key);
      },
    },
  };
}
