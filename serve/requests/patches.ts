import { applyPatch, type Operation, Pointer } from 'rfc6902';
import { type Body, isBody } from '../cluster/body.ts';
import { badRequest, invalidRequest } from './status.ts';
import { strategicMerge } from './strategic-merge.ts';

/** The types of patches, by their media types. */
export const PATCH_TYPES = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
} as const;

export type PatchType = (typeof PATCH_TYPES)[keyof typeof PATCH_TYPES];

/** The limit of kube-apiserver (`maxJSONPatchOperations`). */
const MOST_OPERATIONS = 10_000;

/**
 * The limit of kube-apiserver for the characters that the copies of a JSON patch add
 * (`AccumulatedCopySizeLimit`). Each copy can double the object.
 */
const MOST_COPIED = 3 * 1024 * 1024;

/** The object after a patch that is not an apply patch. Throws `StatusError`. */
export function patched(object: Body, type: Exclude<PatchType, 'apply'>, patch: unknown): Body {
  switch (type) {
    case 'json':
      return jsonPatched(object, patch);
    case 'merge':
      return asObject(mergePatched(object, asPatch(patch)));
    case 'strategic':
      return strategicMerge(object, asPatch(patch));
    default:
      throw new Error(`unknown patch type ${type satisfies never}`);
  }
}

function asPatch(patch: unknown): Body {
  if (!isBody(patch)) throw badRequest('the patch must be a JSON object');
  return patch;
}

function asObject(value: unknown): Body {
  if (!isBody(value)) throw invalidRequest('the patch makes something that is not an object');
  return value;
}

/** RFC 6902. */
function jsonPatched(object: Body, patch: unknown): Body {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch must be a list of operations');
  if (patch.length > MOST_OPERATIONS) {
    throw badRequest(`a JSON patch may have at most ${MOST_OPERATIONS} operations`);
  }
  for (const operation of patch) {
    const isRight = isBody(operation) && typeof operation.path === 'string';
    if (!isRight) throw badRequest('each operation of a JSON patch needs an op and a path');
    const paths = [operation.path, operation.from].filter((path) => typeof path === 'string');
    if (paths.some((path) => /(^|\/)(__proto__|constructor|prototype)(\/|$)/.test(path))) {
      throw badRequest('a path of a JSON patch may not name __proto__, constructor or prototype');
    }
  }
  const copy = structuredClone(object);
  const failure = failureOf(copy, patch as Operation[]);
  if (failure !== null) {
    throw invalidRequest(
      `the server rejected our request due to an error in our request: ${failure.message}`,
    );
  }
  return asObject(copy);
}

/** Null: the patch applies. It changes the object. */
function failureOf(object: Body, patch: readonly Operation[]): Error | null {
  let copied = 0;
  try {
    for (const operation of patch) {
      if (operation.op === 'copy') {
        copied += JSON.stringify(Pointer.fromJSON(operation.from).get(object) ?? null).length;
        if (copied > MOST_COPIED) {
          return new Error(
            `Unable to complete the copy, the accumulated size increase of copy is ${copied}, exceeding the limit ${MOST_COPIED}`,
          );
        }
      }
      const [failure] = applyPatch(object, [operation]);
      if (failure) return failure;
    }
    return null;
  } catch (error) {
    // A path that is no pointer.
    return error as Error;
  }
}

/** RFC 7386. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isBody(patch)) return patch;
  const merged: Record<string, unknown> = isBody(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else
      merged[field] = mergePatched(Object.hasOwn(merged, field) ? merged[field] : undefined, value);
  }
  return merged;
}
