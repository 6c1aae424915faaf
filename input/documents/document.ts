import { InputError, type Place } from '../../text/input-error.ts';

/** A path into a document: keys and indices. */
export type Path = readonly (string | number)[];

/** Looks at the limits: throws if one is hit, or so many bytes (default: few) go beyond it. */
export type LookWithin = (bytes?: number) => void;

/** One document of an input file, or one item of a `List` in it. */
export interface SourceDocument {
  readonly value: unknown;
  readonly file: string;
  /** What the list around an item says of it, where the item itself may say nothing. */
  readonly listed?: ListedAs;
  /** What the list around an item says of itself. */
  readonly page?: Page;
  /** Only for a vertex of the collector's graph, which lacks much of the object. */
  readonly vertex?: VertexState;
  /** The position of the field, or of the nearest enclosing field that exists. */
  place(path: Path): Place;
}

/** `virtual`: the collector knows the object by owner references only, and it may not exist. */
export type VertexState = 'seen' | 'virtual';

/** The type of the items of a typed list, such as `PodList`. */
export interface ListedAs {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A list, or one part of it, as a request with `limit` gets it. */
export interface Page {
  /** All parts of a list have the same one; empty: not said. */
  readonly resourceVersion: string;
  /** Whether the API server has more objects of the list. */
  readonly isContinued: boolean;
}

/** What to do about a table, or other words that kubectl prints. */
export const MANIFESTS =
  'kubectl get ... -o yaml prints manifests; without it, kubectl prints a table';

/** `metadata.ownerReferences[0].uid`; keys that are not plain words are quoted. */
export function fieldName(path: Path): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) name += name === '' ? step : `.${step}`;
    else name += `[${JSON.stringify(step)}]`;
  }
  return name;
}

export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const end = text.indexOf('\n', lineStart);
    if (end < 0 || end >= offset) break;
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** The type of the items of a list; null for a plain `List`, whose items name their own. */
export function itemType(apiVersion: unknown, kind: unknown): ListedAs | null {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return null;
  const item = kind.replace(/List$/, '');
  return item === '' ? null : { apiVersion, kind: item };
}

/** A text or a number, as a text; empty: it is neither. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** `ListMeta` of a list. */
export function pageOf({ metadata }: Readonly<Record<string, unknown>>): Page {
  const { resourceVersion, remainingItemCount, ...rest } = (metadata ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const isCounted = /^[1-9]/.test(scalarText(remainingItemCount));
  const isContinued = scalarText(rest.continue) !== '' || isCounted;
  return { resourceVersion: scalarText(resourceVersion), isContinued };
}

/**
 * A custom resource may be of a kind such as `AllowList` and have items; but it has a name. What
 * `jq` has reduced may have nothing but the items.
 */
export function isList(value: Readonly<Record<string, unknown>>): boolean {
  const { kind, items } = value;
  if (kind === undefined && value.apiVersion === undefined) {
    return Array.isArray(items) && !isNamed(value);
  }
  return (
    typeof kind === 'string' && kind.endsWith('List') && items !== undefined && !isNamed(value)
  );
}

export function isNamed({ metadata }: Readonly<Record<string, unknown>>): boolean {
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  return typeof name === 'string';
}

/**
 * The fields of a document; null for an empty document. Throws `InputError` for any other value.
 */
export function mappingOf(document: SourceDocument): Readonly<Record<string, unknown>> | null {
  const { value } = document;
  if (value === null || value === undefined) return null;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputError({
    what: 'this document is not a mapping of fields to values',
    where: document.place([]),
    expected: 'a Kubernetes manifest, a List of them, or a scenario',
    ...(typeof value === 'string' ? { next: MANIFESTS } : {}),
  });
}
