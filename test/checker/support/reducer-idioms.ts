import { isDeepStrictEqual } from 'node:util';
import type { Draft } from 'immer';

/*
 * What authors write in reducers, as pieces of code that read or change one state.
 */

export interface Desk {
  n: number;
  flat: { list: number[]; inner: { deep: number[] } };
  cells: Record<string, { n: number; tags: string[] }>;
  marks: Record<string, true>;
  lines: Record<string, (number | { id: number })[]>;
}

type Piece = (draft: Draft<Desk>) => unknown;

export const READS: Readonly<Record<string, Piece>> = {
  in: (d) => ['a' in d.cells, 'b' in d.marks, 'x' in d, 'toString' in d.cells, 0 in d.lines.p!],
  hasOwn: (d) => [Object.hasOwn(d.cells, 'a'), Object.hasOwn(d.lines.p!, 'length')],
  hasOwnMethod: (d) => [Object.hasOwn(d.lines.p!, '0'), Object.hasOwn(d.lines, 'p')],
  keys: (d) => [Object.keys(d), Object.keys(d.cells), Object.keys(d.lines.p!)],
  ownKeys: (d) => [Reflect.ownKeys(d.lines), Reflect.ownKeys(d.lines.p!).map(String)],
  entries: (d) => Object.entries(d.marks),
  values: (d) => Object.values(d.cells).map(({ n }) => n),
  forIn: (d) => {
    const found: string[] = [];
    for (const key in d.cells) found.push(key);
    for (const key in d.lines.p) found.push(key);
    return found;
  },
  length: (d) => [d.lines.p!.length, d.flat.list.length, d.cells.a?.tags.length],
  spread: (d) => [{ ...d.marks }, [...d.lines.p!].length, { ...d.flat.inner }.deep.length],
  spreadState: (d) => Object.keys({ ...d }),
  asItself: (d) => [
    (d.lines.p!.valueOf() as number[]).length,
    d.n.valueOf(),
    'a' in d.flat.valueOf(),
  ],
  plus: (d) => `${d.lines.q}${d.flat.list}${d.marks}`,
  asText: (d) => [d.lines.q!.toString(), d.cells.toString(), String(d), String(d.flat)],
  asLocaleText: (d) => [d.lines.q!.toLocaleString(), d.marks.toLocaleString()],
  json: (d) => JSON.stringify(d),
  jsonParts: (d) => [JSON.stringify(d.lines.p), JSON.stringify(d.marks), JSON.stringify(d.flat)],
  toJson: (d) => [(d.lines.p as { toJSON?: unknown }).toJSON, (d as { toJSON?: unknown }).toJSON],
  destructure: ({ n, lines: { p, q = [] }, cells: { a, ...rest } }) => [
    ...[n, p!.length, q.length],
    ...[a?.n, Object.keys(rest)],
  ],
  head: ({ lines }) => {
    const [first, ...rest] = lines.q!;
    return [first, rest];
  },
  iterate: (d) => {
    let sum = 0;
    for (const one of d.lines.p!) sum += typeof one === 'number' ? one : one.id;
    for (const one of d.flat.inner.deep) sum += one;
    return sum;
  },
  iterator: (d) => d.lines.q!.values().next().value,
  arrayEntries: (d) => [...d.lines.q!.entries()].length,
  isArray: (d) => [Array.isArray(d.lines.p), Array.isArray(d.flat.list), Array.isArray(d.lines)],
  search: (d) => [d.lines.q!.includes(2), d.lines.q!.indexOf(1), d.lines.q!.at(-1)],
  find: (d) => d.lines.p!.find((one) => typeof one === 'object')?.valueOf() !== undefined,
  functional: (d) => [
    d.lines.p!.map((one) => typeof one),
    d.lines.q!.filter(Boolean),
    d.lines.q!.reduce<number>((sum, one) => sum + Number(one), 0),
    d.lines.q!.some((one) => one === 2),
    d.lines.q!.slice(1),
    d.lines.q!.concat([7]),
    d.lines.q!.join('-'),
    d.lines.q!.flat(),
  ],
  copies: (d) => [d.lines.q!.toSorted(), d.lines.q!.toReversed(), d.lines.q!.toSpliced(0, 1)],
  from: (d) => [Array.from(d.lines.q!), Object.fromEntries(Object.entries(d.marks))],
  assignFrom: (d) => Object.assign({}, d.marks, { z: true }),
  type: (d) => [typeof d.lines.p, d.cells instanceof Object, Array.isArray(d.lines.p)],
  construct: (d) => [d.lines.p!.constructor === Array, d.cells.constructor === Object],
  descriptor: (d) => Object.getOwnPropertyDescriptor(d.marks, 'a') !== undefined,
  prototype: (d) => [
    Object.getPrototypeOf(d.lines.p) === Array.prototype,
    Object.getPrototypeOf(d.cells) === Object.prototype,
  ],
  compare: (d) => [isDeepStrictEqual([...d.lines.q!], [1, 2]), d.flat.list > [1]],
  tag: (d) => [
    Object.prototype.toString.call(d.lines.p),
    Object.prototype.toString.call(d.cells),
    Object.prototype.toString.call(d),
  ],
  odd: (d) => [
    typeof d.cells.isPrototypeOf,
    typeof d.marks.constructor,
    typeof (d.lines as Record<string, unknown>).length,
    'constructor' in d.marks,
    Object.hasOwn(d.marks, 'constructor'),
  ],
  valueOfState: (d) => Object.keys(d.valueOf()),
  valueOfLines: (d) => Object.keys(d.lines.valueOf()),
  valueOfRead: (d) => [
    (d.lines.p!.valueOf() as unknown[])[0],
    [...(d.lines.q!.valueOf() as number[])],
  ],
  last: (d) => [
    d.lines.q!.lastIndexOf(2),
    d.lines.q!.findLast(Boolean),
    d.lines.q!.findIndex(Boolean),
  ],
  reduceRight: (d) => d.lines.q!.reduceRight<string>((text, one) => text + String(one), ''),
  iterators: (d) => [[...d.lines.p!.keys()], [...d.lines.q!.values()], Object.entries(d.lines.q!)],
  parsed: (d) => JSON.parse(JSON.stringify(d.lines)),
  primitive: (d) => [`${d.flat.list}`, +d.n, `${d.lines.q}`, `${d.lines.p!}`, `${[d.lines.q]}`],
  equal: (d) => [
    isDeepStrictEqual({ ...d.marks }, { a: true }),
    d.lines.p!.valueOf() === d.lines.p,
  ],
  outside: (d) => [d.lines.q![7], d.lines.q![-1], d.lines.q!.at(-9), (d.lines.q as { x?: 1 }).x],
  optional: (d) => [d.cells.zz?.n, d.lines.zz?.length, d.cells['0']?.n],
};

