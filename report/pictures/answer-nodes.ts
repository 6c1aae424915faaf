import { plural } from '../../text/layout.ts';
import {
  FATES_WORST_FIRST,
  legendWords,
  reasonsOf,
  reasonWords,
  sentenceWords,
} from '../answer/parts.ts';
import { type TreeRow, treeRows } from '../answer/tree.ts';
import { fateWords, LOOKS } from '../answer/words.ts';
import type { Answer, Outcome, OutcomeWord } from '../document/answer.ts';

/** The tree of an answer as nodes, which each picture writes in its language. */
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

/** @param most as many nodes are shown; the rest is counted. */
export function answerPicture(answer: Answer, most = Number.POSITIVE_INFINITY): AnswerPicture {
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
  const found = new Set(rows.flatMap(({ fates }) => fates.map(({ fate }) => fate)));
  const fates = FATES_WORST_FIRST.filter((fate) => found.has(fate));
  const left = rows.slice(most).reduce((sum, { count }) => sum + count, 0);
  return {
    captions: answer.outcomes.map((outcome) => sentenceWords(outcome, answer)),
    nodes,
    legend: legendWords(fates).map((text, index) => ({ fate: fates[index]!, text })),
    notes: [
      ...answer.outcomes.flatMap((outcome) => reasonNotes(outcome, answer)),
      ...(left === 0 ? [] : [`${plural(left, 'object')} more, not drawn`]),
      ...answer.outcomes.flatMap(({ basis }) => (basis.kind === 'search' ? [] : [basis.text])),
      ...answer.missing.map(({ text }) => text),
      `Assumed: Kubernetes ${answer.protocol}`,
    ],
  };
}

/** As many reasons are written beside the tree. */
const REASONS = 6;

function reasonNotes(outcome: Outcome, answer: Answer): readonly string[] {
  const reasons = reasonsOf(outcome, answer).map(reasonWords);
  const more = reasons.length - REASONS;
  return [
    ...reasons.slice(0, REASONS),
    ...(more > 0 ? [`and ${plural(more, 'reason')} more`] : []),
  ];
}

function wordsOf(
  { fates, asked, deleting }: TreeRow,
  { outcomes }: Answer,
): Pick<AnswerNode, 'fates' | 'fate' | 'notes'> {
  return {
    fates: fates.map((fate, column) => {
      const words = `${LOOKS[fate.fate].sign} ${fateWords(fate)}`;
      return outcomes.length > 1 ? `${outcomes[column]?.name ?? ''}: ${words}` : words;
    }),
    fate: FATES_WORST_FIRST.find((word) => fates.some(({ fate }) => fate === word)) ?? 'unknown',
    notes: [...(asked ? ['asked for'] : []), ...(deleting ? ['being deleted'] : [])],
  };
}
