import { type ApiObject, isCustomResource, type Kind, type KindTable } from '../../model/index.ts';
import { shellQuoted } from '../../text/layout.ts';

/**
 * The words that mean an object in a command of kubectl: `RESOURCE[.GROUP] NAME [-n NAMESPACE]`.
 */
export function objectWords({ kind, name, namespace }: ApiObject, kinds: KindTable): string {
  const known = kinds[kind];
  const [version = 'v1'] = known?.apiVersions ?? [];
  const group = version.includes('/') ? `.${version.split('/')[0]}` : '';
  const resource = `${known?.resource ?? kind.split('.')[0]?.toLowerCase()}${group}`;
  const scope = namespace === '' ? [] : ['-n', namespace];
  return [resource, name, ...scope].map(shellQuoted).join(' ');
}

/** A command that asks admission about a DELETE, and deletes nothing. */
export function dryRunOf(object: ApiObject, kinds: KindTable): string {
  return `kubectl delete ${objectWords(object, kinds)} --dry-run=server`;
}

/**
 * What requests most likely call the objects of a kind whose definition nobody has: its plural.
 * Where endings say too little, it is the kind in lower case, which kubectl takes as the singular.
 */
export function likelyResource(kind: string): string {
  const word = kind.toLowerCase();
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(ss|ch|sh)$/.test(word)) return `${word}es`;
  return /[sx]$/.test(word) ? word : `${word}s`;
}

/**
 * All that requests may call the objects of a kind, the likeliest first: `podchaos` or
 * `podchaoses`. More than one only if a definition need not have said it.
 */
export function possibleResources(kind: Kind): readonly string[] {
  const { resource } = kind;
  const word = kind.kind.toLowerCase();
  if (resource !== likelyResource(word) || !isCustomResource(kind)) return [resource];
  const irregular = IRREGULAR.map(([ending, plural]) => word.replace(ending, plural));
  return [...new Set([resource, word, `${word}s`, `${word}es`, ...irregular])];
}

/**
 * Plurals of English. `UnsafeGuessKindToResource`, which some tools take for the plural, ends every
 * `y` in `ies`.
 */
const IRREGULAR: readonly (readonly [RegExp, string])[] = [
  [/[ei]?x$/, 'ices'],
  [/is$/, 'es'],
  [/us$/, 'i'],
  [/um$/, 'a'],
  [/fe?$/, 'ves'],
  [/z$/, 'zzes'],
  [/y$/, 'ies'],
  [/(criteri|phenomen)on$/, '$1a'],
  [/schema$/, 'schemata'],
  [/person$/, 'people'],
  [/child$/, 'children'],
  [/man$/, 'men'],
  [/foot$/, 'feet'],
];

/** Words with other plurals than their endings have, or with none. */
const ODD =
  /(criterion|phenomenon|schema|person|child|man|foot|echo|hero|data|ware|equipment|information|fish)$/;

/** Whether endings leave no doubt of the plural, so that it is as good as that of a definition. */
export function isPluralSure(kind: Kind): boolean {
  const word = kind.kind.toLowerCase();
  const isOdd = /([^s]s|x|z|um|fe?)$/.test(word) || ODD.test(word);
  return possibleResources(kind).length === 1 || !isOdd;
}
