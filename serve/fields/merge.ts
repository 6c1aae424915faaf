import { type Body, isBody } from '../cluster/body.ts';
import {
  elementOf,
  isAtomic,
  itemSchema,
  type Path,
  partSchema,
  textOf,
  wordsOf,
} from './leaves.ts';

/** What an apply patch makes of an object, by the schema of its kind. */

/** Elements of lists that have the keys of another one, as `typed.Parseable` reports them. */
export function duplicatesIn(
  schema: Body | null,
  value: unknown,
  path: Path = [],
): readonly string[] {
  if (isAtomic(schema, value)) return [];
  if (isBody(value)) {
    return Object.entries(value).flatMap(([field, part]) =>
      duplicatesIn(partSchema(schema, field), part, [...path, `f:${field}`]),
    );
  }
  if (!Array.isArray(value)) return [];
  const seen = new Set<string>();
  return value.flatMap((item) => {
    const element = elementOf(schema, item);
    const isTwice = seen.has(element);
    seen.add(element);
    return [
      ...(isTwice ? [`${wordsOf(path)}: duplicate entries for key ${wordsOf([element])}`] : []),
      ...duplicatesIn(itemSchema(schema), item, [...path, element]),
    ];
  });
}

/** The object with everything that the configuration says. */
export function merged(schema: Body | null, live: unknown, config: unknown): unknown {
  if (isBody(live) && isBody(config) && !isAtomic(schema, config)) {
    const fields = Object.entries(config).map(([field, value]) => {
      const before = Object.hasOwn(live, field) ? live[field] : undefined;
      return [field, merged(partSchema(schema, field), before, value)] as const;
    });
    return { ...live, ...Object.fromEntries(fields) };
  }
  const isList = Array.isArray(live) && Array.isArray(config);
  if (!isList || isAtomic(schema, config) || isAtomic(schema, live)) return config;
  const list: unknown[] = [...live];
  const places = new Map<string, number>();
  // Of elements with equal keys, which only other writes than apply can make, the first counts.
  for (const [index, item] of live.entries()) {
    const name = elementOf(schema, item);
    if (!places.has(name)) places.set(name, index);
  }
  for (const item of config) {
    const at = places.get(elementOf(schema, item));
    if (at === undefined) list.push(item);
    else list[at] = merged(itemSchema(schema), list[at], item);
  }
  return list;
}

/**
 * The object without these fields. An element of a list goes with its fields, unless one of these
 * stays. What is empty afterwards goes as well.
 *
 * @param dropped texts of paths.
 * @param stays whether a field at or below a path has an owner.
 */
export function without(
  schema: Body | null,
  object: Body,
  dropped: ReadonlySet<string>,
  stays: (path: Path) => boolean,
): Body {
  const left = (at: Body | null, value: unknown, path: Path): unknown => {
    if (path.length > 0 && dropped.has(textOf(path)) && !stays(path)) return undefined;
    if (isAtomic(at, value)) return value;
    if (Array.isArray(value)) {
      const items = value.flatMap((item) => {
        const rest = left(itemSchema(at), item, [...path, elementOf(at, item)]);
        return rest === undefined ? [] : [rest];
      });
      return items.length === 0 && value.length > 0 ? undefined : items;
    }
    if (!isBody(value)) return value;
    const fields = Object.entries(value).flatMap(([field, part]) => {
      const rest = left(partSchema(at, field), part, [...path, `f:${field}`]);
      return rest === undefined ? [] : [[field, rest] as const];
    });
    const isEmptied = fields.length === 0 && Object.keys(value).length > 0;
    return isEmptied && path.length > 0 ? undefined : Object.fromEntries(fields);
  };
  return left(schema, object, []) as Body;
}
