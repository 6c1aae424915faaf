import type { FairnessMet, PropertyResult, PropertyStatus, Trace } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, plural, shellQuoted, wrapped } from '../../text/layout.ts';
import { endingOf, parameterWords, runTitle } from './run-words.ts';
import { stateLines } from './state.ts';

const CHANGE_INDENT = '         ';

/** How to show a trace. */
export interface TraceLook {
  readonly colors: Colors;
  /** Name of a property with the same steps, whose trace is printed above. */
  readonly sameAs?: string | null;
  /** The token that replays it. */
  readonly token?: string | null;
  /** Whether to show the whole state after each step. */
  readonly full?: boolean;
  /** Replaces the default headline, which says that the run is a shortest one. */
  readonly headline?: string;
}

/**
 * A counterexample, or the example of a witness: the initial state in short, then numbered steps
 * with
 * what each changes, then how the run continues for ever, and the clauses that it breaks.
 */
export function traceLines(property: PropertyResult, look: TraceLook): string[] {
  const { trace } = property;
  if (trace === null) return [];
  const { colors, sameAs = null, token = null, full = false } = look;
  return [
    colors.bold(look.headline ?? headline(property, trace)),
    ...parameterLines(property),
    ...(sameAs === null
      ? ['', ...runLines(trace, colors, full)]
      : wrapped(escaped(`the same steps as for "${sameAs}"`), '  ')),
    ...endLines(trace, colors),
    ...property.broken.flatMap((clause, index) =>
      wrapped(escaped(clause), index === 0 ? '  broken: ' : '          ').map(colors.red),
    ),
    // Not wrapped, so that it can be copied.
    ...(token === null || sameAs !== null
      ? []
      : [colors.dim(`  replay: reapcheck replay ${escaped(shellQuoted(token))}`)]),
  ];
}

/** The initial state and the steps of a run. */
export function runLines(trace: Trace, colors: Colors, full: boolean): string[] {
  const width = String(trace.steps.length).length;
  const whole = (state: unknown): string[] =>
    full ? stateLines(state, CHANGE_INDENT).map(colors.dim) : [];
  return [
    ...initialLines(trace, colors),
    ...whole(trace.initial),
    ...trace.steps.flatMap((step, index) => {
      const earlier = index === 0 ? trace.initialStatus : trace.steps[index - 1]!.status;
      return [
        ...(trace.loopStart === index ? [colors.cyan('  From here it repeats for ever:')] : []),
        ...stepLines(step.status, String(index + 1).padStart(width), step.sentence, colors),
        ...step.beliefs.flatMap((belief) => beliefLines(belief, colors)),
        ...step.changes.flatMap((change) => changeLines(change, colors)),
        ...statusLines(earlier, step.status, colors),
        ...whole(step.state),
      ];
    }),
  ];
}

function headline(property: PropertyResult, trace: Trace): string {
  const steps = plural(trace.steps.length, 'step');
  return `${escaped(runTitle(property))} (${steps}${lengthNote(property, trace)})`;
}

function lengthNote(property: PropertyResult, { steps }: Trace): string {
  const { kind, shortenedFrom, continuedFrom } = property;
  if (shortenedFrom !== undefined) {
    return shortenedFrom > steps.length ? `, shortened from ${shortenedFrom}` : '';
  }
  if (continuedFrom !== undefined) {
    return continuedFrom < steps.length
      ? `, the first ${continuedFrom} of them given`
      : ', all given';
  }
  // Of an endless run only the part before the loop is as short as possible.
  return kind === 'eventually' ? '' : ', a shortest one';
}

function parameterLines({ parameters }: PropertyResult): string[] {
  const words = parameterWords(parameters);
  return words === null ? [] : wrapped(escaped(words), '  ');
}

/** The status of the property after a step, shown before the number of the step. */
const MARKS: Readonly<Record<PropertyStatus, string>> = {
  idle: ' ',
  holds: '.',
  pending: '?',
  met: '+',
  reached: '+',
  broken: '!',
};

