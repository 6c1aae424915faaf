import { equalJson } from '../../model/index.ts';
import { type Body, isBody } from '../cluster/body.ts';
import { schemaOf } from '../schemas/shape.ts';

/**
 * The fields of an object that have owners of their own, in the terms of structured-merge-diff
 * (4.4): scalars, lists and mappings that are atomic, and the elements of lists that are not.
 */

/** Elements as in `FieldsV1`: `f:name`, `k:{"name":"a"}`, `v:"a"`. */
export type Path = readonly string[];

/** By the text of the path. */
export type Leaves = ReadonlyMap<string, Leaf>;

export interface Leaf {
  readonly path: Path;
  /** Of an element of a list by keys: undefined, since its fields are leaves of their own. */
  readonly value?: unknown;
}

export function textOf(path: Path): string {
  return JSON.stringify(path);
}

/** How the values of a schema merge. Null: nothing is known of it, as in a schema without types. */
export function isAtomic(schema: Body | null, value: unknown): boolean {
  if (Array.isArray(value)) {
    const type = schema?.['x-kubernetes-list-type'];
    return type !== 'set' && (type !== 'map' || !value.every(isBody));
  }
  return schema?.['x-kubernetes-map-type'] === 'atomic';
}

export function partSchema(schema: Body | null, field: string): Body | null {
  return schema === null ? null : schemaOf(schema, field);
}

export function itemSchema(schema: Body | null): Body | null {
  return isBody(schema?.items) ? schema.items : null;
}

/** What tells an element of a list from the others, as an element of a path. */
export function elementOf(schema: Body | null, item: unknown): string {
  if (schema?.['x-kubernetes-list-type'] === 'set') return `v:${JSON.stringify(item)}`;
  const keys = schema?.['x-kubernetes-list-map-keys'];
  const names = (Array.isArray(keys) ? keys.map(String) : []).sort();
  const found = names.flatMap((name) => {
    const own = isBody(item) && Object.hasOwn(item, name) ? item[name] : undefined;
    const value = own ?? partSchema(itemSchema(schema), name)?.default;
    return value === undefined ? [] : [[name, value] as const];
  });
  return `k:${JSON.stringify(Object.fromEntries(found))}`;
}

/** @param isOwned whether a field at this path has an owner. */
export function leavesOf(
  schema: Body | null,
  object: Body,
  isOwned: (path: Path) => boolean,
): Leaves {
  const leaves = new Map<string, Leaf>();
  const add = (path: Path, leaf: Omit<Leaf, 'path'>): void => {
    if (isOwned(path)) leaves.set(textOf(path), { path, ...leaf });
  };
  const visit = (at: Body | null, value: unknown, path: Path): void => {
    const isContainer = (isBody(value) || Array.isArray(value)) && !isAtomic(at, value);
    if (!isContainer) {
      add(path, { value });
    } else if (Array.isArray(value)) {
      for (const item of value) {
        const inside = [...path, elementOf(at, item)];
        if (isBody(item)) visit(itemSchema(at), item, inside);
        add(inside, {});
      }
    } else {
      const fields = Object.entries(value);
      if (fields.length === 0 && path.length > 0) add(path, { value });
      for (const [field, part] of fields)
        visit(partSchema(at, field), part, [...path, `f:${field}`]);
    }
  };
  visit(schema, object, []);
  return leaves;
}

/** The paths at which two objects differ. */
export interface Comparison {
  /** Those that are new or have another value. */
  readonly changed: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export function compared(before: Leaves, after: Leaves): Comparison {
  const changed = [...after].filter(([key, { value }]) => {
    const old = before.get(key);
    return old === undefined || !equalJson(old.value ?? null, value ?? null);
  });
  const removed = [...before.keys()].filter((key) => !after.has(key));
  return { changed: new Set(changed.map(([key]) => key)), removed: new Set(removed) };
}

/** As Kubernetes prints a path: `.spec.containers[name="a"].image`. */
export function wordsOf(path: Path): string {
  return path
    .map((element) => {
      const rest = element.slice(2);
      if (element.startsWith('f:')) return `.${rest}`;
      if (element.startsWith('v:')) return `[=${rest}]`;
      const keys = Object.entries(JSON.parse(rest) as Body);
      return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
    })
    .join('');
}
