import { equalJson } from '../../model/index.ts';
import { type Body, isBody } from '../cluster/body.ts';
import { isSet, mergeKeyOf } from './merge-keys.ts';

/** Server-side apply, as far as it is about fields that are applied: what managers own and drop. */

/** The object with everything that the configuration says. */
export function applied(object: Body, config: Body): Body {
  const merged: Record<string, unknown> = { ...object };
  for (const [field, value] of Object.entries(config)) {
    const before = Object.hasOwn(merged, field) ? merged[field] : undefined;
    if (isBody(value)) merged[field] = applied(isBody(before) ? before : {}, value);
    else if (Array.isArray(value)) {
      merged[field] = appliedList(field, Array.isArray(before) ? before : [], value);
    } else merged[field] = value;
  }
  return merged;
}

function appliedList(
  field: string,
  before: readonly unknown[],
  config: readonly unknown[],
): readonly unknown[] {
  if (isSet(field)) return [...before, ...config.filter((one) => !before.includes(one))];
  const key = mergeKeyOf(field, [...before, ...config]);
  if (key === null) return config;
  const merged = [...before];
  for (const element of config) {
    const at = merged.findIndex((one) => isSame(one, element, key));
    if (at < 0 || !isBody(element)) merged.push(element);
    else merged[at] = applied(merged[at] as Body, element);
  }
  return merged;
}

function isSame(one: unknown, other: unknown, key: string): boolean {
  return isBody(one) && isBody(other) && one[key] === other[key];
}

/** The object without what the manager has applied before and does not apply now. */
export function withoutDropped(
  object: Body,
  last: Body,
  config: Body,
  others: readonly Body[],
): Body {
  const kept: Record<string, unknown> = { ...object };
  for (const [field, before] of Object.entries(last)) {
    if (!Object.hasOwn(kept, field)) continue;
    const of = others.flatMap((other) => (Object.hasOwn(other, field) ? [other[field]] : []));
    const now = Object.hasOwn(config, field) ? config[field] : undefined;
    const value = kept[field];
    if (isBody(before) && isBody(value)) {
      const rest = withoutDropped(value, before, isBody(now) ? now : {}, of.filter(isBody));
      if (now === undefined && of.length === 0 && Object.keys(rest).length === 0)
        delete kept[field];
      else kept[field] = rest;
    } else if (Array.isArray(before) && Array.isArray(value)) {
      const lists = [now, ...of].filter((list) => Array.isArray(list));
      kept[field] = remaining(field, value, before, lists);
    } else if (now === undefined && of.length === 0) delete kept[field];
  }
  return kept;
}

function remaining(
  field: string,
  value: readonly unknown[],
  before: readonly unknown[],
  lists: readonly (readonly unknown[])[],
): readonly unknown[] {
  const key = mergeKeyOf(field, value);
  const has = (list: readonly unknown[], one: unknown): boolean =>
    list.some((other) => (key === null ? equalJson(one, other) : isSame(one, other, key)));
  if (key === null && !isSet(field)) return lists.length === 0 ? [] : value;
  return value.filter((one) => !has(before, one) || lists.some((list) => has(list, one)));
}

/** Fields of the configuration that another manager has applied, with another value. */
export function conflictsWith(
  object: Body,
  config: Body,
  other: Body,
  path = '',
): readonly string[] {
  return Object.entries(config).flatMap(([field, value]) => {
    if (!Object.hasOwn(other, field)) return [];
    const theirs = other[field];
    const stored = Object.hasOwn(object, field) ? object[field] : undefined;
    const at = `${path}.${field}`;
    if (isBody(value) && isBody(theirs)) {
      return conflictsWith(isBody(stored) ? stored : {}, value, theirs, at);
    }
    const merges = isSet(field) || (Array.isArray(value) && mergeKeyOf(field, value) !== null);
    return merges || equalJson(value, stored) ? [] : [at];
  });
}
