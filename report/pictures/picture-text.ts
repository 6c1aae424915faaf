import type { PropertyResult } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { filled, plural } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { ReportDocument } from '../document/documents.ts';
import { chosenTrace, type ShownTrace, type TraceChoice } from '../document/traces.ts';
import { runTitle } from '../text/run-words.ts';

/** Words that all pictures share. Each picture escapes them for its language. */

/** Text in lines of at most `room` characters; a longer word is split. */
export function shortLines(text: string, room: number): readonly string[] {
  return filled(escaped(text), room);
}

/** The title of a trace: check, property, number of steps. */
export function captionOf({ check, property, trace }: ShownTrace): string {
  return `${check}: ${runTitle(property)}, ${plural(trace.steps.length, 'step')}`;
}

/** How a step changes the status of a leads-to or witness; other properties break at the end. */
export function statusChange({ trace, property }: ShownTrace, index: number): string | null {
  const before = trace.steps[index - 1]?.status ?? trace.initialStatus;
  const { status } = trace.steps[index]!;
  if (status === before) return null;
  switch (status) {
    case 'pending':
      return `pending from here on: ${property.name}`;
    case 'met':
      return `met: ${property.name}`;
    case 'reached':
      return `reached: ${property.name}`;
    case 'idle':
    case 'holds':
    case 'broken':
      return null;
    default:
      throw new Error(`unknown status ${status satisfies never}`);
  }
}

/** The clauses that a counterexample breaks; nothing for an example. */
export function brokenLines({ broken }: PropertyResult): readonly string[] {
  return broken.map((clause, index) => (index === 0 ? `broken: ${clause}` : clause));
}

/**
 * The one trace that a picture shows. Throws `InputError` without one, or if its loop is unsound.
 */
export function shownIn(document: ReportDocument, choice: TraceChoice): ShownTrace {
  const { shown } = chosenTrace(document, choice);
  const { shape, loopStart, steps } = shown.trace;
  const isLasso = loopStart !== null && loopStart >= 0 && loopStart < steps.length;
  if (isLasso !== (shape === 'lasso')) throw MESSAGES.unsoundTrace(shown.property.name);
  return shown;
}
