import { isDeepStrictEqual } from 'node:util';
import type { ApiObject, OwnerReference } from '../../../model/index.ts';
import { seenReferences } from '../logs/seen-object.ts';

/** JSON patches (RFC 6902), as `jsonPatcher.applyJSPatch` applies them (1.20). */

/** The lists in an object's metadata that a change can set. */
export interface Lists {
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly OwnerReference[];
}

export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function texts(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;
}

const FAILED = Symbol('a JSON patch that does not apply');

type Field = 'finalizers' | 'ownerReferences';

/**
 * The two lists after the operations; null if the patch does not apply.
 *
 * @param version the stored resourceVersion, which an operation can test; null: not known.
 */
export function jsonPatched(
  operations: readonly unknown[],
  stored: ApiObject,
  version: string | null,
): Lists | null {
  // An empty list is left out of the JSON of an object, so no path leads into it.
  const present = (list: readonly unknown[]) => (list.length === 0 ? undefined : [...list]);
  const lists: Record<Field, unknown> = {
    finalizers: present(stored.finalizers),
    ownerReferences: present(stored.ownerReferences.map((reference) => ({ ...reference }))),
  };
  for (const operation of operations) {
    if (!isJson(operation) || typeof operation.path !== 'string') return null;
    const path = operation.path.split('/').slice(1).map(unescapePointer);
    const [top, field, ...below] = path;
    if (top !== 'metadata') continue;
    if (field === 'finalizers' || field === 'ownerReferences') {
      const result = operated(lists[field], below, operation);
      if (result === FAILED) return null;
      lists[field] = result;
    } else if (operation.op === 'test' && below.length === 0) {
      const known = { uid: stored.uid, name: stored.name, resourceVersion: version }[field ?? ''];
      if (typeof known === 'string' && known !== operation.value) return null;
    }
  }
  const finalizers = texts(lists.finalizers ?? []);
  const ownerReferences = seenReferences(lists.ownerReferences ?? []);
  return finalizers === null || ownerReferences === null ? null : { finalizers, ownerReferences };
}

/**
 * Whether the API server may refuse the patch (422) because it does not apply: it does not as far
 * as the model knows the object, or it depends on parts that the model does not keep.
 */
export function mayNotApply(
  operations: readonly unknown[],
  stored: ApiObject,
  version: string | null,
): boolean {
  if (jsonPatched(operations, stored, version) === null) return true;
  return operations.some((operation) => {
    if (!isJson(operation) || typeof operation.path !== 'string') return true;
    const [top, field] = operation.path.split('/').slice(1);
    if (top !== 'metadata') return true;
    // Later releases refuse to replace what is not there.
    if (operation.op === 'replace') return true;
    if (field === 'resourceVersion') return version === null;
    return !['finalizers', 'ownerReferences', 'uid', 'name'].includes(field ?? '');
  });
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function operated(target: unknown, path: readonly string[], operation: Json): unknown {
  const [step, ...below] = path;
  if (step === undefined) return replaced(target, operation);
  if (Array.isArray(target)) {
    const index = step === '-' ? target.length : Number(step);
    if (!Number.isInteger(index) || index < 0 || index > target.length) return FAILED;
    if (below.length > 0) {
      const inner = operated(target[index], below, operation);
      return inner === FAILED ? FAILED : target.with(index, inner);
    }
    if (operation.op === 'add') return target.toSpliced(index, 0, operation.value);
    if (index === target.length) return FAILED;
    if (operation.op === 'remove') return target.toSpliced(index, 1);
    const changed = replaced(target[index], operation);
    return changed === FAILED ? FAILED : target.with(index, changed);
  }
  if (!isJson(target) || below.length > 0) return FAILED;
  const changed = replaced(target[step], operation);
  if (changed === FAILED) return FAILED;
  const { [step]: _, ...rest } = target;
  return changed === undefined ? rest : { ...rest, [step]: changed };
}

/** An operation on a whole value; undefined: there is none, or none any more. */
function replaced(target: unknown, operation: Json): unknown {
  switch (operation.op) {
    case 'add':
    case 'replace':
      return operation.value;
    case 'remove':
      return target === undefined ? FAILED : undefined;
    case 'test':
      return isDeepStrictEqual(target ?? null, operation.value ?? null) ? target : FAILED;
    default:
      return FAILED;
  }
}