function marked(status: PropertyStatus, colors: Colors): string {
  const mark = MARKS[status];
  if (status === 'broken') return colors.red(mark);
  return status === 'pending' ? colors.yellow(mark) : colors.dim(mark);
}

function initialLines(trace: Trace, colors: Colors): string[] {
  return [
    `${marked(trace.initialStatus, colors)} ${colors.dim('At first')}`,
    ...trace.initialLines.flatMap((line) =>
      wrapped(escaped(line), CHANGE_INDENT, `${CHANGE_INDENT}  `).map(colors.dim),
    ),
    ...statusLines('idle', trace.initialStatus, colors),
  ];
}

function stepLines(
  status: PropertyStatus,
  number: string,
  sentence: string,
  colors: Colors,
): string[] {
  const first = ` ${number}  `;
  const [head = '', ...rest] = wrapped(escaped(sentence), ` ${first}`);
  const told = head.slice(1 + first.length);
  const actor = told.match(/^[^:]{1,40}:/)?.[0] ?? '';
  const line = `${colors.dim(first)}${colors.bold(actor)}${told.slice(actor.length)}`;
  return [`${marked(status, colors)}${line}`, ...rest];
}

function beliefLines(belief: string, colors: Colors): string[] {
  return wrapped(escaped(belief), CHANGE_INDENT, `${CHANGE_INDENT}  `).map(colors.magenta);
}

/** A line that the describer indents belongs to the line before. */
function changeLines(change: string, colors: Colors): string[] {
  const own = change.match(/^ */)?.[0] ?? '';
  const indent = CHANGE_INDENT + own;
  const lines = wrapped(escaped(change.trimStart()), indent, `${indent}  `);
  return lines.map(/\b(blocked by|held by|because)\b/.test(change) ? colors.yellow : colors.green);
}

/** When a leads-to becomes pending or is met; for other properties the marks are enough. */
function statusLines(before: PropertyStatus, now: PropertyStatus, colors: Colors): string[] {
  if (before === now) return [];
  if (now === 'pending') return [colors.yellow(`${CHANGE_INDENT}pending from here on`)];
  return now === 'met' ? [colors.dim(`${CHANGE_INDENT}no longer pending`)] : [];
}

function endLines(trace: Trace, colors: Colors): string[] {
  const ending = endingOf(trace);
  if (ending === null) return [];
  const fair = trace.shape === 'lasso' ? fairnessLines(trace.fairness) : [];
  return [colors.cyan(`  ${ending}`), ...fair.map(colors.dim)];
}

const MOST_DISABLED = 4;

/** Why the loop keeps the promise to every action that must happen. */
function fairnessLines(fairness: readonly FairnessMet[]): string[] {
  const taken = (kind: FairnessMet['fairness']): string[] => {
    const steps = fairness.filter(
      ({ by, fairness: own, group }) => by === 'taken' && own === kind && group === undefined,
    );
    if (steps.length === 0) return [];
    const numbers = steps.map(({ step }) => step + 1).sort((a, b) => a - b);
    const noun = numbers.length === 1 ? 'step' : 'steps';
    return [`it takes what is bound to happen (${kind}ly fair) in ${noun} ${numbers.join(', ')}`];
  };
  const disabled = fairness.filter(({ by }) => by === 'disabled');
  const items = [
    ...taken('strong'),
    ...taken('weak'),
    ...fairness.flatMap(({ by, group, step }) =>
      by === 'taken' && group !== undefined
        ? [`what is promised to ${group} is kept by step ${step + 1}`]
        : [],
    ),
    ...disabled
      .slice(0, MOST_DISABLED)
      .map(({ sentence, group, step }) =>
        group === undefined
          ? `not possible after step ${step + 1}: ${sentence}`
          : `none of them is possible after step ${step + 1}: ${group}`,
      ),
    ...(disabled.length > MOST_DISABLED
      ? [`and ${disabled.length - MOST_DISABLED} more that are not possible all the way round`]
      : []),
  ];
  return (items.length === 0 ? ['nothing that is bound to happen is possible on the way'] : items)
    .map((item) => escaped(item))
    .flatMap((item, index) => wrapped(item, index === 0 ? '  fair:   ' : '          '));
}
