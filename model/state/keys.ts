import type { ObjectKey } from './objects.ts';

/** `Pod/a` in namespace `default` or without a namespace, otherwise `Pod/a.shop`. */
export function formatKey(key: ObjectKey): string {
  const [kind, namespace, name] = splitKey(key);
  return namespace === '' || namespace === 'default'
    ? `${kind}/${name}`
    : `${kind}/${name}.${namespace}`;
}

/** Kind, namespace and name of a key from `objectKey`. None of the three contains a slash. */
export function splitKey(key: ObjectKey): readonly [string, string, string] {
  const [kind = '', namespace = '', name = ''] = key.split('/');
  return [kind, namespace, name];
}

/** The kind of the object at this key, by its name in the table of kinds. */
export function kindOf(key: ObjectKey): string {
  return key.slice(0, key.indexOf('/'));
}
