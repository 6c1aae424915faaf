import { groupedBy } from '../../text/layout.ts';
import type { Answer, AnswerObject, ObjectFate } from '../document/answer.ts';
import { fateWords, LOOKS } from './words.ts';

/** One line of the tree of objects: an object, or several siblings of one kind with the same fate. */
export interface TreeRow {
  /** The branches before the name: `│  ├─ `. */
  readonly branch: string;
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

/** As many siblings are shown one by one. */
const SINGLY = 3;

/** The objects of an answer as a tree, depth first. */
export function treeRows({ objects, outcomes }: Pick<Answer, 'objects' | 'outcomes'>): TreeRow[] {
  const children = groupedBy([...objects.keys()], (index) => objects[index]?.parent ?? null);
  const fatesOf = (index: number): readonly ObjectFate[] =>
    outcomes.flatMap(({ fates }) => fates[index] ?? []);
  const rows: TreeRow[] = [];
  const visit = (parent: number | null, indent: string): void => {
    const groups = grouped(children.get(parent) ?? [], (index) => {
      const object = objects[index];
      const isLeaf = !children.has(index) && object?.asked === false;
      return isLeaf ? JSON.stringify([kindOf(object), fatesOf(index).map(looks)]) : `${index}`;
    });
    for (const [place, members] of groups.entries()) {
      const isLast = place === groups.length - 1;
      const [index = 0] = members;
      const object = objects[index];
      if (object === undefined) continue;
      const [before, below] = parent === null ? ['', ''] : isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
      rows.push({
        branch: `${indent}${before}`,
        label: members.length === 1 ? object.name : groupLabel(members, objects),
        asked: object.asked,
        deleting: object.deleting,
        count: members.length,
        members,
        index,
        fates: fatesOf(index),
      });
      visit(index, `${indent}${below}`);
    }
  };
  visit(null, '');
  return rows;
}

function grouped(
  indices: readonly number[],
  keyOf: (index: number) => string,
): readonly (readonly number[])[] {
  return [...groupedBy(indices, keyOf).values()].flatMap((members) =>
    members.length > SINGLY ? [members] : members.map((index) => [index]),
  );
}

function looks({ fate, replaced, on }: ObjectFate): unknown {
  return [fate, replaced, on];
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
