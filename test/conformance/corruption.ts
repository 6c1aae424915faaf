import type { Case } from './fact-files.ts';

/** Ways to corrupt one demand of a case. No corrupted case may pass. */

export interface Corruption {
  /** The place and the change, for example `steps.3.then.graph.0.virtual: false becomes true`. */
  readonly what: string;
  readonly corrupted: Case;
}

interface Change {
  readonly what: string;
  readonly value: unknown;
}

/** Words that can replace each other in a case. */
const CHOICES: readonly (readonly string[])[] = [
  ['get', 'delete', 'patch'],
  ['add', 'update', 'delete'],
  ['Orphan', 'Foreground', 'Background'],
  ['set', 'unset'],
];

function others(value: unknown): readonly unknown[] {
  if (value === null) return ['another'];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  const words = CHOICES.filter((choice) => choice.includes(String(value))).flat();
  return [`${String(value)}-corrupted`, ...new Set(words.filter((word) => word !== value))];
}

/** Each leaf with another value; each list with one element less, or with two elements swapped. */
function changesOf(value: unknown, path: string): readonly Change[] {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return list.flatMap((item, index) => [
      { what: `${path}: element ${index} dropped`, value: list.toSpliced(index, 1) },
      ...swapped(list, index, path),
      ...changesOf(item, `${path}.${index}`).map((change) => ({
        ...change,
        value: list.with(index, change.value),
      })),
    ]);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) =>
      changesOf(item, `${path}.${key}`).map((change) => ({
        ...change,
        value: { ...value, [key]: change.value },
      })),
    );
  }
  return others(value).map((other) => ({
    what: `${path}: ${JSON.stringify(value)} becomes ${JSON.stringify(other)}`,
    value: other,
  }));
}

function swapped(list: readonly unknown[], index: number, path: string): readonly Change[] {
  const [item, next] = [list[index], list[index + 1]];
  if (index + 1 >= list.length || JSON.stringify(item) === JSON.stringify(next)) return [];
  const value = list.with(index, next).with(index + 1, item);
  return [{ what: `${path}: elements ${index} and ${index + 1} swapped`, value }];
}

/** Every corruption of a case's demands: in the given field of its steps, and in `expect`. */
export function corruptionsOf(part: Case, field: 'then' | 'facts'): readonly Corruption[] {
  const inSteps = part.steps.flatMap((step, index) =>
    changesOf(step[field] ?? {}, `steps.${index}.${field}`).map(({ what, value }) => ({
      what,
      corrupted: { ...part, steps: part.steps.with(index, { ...step, [field]: value }) },
    })),
  );
  const atEnd = changesOf(part.expect, 'expect').map(({ what, value }) => ({
    what,
    corrupted: { ...part, expect: value },
  }));
  return [...inSteps, ...atEnd];
}

/**
 * The first of those that differ in numbers alone, which the judge takes alike. All of them with
 * `REAPCHECK_LARGE=1`.
 */
export function oneOfEachSort(all: readonly Corruption[]): readonly Corruption[] {
  if (process.env.REAPCHECK_LARGE === '1') return all;
  const sorts = new Map<string, Corruption>();
  for (const one of all) {
    const sort = one.what.replace(/\d+/g, '');
    if (!sorts.has(sort)) sorts.set(sort, one);
  }
  return [...sorts.values()];
}

/** The case with an additional unknown field, in each place that has fields. */
export function extensionsOf(part: Case): readonly Case[] {
  const more = (fields: unknown): object => ({ ...(fields as object), unheardOf: 1 });
  return [
    { ...part, given: more(part.given) },
    { ...part, expect: more(part.expect) },
    { ...part, kind: 'unheard-of' },
    ...part.steps.flatMap((step, index) => [
      { ...part, steps: part.steps.with(index, { ...step, unheardOf: 1 }) },
      { ...part, steps: part.steps.with(index, { ...step, do: 'unheardOf' }) },
      ...('then' in step
        ? [{ ...part, steps: part.steps.with(index, { ...step, ...{ then: more(step.then) } }) }]
        : []),
    ]),
  ];
}
