import { isBody } from '../cluster/body.ts';

/**
 * The JSONPath of printed columns: fields, `['field']`, `[0]`, `[-1]`, `[*]`, `..field`, and the
 * filter `[?(@.type=="Ready")]`. Mirrors what `client-go/util/jsonpath` takes there.
 */
export type JsonPath = (object: unknown) => readonly unknown[];

type Step = (value: unknown) => readonly unknown[];

const FIELD = /^\.((?:[^.[\]\\'"*?@\s]|\\.)+)/;
const QUOTED = /^\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/;
const INDEX = /^\[(-?\d{1,9})\]/;
const ALL = /^(?:\[\*\]|\.\*)/;
const DEEP = /^\.\.((?:[^.[\]\\'"*?@\s]|\\.)+)/;
const FILTER =
  /^\[\?\(\s*@((?:\.[\w-]+|\['[^']*'\])+)\s*(?:(==|!=|<=?|>=?)\s*("[^"]*"|'[^']*'|-?[\d.]+|true|false)\s*)?\)\]/;

/** Null: the path is written in a way that is not read. @param text such as `.spec.size`. */
export function jsonPath(text: string): JsonPath | null {
  const steps: Step[] = [];
  let rest = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`;
  while (rest !== '') {
    const next = stepAt(rest);
    if (next === null) return null;
    steps.push(next.step);
    rest = rest.slice(next.length);
  }
  return (object) =>
    steps.reduce<readonly unknown[]>((found, step) => found.flatMap(step), [object]);
}

function stepAt(rest: string): { readonly step: Step; readonly length: number } | null {
  const deep = rest.match(DEEP);
  if (deep !== null) {
    const name = plain(deep[1] ?? '');
    return { step: (value) => everywhere(value, name), length: deep[0].length };
  }
  const all = rest.match(ALL);
  if (all !== null) return { step: entriesOf, length: all[0].length };
  const named = rest.match(FIELD) ?? rest.match(QUOTED);
  if (named !== null) {
    const name = plain(named[1] ?? named[2] ?? '');
    return { step: (value) => fieldOf(value, name), length: named[0].length };
  }
  const index = rest.match(INDEX);
  if (index !== null) {
    const at = Number(index[1]);
    return { step: (value) => itemOf(value, at), length: index[0].length };
  }
  const filter = rest.match(FILTER);
  const path = filter === null ? null : jsonPath(filter[1] ?? '');
  if (filter === null || path === null) return null;
  const [whole, , operator, wanted] = filter;
  const meets = (value: unknown): boolean => {
    const found = path(value);
    if (operator === undefined || wanted === undefined) return found.length > 0;
    return found.some((one) => compares(one, operator, literal(wanted)));
  };
  return { step: (value) => entriesOf(value).filter(meets), length: whole.length };
}

function plain(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function fieldOf(value: unknown, name: string): readonly unknown[] {
  return isBody(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

function itemOf(value: unknown, index: number): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  const at = index < 0 ? value.length + index : index;
  return at in value ? [value[at]] : [];
}

function entriesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isBody(value) ? Object.values(value) : [];
}

function everywhere(value: unknown, name: string): readonly unknown[] {
  const below = entriesOf(value).flatMap((part) => everywhere(part, name));
  return [...fieldOf(value, name), ...below];
}

function literal(text: string): unknown {
  if (/^["']/.test(text)) return text.slice(1, -1);
  return text === 'true' || text === 'false' ? text === 'true' : Number(text);
}

function compares(one: unknown, operator: string, other: unknown): boolean {
  if (operator === '==' || operator === '!=') return (one === other) === (operator === '==');
  if (typeof one !== 'number' || typeof other !== 'number') return false;
  if (operator.startsWith('<')) return operator === '<' ? one < other : one <= other;
  return operator === '>' ? one > other : one >= other;
}
