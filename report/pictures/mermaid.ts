import type { Trace, TraceStep } from '../../checker/index.ts';
import { answerShown } from '../answer/parts.ts';
import type { ReportDocument } from '../document/documents.ts';
import type { ShownTrace, TraceChoice } from '../document/traces.ts';
import { API_SERVER, deedOf, endingOf, GRAPH_BUILDER, isOfCollector } from '../text/run-words.ts';
import { answerFlowchart } from './answer-mermaid.ts';
import { MERMAID_MOST_CHARACTERS, mermaidComment, mermaidLines } from './mermaid-text.ts';
import { brokenLines, captionOf, shownIn, statusChange } from './picture-text.ts';

/** A trace as a sequence diagram of Mermaid: the requests between actors, and what they change. */

const MESSAGE_ROOM = 46;
const NOTE_ROOM = 54;
/** Keeps the text of a step within one actor clear of its number. */
const BELOW = '<br/>#160;';
/** How many first steps to show of a trace that is too long. */
const FIRST_SHOWN = 10;

export function renderMermaid(
  document: ReportDocument,
  { choice }: { readonly choice: TraceChoice },
): string {
  const drawn = answerShown(document, choice);
  return drawn === null ? sequenceDiagram(shownIn(document, choice)) : answerFlowchart(drawn);
}

/** A diagram that says why nothing can be shown. */
export function emptySequence(why: string): string {
  return `sequenceDiagram\n  participant p0 as reapcheck\n  Note over p0: ${mermaidLines(why, NOTE_ROOM)}\n`;
}

/** Leaves out changes, then steps in the middle, until the diagram is small enough for Mermaid. */
export function sequenceDiagram(shown: ShownTrace): string {
  const full = diagram(shown, { notes: true, last: null });
  if (full.length <= MERMAID_MOST_CHARACTERS) return full;
  const short = diagram(shown, { notes: false, last: null });
  if (short.length <= MERMAID_MOST_CHARACTERS) return short;
  let last = shown.trace.steps.length;
  let text = short;
  while (text.length > MERMAID_MOST_CHARACTERS && last > 1) {
    last = Math.floor(last * 0.8);
    text = diagram(shown, { notes: false, last });
  }
  return text;
}

interface Extent {
  /** Whether to show what each step changes. */
  readonly notes: boolean;
  /** How many last steps to show besides the first ones; null: all. */
  readonly last: number | null;
}

function diagram(shown: ShownTrace, { notes, last }: Extent): string {
  const { property, trace } = shown;
  const people = participants(shown);
  const resume = last === null ? 0 : trace.steps.length - last;
  const steps = trace.steps.flatMap((step, index): readonly string[] => {
    const opening = trace.loopStart === index ? ['loop for ever'] : [];
    if (last === null || index < FIRST_SHOWN || index >= resume) {
      return [...opening, ...stepLines(people, shown, step, index, notes)];
    }
    const gap = `Steps ${FIRST_SHOWN + 1} to ${resume} are left out: Mermaid draws no larger diagrams.`;
    return [
      ...(index === FIRST_SHOWN ? [overAll(people, [gap]), `autonumber ${resume + 1} 1`] : []),
      ...opening,
    ];
  });
  const ending = endingOf(trace);
  const verdict = brokenLines(property);
  const lines = [
    ...people.declared,
    'autonumber',
    ...(notes ? [overAll(people, firstLines(trace))] : []),
    ...steps,
    ...(trace.loopStart === null ? [] : ['end']),
    ...(ending === null ? [] : [overAll(people, [ending])]),
    ...(verdict.length === 0
      ? []
      : ['rect rgba(220, 60, 60, 0.25)', overAll(people, verdict), 'end']),
  ];
  const caption = mermaidComment(captionOf(shown));
  return ['sequenceDiagram', caption, ...lines].map(indented()).join('');
}

/** Indents blocks, so that the source is readable. */
function indented(): (line: string, index: number) => string {
  let depth = 1;
  return (line, index) => {
    if (index === 0) return `${line}\n`;
    if (line === 'end') depth--;
    const text = `${'  '.repeat(depth)}${line}\n`;
    if (/^(loop|rect|box) /.test(line)) depth++;
    return text;
  };
}

