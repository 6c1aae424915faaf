import { plainWords, type TraceStep } from '../../checker/index.ts';
import type { Cluster } from '../../model/index.ts';
import { answerShown } from '../answer/parts.ts';
import type { ReportDocument } from '../document/documents.ts';
import type { ShownTrace, TraceChoice } from '../document/traces.ts';
import { API_SERVER, deedOf, endingOf, isOfCollector } from '../text/run-words.ts';
import { type Snapshot, snapshots } from '../view/snapshot.ts';
import { answerDigraph } from './answer-dot.ts';
import { objectCluster, stateCluster } from './dot-objects.ts';
import { dotAttributes, dotLines, dotMarkup, folded } from './dot-text.ts';
import { brokenLines, captionOf, shortLines, shownIn, statusChange } from './picture-text.ts';

/**
 * A trace in the DOT language of Graphviz: the steps as a path from the objects at the start to the
 * objects at the end.
 */

/** Steps in a column; longer traces continue in the next column. */
const COLUMN = 12;
const ROOM = 42;
const FONT = 'fontname="Helvetica"';

export function renderDot(
  document: ReportDocument,
  { choice }: { readonly choice: TraceChoice },
): string {
  const drawn = answerShown(document, choice);
  return drawn === null ? traceDigraph(shownIn(document, choice)) : answerDigraph(drawn);
}

/** A graph that says why nothing can be shown. */
export function emptyDigraph(why: string): string {
  return `digraph reapcheck {\n  why [shape=note, label=${dotLines(folded([why], 60))}];\n}\n`;
}