export const CHANGES: Readonly<Record<string, Piece>> = {
  set: (d) => (d.n = (d.n + 1) % 4),
  field: (d) => {
    if (d.cells.a) d.cells.a.n = 1 - d.cells.a.n;
  },
  nested: (d) => {
    const { inner } = d.flat;
    if (inner.deep.length < 2) inner.deep.push(d.n);
    else inner.deep.length = 0;
  },
  newCell: (d) => {
    d.cells.b = { n: d.n, tags: ['x'] };
  },
  share: (d) => {
    if (d.cells.a) d.cells.b = d.cells.a;
  },
  /** The same draft in several new lists: immer loses count of it unless it freezes. */
  shareInLists: (d) => {
    const one = d.lines.p!.find((element) => typeof element === 'object');
    if (one === undefined) return;
    d.lines.r = [one, one];
    d.lines.s = [one, one];
  },
  swap: (d) => {
    const { a, b } = d.cells;
    if (a && b) [d.cells.a, d.cells.b] = [b, a];
  },
  deleteCell: (d) => delete d.cells.a,
  deleteMissing: (d) => delete d.cells.zz,
  mark: (d) => {
    d.marks.b = true;
  },
  unmark: (d) => delete d.marks.a,
  assign: (d) => {
    Object.assign(d.marks, { c: true });
  },
  assignState: (d) => {
    Object.assign(d, { n: 2 });
  },
  push: (d) => d.lines.p!.length < 3 && d.lines.p!.push(d.n),
  pushObject: (d) => d.lines.p!.length < 3 && d.lines.p!.push({ id: 1 }),
  shift: (d) => {
    d.lines.p!.shift();
  },
  pop: (d) => {
    d.lines.p!.pop();
  },
  unshift: (d) => d.lines.q!.length < 3 && d.lines.q!.unshift(5),
  splice: (d) => {
    d.lines.q!.splice(0, 1, 2);
  },
  sort: (d) => {
    d.lines.q!.sort((one, other) => Number(other) - Number(one));
  },
  reverse: (d) => {
    d.lines.q!.reverse();
    d.flat.list.reverse();
  },
  fill: (d) => {
    d.lines.q!.fill(1);
  },
  copyWithin: (d) => {
    d.lines.q!.copyWithin(0, 1);
  },
  truncate: (d) => {
    d.lines.q!.length = Math.min(1, d.lines.q!.length);
  },
  index: (d) => {
    d.lines.q![0] = 1;
  },
  element: (d) => {
    for (const one of d.lines.p!) if (typeof one === 'object') one.id = 2;
  },
  moved: (d) => {
    const one = d.lines.p!.shift();
    if (one !== undefined && d.lines.q!.length < 3) d.lines.q!.push(one);
  },
  movedChanged: (d) => {
    const one = d.lines.p!.shift();
    if (typeof one !== 'object') return;
    d.lines.p!.push(one);
    one.id = 3;
  },
  filtered: (d) => {
    d.lines.p = d.lines.p!.filter((one) => one !== 0);
  },
  spreadLine: (d) => {
    d.lines.q = [...d.lines.p!].slice(0, 2);
  },
  sameLine: (d) => {
    d.lines.q = d.lines.p!;
  },
  valueOfLine: (d) => {
    d.lines.q = d.lines.p!.valueOf() as Desk['lines'][string];
  },
  valueOfCell: (d) => {
    if (d.cells.a) d.cells.b = d.cells.a.valueOf() as Desk['cells'][string];
  },
  sliced: (d) => {
    d.flat.list = d.lines.q!.slice(0, 2).map((one) => (typeof one === 'number' ? one : one.id));
  },
  replaceSection: (d) => {
    d.marks = { ...d.marks, d: true };
  },
  replaceCells: (d) => {
    d.cells = Object.fromEntries(Object.entries(d.cells).filter(([, { n }]) => n === 0));
  },
  mapped: (d) => {
    d.lines = Object.fromEntries(Object.entries(d.lines).map(([key, line]) => [key, [...line]]));
  },
  tags: (d) => {
    d.cells.a?.tags.sort().splice(1, 3, 'z');
  },
  increment: (d) => {
    if (d.n < 3) d.n++;
    else d.n -= 3;
  },
  nullish: (d) => {
    d.cells.c ??= { n: 0, tags: [] };
  },
  forEach: (d) => {
    Object.values(d.cells).forEach((cell) => {
      cell.n = 0;
    });
  },
  setSame: (d) => {
    d.flat.list = [...d.flat.list];
    d.cells.a &&= { ...d.cells.a };
  },
  oddKeys: (d) => {
    d.cells.isPrototypeOf = { n: 0, tags: [] } as never;
    d.marks.constructor = true as never;
    d.marks['10'] = true;
    d.marks['9'] = true;
  },
  oddLine: (d) => {
    d.lines.toString = [1] as never;
    d.lines['7'] = [];
  },
  pushOnValueOf: (d) => {
    const line = d.lines.p!.valueOf() as number[];
    if (line.length < 3) line.push(4);
  },
  changeOnValueOf: (d) => {
    (d.valueOf() as Desk).n = 3;
    (d.marks.valueOf() as Desk['marks']).v = true;
  },
  kept: (d) => {
    const old = d.lines.q!;
    d.lines.q = [];
    old.push(8);
    d.lines.p = old.slice(-2);
  },
  keptElement: (d) => {
    const one = d.lines.p!.find((other) => typeof other === 'object') as { id: number } | undefined;
    d.lines.p!.shift();
    if (one !== undefined) one.id = 4;
  },
  keptCell: (d) => {
    const one = d.cells.a;
    delete d.cells.a;
    if (one !== undefined && one.n < 3) {
      one.n++;
      d.cells.d = one;
    }
  },
  nestedInNew: (d) => {
    if (d.cells.a) d.cells.e = { n: 1, tags: d.cells.a.tags };
  },
  nestedElement: (d) => {
    const [first] = d.flat.inner.deep;
    d.flat = { list: d.flat.list, inner: { deep: [first ?? 2] } };
  },
  lineInFlat: (d) => {
    d.flat.list = (d.lines.q!.valueOf() as number[]).slice();
  },
  lineItself: (d) => {
    d.lines.p = d.lines.p!;
    const { lines, cells } = d;
    Object.assign(d, { lines, cells });
  },
  swapLines: (d) => {
    [d.lines.p, d.lines.q] = [d.lines.q!, d.lines.p!];
  },
  removeLine: (d) => {
    const line = d.lines.q!;
    delete (d.lines as Record<string, unknown>).q;
    d.lines.q = line;
  },
  emptyLine: (d) => {
    d.lines.p!.length = 0;
    d.lines.p![d.lines.p!.length] = 6;
  },
  parsedLine: (d) => {
    d.lines.p = JSON.parse(JSON.stringify(d.lines.p));
  },
  clear: (d) => {
    for (const key of Object.keys(d.cells)) delete d.cells[key];
  },
  assignLines: (d) => {
    Object.assign(d.lines, { q: [3, 4] });
  },
  shiftTwice: (d) => {
    d.lines.p!.push(d.lines.p!.shift() ?? 0, 1);
    d.lines.p!.shift();
  },
  concatSelf: (d) => {
    d.lines.q = d.lines.q!.concat(d.lines.p!).slice(0, 2);
  },
  sortObjects: (d) => {
    d.lines.p!.sort(
      (one, other) => Number(typeof one === 'object') - Number(typeof other === 'object'),
    );
  },
  splitDestructured: (d) => {
    const { lines, marks } = d;
    const [head, ...tail] = lines.p!;
    lines.p = tail;
    if (head !== undefined) marks.h = true;
  },
  spliceMove: (d) => {
    d.lines.q!.push(...d.lines.p!.splice(0, 1));
    d.lines.q!.length = Math.min(d.lines.q!.length, 3);
  },
  stateSpread: (d) => {
    Object.assign(d, { ...d, n: (d.n + 1) % 3 });
  },
  undo: (d) => {
    d.lines.p!.push(9);
    d.lines.p!.pop();
    const was = d.n;
    d.n = 77;
    d.n = was;
  },
};