interface Participants {
  readonly declared: readonly string[];
  /** Ids in the diagram, by actor. */
  readonly ids: ReadonlyMap<string, string>;
  readonly first: string;
  readonly last: string;
}

/** Clients on the left, the API server, then the collector in a box of its own. */
function participants({ setup, trace: { steps } }: ShownTrace): Participants {
  const hasServer = setup !== null;
  const actors = [...new Set(steps.map(({ actor }) => actor))];
  const isTold = hasServer && steps.some((step) => receiver(step) === GRAPH_BUILDER);
  const collector = [
    ...new Set([
      ...(isTold ? [GRAPH_BUILDER] : []),
      ...actors.filter((actor) => hasServer && isOfCollector(actor)),
    ]),
  ].sort((a, b) => Number(b === GRAPH_BUILDER) - Number(a === GRAPH_BUILDER));
  const left = actors.filter(
    (actor) => !hasServer || (actor !== API_SERVER && !isOfCollector(actor)),
  );
  const clients = hasServer ? [...left, API_SERVER] : left;
  const order = [...clients, ...collector];
  const ids = new Map(order.map((actor, index) => [actor, `p${index}`]));
  const declared = (actor: string): string =>
    `participant ${ids.get(actor)} as ${mermaidLines(actor, 20)}`;
  return {
    declared: [
      ...clients.map(declared),
      ...(collector.length === 0
        ? []
        : ['box garbage collector', ...collector.map(declared), 'end']),
    ],
    ids,
    first: 'p0',
    last: `p${order.length - 1}`,
  };
}

/** The actor that a step addresses; null: it concerns its own actor only. */
function receiver(step: TraceStep): string | null {
  const deed = deedOf(step);
  if (step.actor === API_SERVER) return null;
  if (/^(GET|LIST|POST|PUT|PATCH|DELETE) |^asks discovery/.test(deed)) return API_SERVER;
  if (/ in the graph\b|^searches the graph/.test(deed)) return GRAPH_BUILDER;
  return null;
}

function stepLines(
  { ids }: Participants,
  shown: ShownTrace,
  step: TraceStep,
  index: number,
  notes: boolean,
): readonly string[] {
  const actor = ids.get(step.actor)!;
  const isRequest = shown.setup !== null;
  const addressed = isRequest ? receiver(step) : null;
  const other = ids.get(addressed ?? step.actor)!;
  const deed = deedOf(step);
  const text = mermaidLines(deed, MESSAGE_ROOM);
  // An event comes from the API server, which does not wait for an answer.
  const message =
    isRequest && deed.startsWith('sees ')
      ? `${ids.get(API_SERVER)}-)${actor}: ${text}`
      : `${actor}->>${other}: ${text}${actor === other ? BELOW : ''}`;
  const status = statusChange(shown, index);
  const told = [
    ...step.changes.map((change) => change.trim()),
    ...step.beliefs,
    ...(status === null ? [] : [status]),
  ];
  if (!notes || told.length === 0) return [message];
  const place = addressed === GRAPH_BUILDER ? actor : other;
  return [message, `Note over ${place}: ${noteText(told, NOTE_ROOM)}`];
}

function firstLines({ initialLines }: Trace): readonly string[] {
  return initialLines.length === 0 ? ['At first there is nothing'] : ['At first', ...initialLines];
}

/** A note over several actors is as wide as the distance between them, whatever its text. */
function overAll({ ids, first, last }: Participants, lines: readonly string[]): string {
  const whom = first === last ? first : `${first},${last}`;
  const room = Math.min(100, Math.max(NOTE_ROOM, 20 * ids.size) - (ids.size === 2 ? 20 : 0));
  return `Note over ${whom}: ${noteText(lines, room)}`;
}

function noteText(lines: readonly string[], room: number): string {
  return lines.map((line) => mermaidLines(line, room)).join('<br/>');
}
