import { MESSAGES } from '../../text/messages.ts';
import type { ReportDocument } from '../document/documents.ts';
import {
  chosenGraph,
  type ShownEdge,
  type ShownGraph,
  type ShownState,
} from '../document/state-graphs.ts';
import type { TraceChoice } from '../document/traces.ts';
import {
  MERMAID_MOST_CHARACTERS,
  MERMAID_MOST_EDGES,
  mermaidComment,
  mermaidLines,
} from './mermaid-text.ts';
import { graphCaption, isBrief, isCrowded } from './state-words.ts';

/** All states of a small check and the steps between them, as a flowchart of Mermaid. */

const STATE_ROOM = 28;
const STEP_ROOM = 28;

export function renderMermaidStates(
  document: ReportDocument,
  { choice }: { readonly choice: TraceChoice },
): string {
  return stateFlowchart(chosenGraph(document, choice));
}

/** A chart that says why nothing can be shown. */
export function emptyFlowchart(why: string): string {
  return `flowchart TB\n  why["${mermaidLines(why, 60)}"]\n`;
}

/** Throws `InputError` if the chart is too large for Mermaid. */
export function stateFlowchart(graph: ShownGraph): string {
  if (graph.edges.length > MERMAID_MOST_EDGES) {
    throw MESSAGES.tooLargeForMermaid(`${graph.edges.length} arrows`, `${MERMAID_MOST_EDGES}`);
  }
  const full = chart(graph, isCrowded(graph));
  if (full.length <= MERMAID_MOST_CHARACTERS) return full;
  const brief = chart(graph, true);
  if (brief.length <= MERMAID_MOST_CHARACTERS) return brief;
  throw MESSAGES.tooLargeForMermaid(`${brief.length} characters`, `${MERMAID_MOST_CHARACTERS}`);
}

function chart(graph: ShownGraph, crowded: boolean): string {
  const { states, edges } = graph;
  const numbers = (wanted: (edge: ShownEdge) => boolean): string =>
    edges.flatMap((edge, index) => (wanted(edge) ? [index] : [])).join(',');
  const onRun = numbers((edge) => edge.onRun && edge.broken.length === 0);
  const broken = numbers((edge) => edge.broken.length > 0);
  return [
    'flowchart TB',
    ...graphCaption(graph).map((line) => `  ${mermaidComment(line)}`),
    ...states.map((state, number) => `  ${stateNode(state, number, crowded)}`),
    ...edges.map((edge) => `  ${stateEdge(edge, crowded)}`),
    ...styled(
      states,
      'initial',
      'fill:#e8f0fe,color:#202124,stroke-width:3px',
      (state) => state.initial,
    ),
    ...styled(states, 'broken', 'fill:#fce8e6,color:#202124', (state) => state.broken.length > 0),
    ...styled(states, 'marked', 'stroke:#d93025,stroke-width:3px', (state) => state.onRun),
    ...(onRun === '' ? [] : [`  linkStyle ${onRun} stroke:#d93025,stroke-width:3px`]),
    ...(broken === ''
      ? []
      : [`  linkStyle ${broken} stroke:#d93025,stroke-width:3px,stroke-dasharray:6 3`]),
    '',
  ].join('\n');
}

function styled(
  states: readonly ShownState[],
  name: string,
  style: string,
  wanted: (state: ShownState) => boolean,
): readonly string[] {
  const ids = states.flatMap((state, number) => (wanted(state) ? [`s${number}`] : []));
  return ids.length === 0
    ? []
    : [`  classDef ${name} ${style}`, `  class ${ids.join(',')} ${name}`];
}

function stateNode(state: ShownState, number: number, crowded: boolean): string {
  const { final, broken, label } = state;
  const brief = crowded && isBrief(state);
  const lines = [
    `state ${number}`,
    ...(brief ? [] : label),
    ...broken.map((name) => `broken: ${name}`),
  ];
  const text = `"${lines.map((line) => mermaidLines(line, STATE_ROOM)).join('<br/>')}"`;
  return final ? `s${number}[[${text}]]` : `s${number}(${text})`;
}

function stateEdge({ from, to, steps, broken, onRun }: ShownEdge, crowded: boolean): string {
  if (crowded && !onRun && broken.length === 0) return `s${from} --> s${to}`;
  const words = [
    ...steps.map(({ sentence }) => sentence),
    ...broken.map((name) => `broken: ${name}`),
  ];
  const text = words.map((line) => mermaidLines(line, STEP_ROOM)).join('<br/>');
  return `s${from} -->|"${text}"| s${to}`;
}
