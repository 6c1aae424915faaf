import type { GraphTransition, StateGraphReport } from '../../checker/index.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { ReportDocument } from './documents.ts';
import type { CheckReport } from './result-document.ts';
import type { TraceChoice } from './traces.ts';

export type RecordedGraph = Extract<StateGraphReport, { readonly kind: 'recorded' }>;

/** A graph as a picture shows it. */
export interface ShownGraph {
  /** Title of the check. */
  readonly check: string;
  readonly states: readonly ShownState[];
  /** At most one edge between two states, in each direction. */
  readonly edges: readonly ShownEdge[];
  /** The marked trace; null without one. */
  readonly run: { readonly property: string; readonly violated: boolean } | null;
  /** States that differ by one of this many renamings are one. */
  readonly renamings: number;
}

export interface ShownState {
  readonly initial: boolean;
  /** No transition leaves it. */
  readonly final: boolean;
  /** The lines that distinguish it from other states, not necessarily from each of them. */
  readonly label: readonly string[];
  /** All lines that describe it. */
  readonly lines: readonly string[];
  readonly broken: readonly string[];
  readonly onRun: boolean;
}

export interface ShownEdge {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly Pick<GraphTransition, 'actor' | 'sentence'>[];
  readonly broken: readonly string[];
  readonly onRun: boolean;
}

/** The checks of a document that recorded their graph, in order. */
export function graphsIn(
  document: ReportDocument,
): readonly { readonly report: CheckReport; readonly graph: RecordedGraph }[] {
  return checksOf(document).flatMap((report) => {
    const { stateGraph } = report.result;
    return stateGraph?.kind === 'recorded' ? [{ report, graph: stateGraph }] : [];
  });
}

/**
 * The graph that a picture shows: that of the chosen check, or else the first one. It marks the
 * trace
 * of the chosen property, or else the first counterexample. Throws `InputError` without a graph.
 */
export function chosenGraph(
  document: ReportDocument,
  { check, property }: TraceChoice,
): ShownGraph {
  const graphs = graphsIn(document);
  const titles = checksOf(document).map(({ title }) => title);
  if (check !== null && titles.length > 0 && !titles.includes(check)) {
    throw MESSAGES.noTrace(check, titles);
  }
  const found = graphs.find(({ report }) => check === null || report.title === check);
  if (found === undefined) throw MESSAGES.noStateGraph(whyNot(document, check));
  const { report, graph } = found;
  demandSound(graph);
  const known = graph.runs.map((run) => run.property);
  if (property !== null && !known.includes(property)) throw MESSAGES.noTrace(property, known);
  const violated = new Set(
    report.result.properties
      .filter(({ verdict }) => verdict === 'violated')
      .map(({ name }) => name),
  );
  const run =
    graph.runs.find((one) =>
      property === null ? violated.has(one.property) : one.property === property,
    ) ?? null;
  return {
    check: report.title,
    ...pictured(graph, run?.states ?? [], report.setup !== null),
    run: run && { property: run.property, violated: violated.has(run.property) },
    renamings: graph.renamings,
  };
}

function checksOf(document: ReportDocument): readonly CheckReport[] {
  return document.schema === 'reapcheck.result/v1' ? document.checks : [];
}

/** Why the search recorded no graph; null: it was not asked to. */
function whyNot(document: ReportDocument, check: string | null): string | null {
  for (const { title, result } of checksOf(document)) {
    if (check !== null && title !== check) continue;
    if (result.stateGraph?.kind === 'omitted') return result.stateGraph.reason;
  }
  return null;
}

/** Throws `InputError` on indexes out of range: a document may have been edited. */
function demandSound({ states, transitions, runs }: RecordedGraph): void {
  const numbers = [
    ...transitions.flatMap(({ from, to }) => [from, to]),
    ...runs.flatMap((run) => run.states),
  ];
  const strange = numbers.find((number) => states[number] === undefined);
  if (strange !== undefined) throw MESSAGES.unsoundStateGraph(strange, states.length);
}

function pictured(
  { states, transitions }: RecordedGraph,
  run: readonly number[],
  isCluster: boolean,
): Pick<ShownGraph, 'states' | 'edges'> {
  const edges = new Map<string, ShownEdge>();
  const steps = new Set(run.slice(1).map((to, index) => `${run[index]} ${to}`));
  for (const { from, to, actor, sentence, broken } of transitions) {
    const key = `${from} ${to}`;
    const before = edges.get(key);
    edges.set(key, {
      from,
      to,
      steps: [...(before?.steps ?? []), { actor, sentence }],
      broken: [...new Set([...(before?.broken ?? []), ...broken])],
      onRun: steps.has(key),
    });
  }
  const left = new Set(transitions.map(({ from }) => from));
  const passed = new Set(run);
  const all = states.map(({ lines }) => lines);
  const labels = distinguishing(all, isCluster ? isOfObject : () => false);
  return {
    states: states.map(({ initial, lines, broken }, number) => ({
      initial,
      final: !left.has(number),
      label: labels[number]!,
      lines,
      broken,
      onRun: passed.has(number),
    })),
    edges: [...edges.values()],
  };
}

/**
 * For each state, the lines that not all states have. A thing that other states have is named as
 * missing.
 *
 * @param isOfThing whether a line describes a thing, which may be missing.
 */
export function distinguishing(
  all: readonly (readonly string[])[],
  isOfThing: (line: string) => boolean = isOfObject,
): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const line of all.flatMap((lines) => [...new Set(lines)])) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const differing = [...counts].filter(([, count]) => count < all.length).map(([line]) => line);
  const things = [...new Set(differing.filter(isOfThing).map(thingOf))];
  return all.map((lines) => {
    const there = new Set(lines.filter(isOfThing).map(thingOf));
    return [
      ...things.filter((thing) => !there.has(thing)).map((thing) => `no ${thing}`),
      ...lines.filter((line) => counts.get(line)! < all.length),
    ];
  });
}

/** Whether a line describes an object (`Kind/name, ...`) and not a queue (`queue: ...`). */
function isOfObject(line: string): boolean {
  return !line.includes(': ');
}

function thingOf(line: string): string {
  return line.split(', ', 1)[0] ?? line;
}