export function traceDigraph(shown: ShownTrace): string {
  const { trace } = shown;
  const columns = columnsOf(trace.steps.length);
  const parts = objectParts(shown);
  return [
    'digraph trace {',
    ...[
      `graph [label=${dotLines(folded([captionOf(shown)], 110))}, labelloc=t, labeljust=l, ${FONT}, fontsize=13, newrank=true, ranksep=0.25, nodesep=0.35];`,
      `node [shape=plain, ${FONT}, fontsize=10];`,
      `edge [color="#5f6368", ${FONT}, fontsize=9, arrowsize=0.7];`,
      ...(parts?.first.lines ?? []),
      ...trace.steps.map((step, index) => stepNode(shown, step, index)),
      ...verdictNode(shown),
      ...(parts?.last.lines ?? []),
      ...pathEdges(trace.steps.length, columns),
      ...endEdges(shown),
      ...placing(columns, parts),
    ].map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n');
}

/** Numbers of the steps, by column. */
function columnsOf(steps: number): readonly (readonly number[])[] {
  const columns = Math.max(1, Math.ceil(steps / COLUMN));
  const height = Math.ceil(steps / columns);
  return Array.from({ length: columns }, (_, column) =>
    Array.from({ length: height }, (_row, row) => column * height + row).filter(
      (step) => step < steps,
    ),
  ).filter((column) => column.length > 0);
}

interface Part {
  readonly lines: readonly string[];
  readonly first: string;
}

/** Null: this version cannot read the states. */
function objectParts({
  setup,
  trace,
}: ShownTrace): { readonly first: Part; readonly last: Part } | null {
  const { initial, steps } = trace;
  const after = steps.at(-1)?.state ?? initial;
  const when = steps.length === 1 ? 'After the step' : `After step ${steps.length}`;
  if (setup === null) {
    return {
      first: stateCluster('first', 'At first', plainWords.state(initial)),
      last: stateCluster('last', when, plainWords.state(after)),
    };
  }
  let views: readonly [Snapshot, Snapshot];
  try {
    const view = snapshots(setup);
    views = [view(initial as Cluster), view(after as Cluster)];
  } catch {
    return null;
  }
  return {
    first: objectCluster('first', 'At first', views[0]),
    last: objectCluster('last', when, views[1]),
  };
}

function stepNode(shown: ShownTrace, step: TraceStep, index: number): string {
  const status = statusChange(shown, index);
  const isBroken = step.status === 'broken' && shown.property.broken.length > 0;
  const rows = [
    ...shortLines(deedOf(step), ROOM).map((line) => row(dotMarkup(line), '#ffffff')),
    ...step.changes.flatMap((change) => told(change.trim(), '#137333')),
    ...step.beliefs.flatMap((belief) => told(belief, '#b06000')),
    ...(status === null ? [] : told(status, '#5f6368')),
  ];
  const head = `<b>${index + 1}</b>  ${dotMarkup(step.actor)}`;
  const border = `border="1" cellborder="0" color="${isBroken ? '#b3261e' : '#5f6368'}"`;
  const table = `<table ${border} cellspacing="0" cellpadding="2">${row(head, colourOf(step.actor))}${rows.join('')}</table>`;
  return `step${index + 1} [label=<${table}>];`;
}

function told(text: string, colour: string): readonly string[] {
  return folded([text], ROOM).map((line) =>
    row(`<font color="${colour}" point-size="9">${dotMarkup(`  ${line}`)}</font>`, '#ffffff'),
  );
}

function row(content: string, colour: string): string {
  return `<tr><td align="left" bgcolor="${colour}">${content}</td></tr>`;
}

/** The colour of an actor's group: clients, API server, collector. */
function colourOf(actor: string): string {
  if (actor === API_SERVER) return '#e8eaed';
  return isOfCollector(actor) ? '#e6f4ea' : '#e8f0fe';
}

function verdictNode({ property, trace }: ShownTrace): readonly string[] {
  const ending = endingOf(trace);
  const lines = [...(ending === null ? [] : [ending]), ...brokenLines(property)];
  if (lines.length === 0) return [];
  return [
    `verdict${dotAttributes({
      label: dotLines(folded(lines, ROOM)),
      shape: 'box',
      style: '"rounded,filled"',
      margin: '"0.12,0.08"',
      ...(property.broken.length > 0
        ? { fillcolor: '"#fce8e6"', color: '"#b3261e"' }
        : { fillcolor: '"#f8f9fa"', color: '"#5f6368"' }),
    })};`,
  ];
}

function pathEdges(steps: number, columns: readonly (readonly number[])[]): readonly string[] {
  const heads = new Set(columns.map(([head]) => head));
  return Array.from({ length: Math.max(0, steps - 1) }, (_, index) => {
    const next = index + 1;
    const attributes = heads.has(next) ? ' [constraint=false, style=bold]' : ' [weight=10]';
    return `step${next} -> step${next + 1}${attributes};`;
  });
}

function endEdges({ trace, property }: ShownTrace): readonly string[] {
  const { steps, loopStart } = trace;
  const last = steps.length === 0 ? null : `step${steps.length}`;
  const hasVerdict = property.broken.length > 0 || trace.shape !== 'path';
  return [
    ...(last !== null && loopStart !== null
      ? [
          `${last} -> step${loopStart + 1} [constraint=false, style=bold, color="#b3261e", fontcolor="#b3261e", label=" for ever"];`,
        ]
      : []),
    ...(last !== null && hasVerdict ? [`${last} -> verdict [style=dashed, color="#b3261e"];`] : []),
  ];
}

/** Places the columns side by side, between the objects at the start and those at the end. */
function placing(
  columns: readonly (readonly number[])[],
  parts: ReturnType<typeof objectParts>,
): readonly string[] {
  const heads = columns.map(([head]) => `step${head! + 1}`);
  const across = [
    ...(parts === null ? [] : [parts.first.first]),
    ...heads,
    ...(parts === null ? [] : [parts.last.first]),
  ];
  return [
    `{ rank=same; ${across.join('; ')}; }`,
    ...(across.length < 2 ? [] : [`${across.join(' -> ')} [style=invis];`]),
  ];
}
