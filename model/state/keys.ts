import type { ObjectKey } from './objects.ts';

/** `Pod/a` in namespace `default` or in none, otherwise `Pod/a.shop`. */
export function formatKey(key: ObjectKey): string {
  const [kind, namespace, name] = splitKey(key);
  return namespace === '' || namespace === 'default'
    ? `${kind}/${name}`
    : `${kind}/${name}.${namespace}`;
}

/** Kind, namespace and name of a key made by `objectKey`; none of the three contains a slash. */
export function splitKey(key: ObjectKey): readonly [string, string, string] {
  const [kind = '', namespace = '', name = ''] = key.split('/');
  return [kind, namespace, name];
}

/** Name in the table of kinds of the kind of the object at this key. */
export function kindOf(key: ObjectKey): string {
  return key.slice(0, key.indexOf('/'));
}
