import type { ReportDocument } from '../document/documents.ts';
import {
  chosenGraph,
  type ShownEdge,
  type ShownGraph,
  type ShownState,
} from '../document/state-graphs.ts';
import type { TraceChoice } from '../document/traces.ts';
import { dotAttributes, dotLines, dotTooltip, folded } from './dot-text.ts';
import { graphCaption, isBrief, isCrowded } from './state-words.ts';

/** All states of a small check and the steps between them, in the DOT language of Graphviz. */

const STATE_ROOM = 34;
const STEP_ROOM = 30;
const RED = '"#b3261e"';

export function renderDotStates(
  document: ReportDocument,
  { choice }: { readonly choice: TraceChoice },
): string {
  return stateDigraph(chosenGraph(document, choice));
}

export function stateDigraph(graph: ShownGraph): string {
  const crowded = isCrowded(graph);
  const caption = dotLines(folded(graphCaption(graph), 90));
  const font = 'fontname="Helvetica"';
  return [
    'digraph states {',
    `  graph [label=${caption}, labelloc=t, labeljust=l, ${font}, fontsize=12, ranksep=0.35, nodesep=0.3];`,
    `  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#5f6368", ${font}, fontsize=10, margin="0.14,0.06"];`,
    `  edge [color="#5f6368", fontcolor="#3c4043", ${font}, fontsize=9, arrowsize=0.7];`,
    ...graph.states.map((state, number) => `  ${stateNode(state, number, crowded)}`),
    ...graph.edges.map((edge) => `  ${stateEdge(edge, crowded)}`),
    '}',
    '',
  ].join('\n');
}

function stateNode(state: ShownState, number: number, crowded: boolean): string {
  const { initial, final, broken, onRun } = state;
  const brief = crowded && isBrief(state);
  const lines = folded([...state.label, ...broken.map((name) => `broken: ${name}`)], STATE_ROOM);
  return `s${number}${dotAttributes({
    label: brief ? String(number) : dotLines([`state ${number}`, ...lines]),
    tooltip: dotTooltip([`state ${number}`, ...state.lines, ...broken]),
    ...(final ? { peripheries: '2' } : {}),
    ...(initial ? { fillcolor: '"#e8f0fe"', penwidth: '2' } : {}),
    ...(onRun ? { color: RED, penwidth: '2' } : {}),
    ...(broken.length > 0 ? { fillcolor: '"#fce8e6"' } : {}),
  })};`;
}

/** Keeps the words clear of their arrow. */
function beside(lines: readonly string[]): readonly string[] {
  return lines.map((line) => ` ${line}`);
}

function stateEdge({ from, to, steps, broken, onRun }: ShownEdge, crowded: boolean): string {
  const marked = onRun || broken.length > 0;
  const sentences = steps.map(({ sentence }) => sentence);
  const words = [...sentences, ...broken.map((name) => `broken: ${name}`)];
  return `s${from} -> s${to}${dotAttributes({
    ...(crowded && !marked ? {} : { label: dotLines(beside(folded(words, STEP_ROOM))) }),
    tooltip: dotTooltip(words),
    ...(onRun ? { color: RED, penwidth: '2.2', fontcolor: RED } : {}),
    ...(broken.length > 0 ? { style: 'dashed', color: RED } : {}),
  })};`;
}
