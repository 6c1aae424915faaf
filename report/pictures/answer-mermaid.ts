import type { Drawn } from '../answer/parts.ts';
import type { OutcomeWord } from '../document/answer.ts';
import {
  type AnswerNode,
  type AnswerPicture,
  answerPicture,
  FATE_COLOURS,
} from './answer-nodes.ts';
import {
  MERMAID_MOST_CHARACTERS,
  MERMAID_MOST_EDGES,
  mermaidComment,
  mermaidLines,
} from './mermaid-text.ts';

/**
 * The tree of an answer as a flowchart of Mermaid: arrows go from an object to its owner, and from
 * a step to the next one.
 */

const ROOM = 48;

/** Leaves out objects until the chart is small enough for Mermaid. */
export function answerFlowchart(drawn: Drawn): string {
  let most = MERMAID_MOST_EDGES;
  let chart = flowchart(drawn, most);
  while (chart.length > MERMAID_MOST_CHARACTERS && most > 1) {
    most = Math.floor(most * 0.8);
    chart = flowchart(drawn, most);
  }
  return chart;
}

function flowchart(drawn: Drawn, most: number): string {
  const { captions, nodes, legend, notes, inOrder } = answerPicture(drawn, most);
  const used = new Set<OutcomeWord>([...nodes, ...legend].map(({ fate }) => fate));
  const told = [...captions, ...notes].map((text) => mermaidLines(text, ROOM)).join('<br/>');
  return [
    `flowchart ${inOrder ? 'TB' : 'LR'}`,
    ...[
      mermaidComment(drawn.answer.title),
      `answer["${told}"]`,
      ...nodes.map(nodeLine),
      ...nodes.flatMap(({ id, parent }) => {
        if (parent === null) return [];
        return [inOrder ? `${parent} --> ${id}` : `${id} --> ${parent}`];
      }),
      ...(legend.length === 0 ? [] : legendLines(legend)),
      ...[...used].map(classLine),
    ].map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function legendLines(legend: AnswerPicture['legend']): readonly string[] {
  return [
    'subgraph legend',
    ...legend.map(
      ({ fate, text }, index) => `  legend${index}["${mermaidLines(text, ROOM)}"]:::${fate}`,
    ),
    'end',
  ];
}

function nodeLine({ id, name, fates, fate, notes }: AnswerNode): string {
  const lines = [name, ...fates, ...notes].map((text) => mermaidLines(text, ROOM));
  return `${id}["${lines.join('<br/>')}"]:::${fate}`;
}

function classLine(fate: OutcomeWord): string {
  const { ground, ink } = FATE_COLOURS[fate];
  const border = fate === 'unknown' ? ',stroke-dasharray:4' : '';
  return `classDef ${fate} fill:${ground},stroke:${ink},color:${ink}${border}`;
}
