import { groupedBy } from '../../text/layout.ts';
import { inPostOrder, inPreOrder } from '../../text/orders.ts';
import type { Answer, AnswerObject, ObjectFate } from '../document/answer.ts';
import { fateWords, LOOKS } from './words.ts';

/**
 * One line of the tree of objects: an object, or several that differ only in names and in how many
 * of a sort are beneath them.
 */
export interface TreeRow {
  /**
   * The branches before the name: `│ ├─ `; of one far down, its level in their place: `57 └─ `.
   */
  readonly branch: string;
  /** How many are above it. */
  readonly depth: number;
  readonly label: string;
  readonly asked: boolean;
  readonly deleting: boolean;
  /** Number of objects in this row. */
  readonly count: number;
  /** Indices of these objects. */
  readonly members: readonly number[];
  /** Index of the first of them. */
  readonly index: number;
  /** For each outcome. */
  readonly fates: readonly ObjectFate[];
}

/**
 * With the branches of more levels, rows are wider than any page, and long chains take gigabytes.
 */
const DEEPEST = 40;

/** As many alike siblings are shown one by one. */
const SINGLY = 3;

/** The objects of an answer as a tree, depth first. */
export function treeRows({ objects, outcomes }: Pick<Answer, 'objects' | 'outcomes'>): TreeRow[] {
  const children = groupedBy([...objects.keys()], (index) => objects[index]?.parent ?? null);
  const fatesOf = (index: number): readonly ObjectFate[] =>
    outcomes.flatMap(({ fates }) => fates[index] ?? []);
  const subtrees = new Map<number, number>();
  const numbers = new Map<string, number>();
  /** A number for what is shown of an object and of all beneath it, but for names and counts. */
  const subtreeOf = (index: number): number => subtrees.get(index) ?? 0;
  const childrenOf = (index: number): readonly number[] => children.get(index) ?? [];
  for (const index of inPostOrder(objects.keys(), childrenOf)) {
    const { name = '', asked, deleting } = objects[index] ?? {};
    const own = [kindOf({ name }), asked, deleting, fatesOf(index).map(looks)];
    const beneath = [...new Set(childrenOf(index).map(subtreeOf))].sort();
    const words = JSON.stringify([own, beneath]);
    const subtree = numbers.get(words) ?? numbers.size;
    numbers.set(words, subtree);
    subtrees.set(index, subtree);
  }
  /** @param parents one object, or several with the same subtree. */
  const beneath = (
    parents: readonly (number | null)[],
    indent: string,
    depth: number,
  ): readonly Group[] => {
    const all = parents.flatMap((parent) => children.get(parent) ?? []);
    const isSingly = (members: readonly number[]): boolean =>
      parents.length === 1 && members.length <= SINGLY;
    const groups = [...groupedBy(all, subtreeOf).values()].flatMap((members) =>
      isSingly(members) ? members.map((index) => [index]) : [members],
    );
    return groups.map((members, place): Group => {
      if (parents.includes(null)) return { members, branch: '', indent: '', depth };
      const isLast = place === groups.length - 1;
      const before = depth > DEEPEST ? `${depth} ` : indent;
      return {
        ...{ members, depth },
        branch: `${before}${isLast ? '└─ ' : '├─ '}`,
        indent: depth > DEEPEST ? '' : `${indent}${isLast ? '   ' : '│  '}`,
      };
    });
  };
  const rowOf = ({ members, branch, depth }: Group): TreeRow | null => {
    const [index = 0] = members;
    const object = objects[index];
    if (object === undefined) return null;
    return {
      branch,
      depth,
      label: members.length === 1 ? object.name : groupLabel(members, objects),
      asked: object.asked,
      deleting: object.deleting,
      count: members.length,
      members,
      index,
      fates: fatesOf(index),
    };
  };
  const groups = inPreOrder(beneath([null], '', 0), ({ members, indent, depth }) =>
    beneath(members, indent, depth + 1),
  );
  return groups.flatMap(({ item }) => rowOf(item) ?? []);
}

/** Objects that are shown in one row. */
interface Group {
  readonly members: readonly number[];
  readonly branch: string;
  /** Before the branches of what is beneath them. */
  readonly indent: string;
  readonly depth: number;
}

function looks({ fate, replaced, on, waits }: ObjectFate): unknown {
  // Other waits name objects, which differ as the names do.
  const kinds = waits.map((wait) => `${wait.for} ${wait.for === 'finalizer' ? wait.what : ''}`);
  return [fate, replaced, on, fate === 'goes' ? [] : [...new Set(kinds)].sort()];
}

function kindOf({ name }: Pick<AnswerObject, 'name'>): string {
  return name.slice(0, name.indexOf('/'));
}

function groupLabel(members: readonly number[], objects: readonly AnswerObject[]): string {
  const first = objects[members[0] ?? 0]?.name ?? '';
  const last = objects[members.at(-1) ?? 0]?.name ?? '';
  const end = last.slice(last.indexOf('/') + 1);
  return `${members.length} × ${kindOf({ name: first })}: ${first.slice(first.indexOf('/') + 1)} … ${end}`;
}

/** A sign and a word. */
export function cellWords(fate: ObjectFate | undefined): string {
  return fate === undefined ? '' : `${LOOKS[fate.fate].sign} ${fateWords(fate)}`;
}

/** Before a row whose fates differ. */
export const DIFFERS = '≠';

export function differs({ fates: [first, ...others] }: Pick<TreeRow, 'fates'>): boolean {
  return others.some((fate) => first === undefined || fateWords(fate) !== fateWords(first));
}

/** Behind the name of a row. */
export function rowNotes({ asked, deleting }: TreeRow): readonly string[] {
  return [...(asked ? ['asked for'] : []), ...(deleting ? ['being deleted'] : [])];
}
