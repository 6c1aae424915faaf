import type { Drawn } from '../answer/parts.ts';
import {
  type AnswerNode,
  type AnswerPicture,
  answerPicture,
  FATE_COLOURS,
} from './answer-nodes.ts';
import { dotAttributes, dotLines, folded } from './dot-text.ts';

/**
 * The tree of an answer in the DOT language: arrows go from an object to its owner, and from a step
 * to the next one.
 */

const ROOM = 48;
const CAPTION_ROOM = 100;
const FONT = 'fontname="Helvetica"';

export function answerDigraph(drawn: Drawn): string {
  const { captions, nodes, legend, notes, inOrder } = answerPicture(drawn);
  return [
    'digraph answer {',
    ...[
      `graph [label=${dotLines(folded([...captions, ...notes], CAPTION_ROOM))}, labelloc=t, labeljust=l, rankdir=LR, ${FONT}, fontsize=12, ranksep=0.4, nodesep=0.15];`,
      `node [shape=box, ${FONT}, fontsize=10, margin="0.12,0.06"];`,
      `edge [color="#5f6368", dir=${inOrder ? 'forward' : 'back'}, arrowsize=0.7];`,
      ...nodes.map(nodeLine),
      ...nodes.flatMap(({ id, parent }) => (parent === null ? [] : [`${parent} -> ${id};`])),
      ...(legend.length === 0 ? [] : legendLines(legend)),
    ].map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n');
}

function legendLines(legend: AnswerPicture['legend']): readonly string[] {
  return [
    'subgraph cluster_legend {',
    `  label="legend"; labeljust=l; color="#dadce0"; ${FONT}; fontsize=10;`,
    ...legend.map(
      ({ fate, text }, index) =>
        `  legend${index}${dotAttributes({ label: dotLines([text]), ...look(fate) })};`,
    ),
    '}',
  ];
}

function nodeLine({ id, name, fates, fate, notes }: AnswerNode): string {
  const lines = folded([name, ...fates, ...notes], ROOM);
  return `${id}${dotAttributes({ label: dotLines(lines), ...look(fate) })};`;
}

function look(fate: AnswerNode['fate']) {
  const { ground, ink } = FATE_COLOURS[fate];
  return {
    style: fate === 'unknown' ? '"rounded,filled,dashed"' : '"rounded,filled"',
    fillcolor: `"${ground}"`,
    color: `"${ink}"`,
    fontcolor: `"${ink}"`,
  };
}
