import { plural } from '../../text/layout.ts';
import {
  capitalized,
  type Drawn,
  FATES_WORST_FIRST,
  legendWords,
  sentenceWords,
} from '../answer/parts.ts';
import { type AnswerSection, headedWords, type SectionKind } from '../answer/section.ts';
import { answerSections } from '../answer/sections.ts';
import { cellWords, rowNotes, type TreeRow, treeRows } from '../answer/tree.ts';
import type { Answer, OutcomeWord } from '../document/answer.ts';

/** An answer as nodes, which each picture writes in its language. */
export interface AnswerNode {
  readonly id: string;
  /** Id of the node above; null at the top. */
  readonly parent: string | null;
  readonly depth: number;
  readonly name: string;
  /** For each outcome, a sign and a word; with the name of the outcome if there are several. */
  readonly fates: readonly string[];
  /** The worst fate, which gives the colour. */
  readonly fate: OutcomeWord;
  readonly notes: readonly string[];
}

export interface AnswerPicture {
  /** The answer in one sentence for each outcome. */
  readonly captions: readonly string[];
  readonly nodes: readonly AnswerNode[];
  /** The nodes are steps, one after the other; else each is below its owner. */
  readonly inOrder: boolean;
  /** The fates that occur. */
  readonly legend: readonly { readonly fate: OutcomeWord; readonly text: string }[];
  /** What is not shown, and what is assumed. */
  readonly notes: readonly string[];
}

/** Colours on white: of the ground, and of the text and the border. */
export const FATE_COLOURS: Readonly<Record<OutcomeWord, { ground: string; ink: string }>> = {
  goes: { ground: '#f9e6f2', ink: '#8f1d63' },
  depends: { ground: '#fdf0d5', ink: '#7a4a00' },
  hangs: { ground: '#fde7e4', ink: '#b42318' },
  stays: { ground: '#e1f0fa', ink: '#0b5480' },
  unknown: { ground: '#eef0f3', ink: '#485362' },
};

/**
 * The tree of objects, or the steps of an uninstall.
 *
 * @param most as many nodes are shown; the rest is counted.
 */
export function answerPicture(
  { document, answer }: Drawn,
  most = Number.POSITIVE_INFINITY,
): AnswerPicture {
  const inOrder = answer.question === 'uninstall';
  const { nodes, fates, left } = inOrder ? orderNodes(answer, most) : treeNodes(answer, most);
  const { sentence, outcomes } = answer;
  const found = FATES_WORST_FIRST.filter((fate) => fates.has(fate));
  // Without an order, the orders that get stuck are the nodes.
  const told = new Set(TOLD.filter((kind) => kind !== 'stuck-orders' || fates.size === 0));
  const sections = answerSections(document, answer, { details: false }).filter(({ kind, items }) =>
    kind === 'sure' ? items.some(({ tone }) => tone === 'warn') : told.has(kind),
  );
  return {
    captions: [
      ...(sentence === undefined ? [] : [capitalized(sentence)]),
      ...outcomes.map((outcome) => sentenceWords(outcome, answer)),
    ],
    nodes,
    inOrder,
    legend: legendWords(found).map((text, index) => ({ fate: found[index]!, text })),
    notes: [
      ...(left === 0 ? [] : [`${plural(left, inOrder ? 'step' : 'object')} more, not drawn`]),
      ...sections.flatMap(noteWords),
    ],
  };
}

/** What a picture says beside the nodes. Commands are of no use in an image. */
const TOLD: readonly SectionKind[] = [
  'reported',
  'why',
  'remedy',
  'stuck-orders',
  'missing',
  'risk',
  'warning',
  'besides',
  'premise',
  'protocol',
];

function noteWords({ head, items, noun = 'item' }: AnswerSection): readonly string[] {
  const left = items.filter(({ folded }) => folded === true).length;
  return [
    ...items
      .filter(({ folded }) => folded !== true)
      .map((item) => headedWords(head, item).replace(/ Settle it with:$/, '')),
    ...(left > 0 ? [`and ${plural(left, noun)} more`] : []),
  ];
}

interface Nodes {
  readonly nodes: readonly AnswerNode[];
  readonly fates: ReadonlySet<OutcomeWord>;
  /** How many objects or steps are not shown. */
  readonly left: number;
}

function treeNodes(answer: Answer, most: number): Nodes {
  const rows = treeRows(answer);
  const shown = rows.slice(0, most);
  const ids = new Map(shown.map(({ index }, number) => [index, `n${number}`]));
  const depths = new Map<string, number>();
  const nodes = shown.map((row, number): AnswerNode => {
    const above = answer.objects[row.index]?.parent ?? null;
    const parent = above === null ? null : (ids.get(above) ?? null);
    const depth = parent === null ? 0 : (depths.get(parent) ?? 0) + 1;
    const id = `n${number}`;
    depths.set(id, depth);
    return { id, parent, depth, name: row.label, ...wordsOf(row, answer) };
  });
  return {
    nodes,
    fates: new Set(rows.flatMap(({ fates }) => fates.map(({ fate }) => fate))),
    left: rows.slice(most).reduce((sum, { count }) => sum + count, 0),
  };
}

/** As many commands of a step are shown. */
const COMMANDS = 8;

/** One step below the other, with an arrow from each to the one before it. */
function orderNodes({ steps = [], stuckOrders = [] }: Answer, most: number): Nodes {
  if (steps.length === 0) {
    const stuck = stuckOrders.map(({ first, verdict, text }, index): AnswerNode => {
      const fate = verdict === 'stuck' ? 'hangs' : 'unknown';
      const name = `first: ${first}`;
      return { id: `n${index}`, parent: null, depth: 0, name, fates: [], fate, notes: [text] };
    });
    return { nodes: stuck, fates: new Set(stuck.map(({ fate }) => fate)), left: 0 };
  }
  const nodes = steps.slice(0, most).map(({ text, commands, along }, index): AnswerNode => {
    const deletions = commands.filter((command) => command.startsWith('kubectl delete '));
    const more = deletions.length - COMMANDS;
    return {
      id: `n${index}`,
      parent: index === 0 ? null : `n${index - 1}`,
      depth: 0,
      name: `${index + 1}. ${text}`,
      fates: [],
      fate: 'goes',
      notes: [
        ...deletions.slice(0, COMMANDS),
        ...(more > 0 ? [`and ${plural(more, 'command')} more`] : []),
        ...(along.length > 0
          ? [
              `then wait until ${plural(along.length, 'object')} more ${along.length === 1 ? 'is' : 'are'} gone`,
            ]
          : []),
      ],
    };
  });
  return { nodes, fates: new Set(), left: Math.max(0, steps.length - nodes.length) };
}

function wordsOf(row: TreeRow, { outcomes }: Answer): Pick<AnswerNode, 'fates' | 'fate' | 'notes'> {
  const { fates } = row;
  return {
    fates: fates.map((fate, column) => {
      const words = cellWords(fate);
      return outcomes.length > 1 ? `${outcomes[column]?.name ?? ''}: ${words}` : words;
    }),
    fate: FATES_WORST_FIRST.find((word) => fates.some(({ fate }) => fate === word)) ?? 'unknown',
    notes: rowNotes(row),
  };
}
