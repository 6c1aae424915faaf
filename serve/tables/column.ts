import { type Body, bodyIn, isBody, textIn, valueAt } from '../cluster/body.ts';
import { humanDuration } from './duration.ts';

/** A column of the table of a kind that is built in. */
export interface BuiltInColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  /** Shown only by `kubectl get -o wide`. */
  readonly wide: boolean;
  /** `name`: the cell names the object. */
  readonly format: 'name' | '';
  /** @param now milliseconds since 1970. */
  readonly cell: (object: Body, now: number) => unknown;
}

export type Cell = BuiltInColumn['cell'];

export const NONE = '<none>';
export const UNKNOWN = '<unknown>';

export function column(name: string, cell: Cell): BuiltInColumn {
  return { name, type: 'string', wide: false, format: '', cell };
}

export function whole(name: string, path: string): BuiltInColumn {
  return { ...column(name, (object) => numberAt(object, path)), type: 'integer' };
}

export function wide(name: string, cell: Cell): BuiltInColumn {
  return { ...column(name, cell), wide: true };
}

export const NAME: BuiltInColumn = {
  ...column('Name', (object) => textAt(object, 'metadata.name')),
  format: 'name',
};

export const AGE: BuiltInColumn = column('Age', (object, now) =>
  since(textAt(object, 'metadata.creationTimestamp'), now),
);

export const CREATED_AT: BuiltInColumn = column('Created At', (object) =>
  textAt(object, 'metadata.creationTimestamp'),
);

/** How long ago a time was. @param time as in JSON; empty: there is none. */
export function since(time: string, now: number): string {
  return time === '' ? UNKNOWN : humanDuration(now - Date.parse(time));
}

/** The text at a path of plain fields. @param otherwise if there is none. */
export function textAt(object: Body, path: string, otherwise = ''): string {
  const value = valueAt(object, path);
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

export function numberAt(object: Body, path: string): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

/** The mappings in the list at a path. */
export function listAt(object: Body, path: string): readonly Body[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? value.filter(isBody) : [];
}

export function textsAt(object: Body, path: string): readonly string[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

/** How many entries the mapping or the list at a path has. */
export function sizeAt(object: Body, path: string): number {
  const value = valueAt(object, path);
  if (Array.isArray(value)) return value.length;
  return isBody(value) ? Object.keys(value).length : 0;
}

export function joined(texts: readonly string[], otherwise: string): string {
  return texts.length === 0 ? otherwise : texts.join(',');
}

/** A selector as `kubectl` takes it: `a=b,c in (d,e)`. @param path of the selector. */
export function selectorText(object: Body, path: string): string {
  const selector = valueAt(object, path);
  if (!isBody(selector)) return NONE;
  const isPlain = selector.matchLabels === undefined && selector.matchExpressions === undefined;
  const labels = isPlain ? selector : bodyIn(selector, 'matchLabels');
  const equal = Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`);
  const expressions = isPlain ? [] : listAt(selector, 'matchExpressions').map(expressionText);
  return joined([...equal, ...expressions].sort(), NONE);
}

function expressionText(expression: Body): string {
  const [key, operator] = [textIn(expression, 'key'), textIn(expression, 'operator')];
  const values = `(${textsAt(expression, 'values').join(',')})`;
  if (operator === 'In') return `${key} in ${values}`;
  if (operator === 'NotIn') return `${key} notin ${values}`;
  return operator === 'DoesNotExist' ? `!${key}` : key;
}

/**
 * The containers and images of a template, shown by `-o wide`. @param spec path of the pod's spec.
 */
export function containerColumns(spec: string): readonly BuiltInColumn[] {
  const all = (field: string) => (object: Body) =>
    joined(
      listAt(object, `${spec}.containers`).map((container) => textIn(container, field)),
      '',
    );
  return [wide('Containers', all('name')), wide('Images', all('image'))];
}
