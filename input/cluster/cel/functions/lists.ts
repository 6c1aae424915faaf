import { type CelList, type CelValue, isCelList } from '@bufbuild/cel';

/** Lists and sets as expressions use them (`library.Lists`, 1.23; `ext.Sets`, 1.29). */

/** Null: not known, as for values of types that are not compared here. */
type Result = CelValue | null;
type Equals = (one: CelValue, other: CelValue) => boolean | null;

const MAXIMUM = 2n ** 63n - 1n;
const ASCII = /^[\x20-\x7e]*$/;

type Comparable = bigint | number | string | boolean;

/** The elements, if all are of one type that has an order; null: they are not. */
function comparable(list: CelList): readonly Comparable[] | null {
  const values = [...list.values()];
  const type = typeof values[0];
  const hasOrder = ['bigint', 'number', 'string', 'boolean'].includes(type);
  const areAlike = values.every((value) => typeof value === type);
  // Strings are ordered by their bytes.
  const areKnown = values.every((value) => typeof value !== 'string' || ASCII.test(value));
  const areNumbers = !values.some((value) => Number.isNaN(value));
  return (values.length === 0 || hasOrder) && areAlike && areKnown && areNumbers
    ? (values as Comparable[])
    : null;
}

function sorted(list: CelList): Result {
  const values = comparable(list);
  return values?.every((value, at) => at === 0 || (values[at - 1] ?? value) <= value) ?? null;
}

function sum(list: CelList): Result {
  const values = comparable(list);
  if (values === null) return null;
  if (values.every((value) => typeof value === 'number') && values.length > 0) {
    return values.reduce((all: number, value) => all + Number(value), 0);
  }
  if (!values.every((value) => typeof value === 'bigint')) return null;
  const total = values.reduce((all: bigint, value) => all + BigInt(value), 0n);
  return total > MAXIMUM || total < -MAXIMUM ? null : total;
}

function most(list: CelList, isBetter: (one: Comparable, other: Comparable) => boolean): Result {
  const values = comparable(list);
  const [first, ...others] = values ?? [];
  // Of an empty list there is none, which is an error.
  if (first === undefined) return null;
  return others.reduce((best, value) => (isBetter(value, best) ? value : best), first);
}

function placeOf(list: CelList, wanted: CelValue, equals: Equals, last: boolean): Result {
  const found = [...list.values()].map((value) => equals(value, wanted));
  if (found.includes(null)) return null;
  return BigInt(last ? found.lastIndexOf(true) : found.indexOf(true));
}

/** Whether the list has all of these, or one of these. */
function has(
  list: CelList,
  wanted: CelList,
  equals: Equals,
  which: 'every' | 'some',
): boolean | null {
  const values = [...list.values()];
  const found = [...wanted.values()].map((one) => values.map((value) => equals(value, one)));
  if (found.some((one) => one.includes(null))) return null;
  return found[which]((one) => one.includes(true));
}

/** undefined: it is no such call. @param args the list first. */
export function listCall(
  name: string,
  [list, other]: readonly CelValue[],
  equals: Equals,
): Result | undefined {
  if (!isCelList(list)) return undefined;
  const another = isCelList(other) ? other : null;
  switch (name) {
    case 'isSorted':
      return sorted(list);
    case 'sum':
      return sum(list);
    case 'min':
      return most(list, (one, best) => one < best);
    case 'max':
      return most(list, (one, best) => one > best);
    case 'indexOf':
    case 'lastIndexOf':
      return other === undefined ? null : placeOf(list, other, equals, name !== 'indexOf');
    case '@sets.contains':
      return another && has(list, another, equals, 'every');
    case '@sets.intersects':
      return another && has(list, another, equals, 'some');
    case '@sets.equivalent': {
      if (another === null) return null;
      const [one, back] = [
        has(list, another, equals, 'every'),
        has(another, list, equals, 'every'),
      ];
      return one === null || back === null ? null : one && back;
    }
    default:
      return undefined;
  }
}
