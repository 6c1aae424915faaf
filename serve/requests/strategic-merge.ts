import { equalJson, inPatchOrder } from '../../model/index.ts';
import { type Body, isBody, textIn } from '../cluster/body.ts';
import { isReplaced, isSet, mergeKeyOf } from './merge-keys.ts';
import { badRequest } from './status.ts';

const DIRECTIVE = '$patch';
const RETAIN = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE_VALUES = '$deleteFromPrimitiveList/';

/**
 * A strategic merge patch (`strategicpatch.StrategicMergePatch`): mappings merge, `null` removes,
 * lists with a merge key merge element by element. Throws `StatusError`.
 */
export function strategicMerge(object: Body, patch: Body): Body {
  if (patch[DIRECTIVE] === 'replace') return without(patch, [DIRECTIVE]);
  if (patch[DIRECTIVE] === 'delete') return {};
  const merged: Record<string, unknown> = retained(object, patch);
  for (const [field, value] of Object.entries(patch)) {
    if (field === DIRECTIVE || field === RETAIN || field.startsWith(ORDER)) continue;
    if (field.startsWith(DELETE_VALUES)) {
      const list = field.slice(DELETE_VALUES.length);
      const before = merged[list];
      if (Array.isArray(before) && Array.isArray(value)) {
        merged[list] = before.filter((one) => !value.some((gone) => equalJson(one, gone)));
      }
      continue;
    }
    const before = Object.hasOwn(merged, field) ? merged[field] : undefined;
    if (value === null) delete merged[field];
    else if (isBody(value)) merged[field] = strategicMerge(isBody(before) ? before : {}, value);
    else if (Array.isArray(value) && !isReplaced(textIn(object, 'kind'), field)) {
      merged[field] = mergedList(field, Array.isArray(before) ? before : [], value);
    } else merged[field] = value;
  }
  for (const [field, order] of Object.entries(patch)) {
    if (!field.startsWith(ORDER) || !Array.isArray(order)) continue;
    const list = field.slice(ORDER.length);
    const before: unknown = object[list];
    if (!Array.isArray(merged[list])) continue;
    merged[list] = inOrder(list, merged[list], order, Array.isArray(before) ? before : []);
  }
  return merged;
}

function retained(object: Body, patch: Body): Record<string, unknown> {
  const keys = patch[RETAIN];
  if (keys === undefined) return { ...object };
  if (!Array.isArray(keys)) throw badRequest(`${RETAIN} must be a list of fields`);
  return Object.fromEntries(Object.entries(object).filter(([field]) => keys.includes(field)));
}

function mergedList(
  field: string,
  before: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  if (isSet(field)) {
    const both = [...before, ...patch.filter((one) => !before.includes(one))];
    return inOrder(field, both, patch, before);
  }
  const key = mergeKeyOf(field, [...before, ...patch]);
  if (patch.some((one) => isBody(one) && one[DIRECTIVE] === 'replace')) {
    return patch.filter((one) => !isBody(one) || one[DIRECTIVE] !== 'replace');
  }
  if (key === null) return patch;
  let merged = [...before];
  for (const element of patch) {
    if (!isBody(element) || element[key] === undefined) {
      throw badRequest(`an element of ${field} has no ${key}, by which the list is merged`);
    }
    const isThis = (one: unknown): boolean => isBody(one) && one[key] === element[key];
    const at = merged.findIndex(isThis);
    if (element[DIRECTIVE] === 'delete') merged = merged.filter((one) => !isThis(one));
    else if (at < 0) merged.push(without(element, [DIRECTIVE]));
    else merged[at] = strategicMerge(merged[at] as Body, element);
  }
  return inOrder(field, merged, patch, before);
}

/** @param order elements, or what names them. */
function inOrder(
  field: string,
  list: readonly unknown[],
  order: readonly unknown[],
  server: readonly unknown[],
): readonly unknown[] {
  const key = isSet(field) ? null : mergeKeyOf(field, list);
  const nameOf = (one: unknown): string =>
    JSON.stringify(key !== null && isBody(one) ? one[key] : one);
  return inPatchOrder(list, order.map(nameOf), server, nameOf);
}

function without(body: Body, fields: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
}
