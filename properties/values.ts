import {
  type ApiObject,
  isBeingDeleted,
  type OwnerReference,
  plainFinalizer,
} from '../model/index.ts';

/** `uid=u, deletionTimestamp set, finalizers=[a]`: what decides whether an owner counts as live. */
export function deletionText(
  object: Pick<ApiObject, 'uid' | 'deletionTimestamp' | 'finalizers'>,
): string {
  const timestamp = isBeingDeleted(object) ? 'set' : 'unset';
  return `uid=${object.uid}, deletionTimestamp ${timestamp}, ${listed('finalizers', object.finalizers.map(plainFinalizer))}`;
}

/** `ownerReferences=[ConfigMap/a uid=u blocking]`. */
export function ownersText(references: readonly OwnerReference[]): string {
  const words = references.map(
    ({ kind, name, uid, blockOwnerDeletion }) =>
      `${kind}/${name} uid=${uid}${blockOwnerDeletion === true ? ' blocking' : ''}`,
  );
  return listed('ownerReferences', words);
}

function listed(name: string, values: readonly string[]): string {
  return `${name}=[${values.join(', ')}]`;
}

/** `1 -> 2`: the old or wanted value of a field, and its value now. An absent field is `unset`. */
export function change(then: object, now: object, field: string): string {
  const read = (object: object): string =>
    text((object as Readonly<Record<string, unknown>>)[field]);
  return `${read(then)} -> ${read(now)}`;
}

/**
 * Only reads the value. `JSON.stringify` would also look for methods, which a recorded state
 * refuses.
 */
function text(value: unknown): string {
  if (value === undefined || value === null) return 'unset';
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const fields = Object.entries(value).map(([name, part]) => `${name}=${text(part)}`);
  return `{${fields.join(', ')}}`;
}
