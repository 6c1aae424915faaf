import type { PropertyResult, Trace } from '../../checker/index.ts';
import { formatKey } from '../../model/apiserver/format.ts';
import { escaped } from './escape.ts';
import { type Colors, plural, wrapped } from './layout.ts';

const CHANGE_INDENT = '         ';

/**
 * A counterexample, or the example of a witness: the initial state in short, then numbered steps,
 * each with what it changes and nothing else; where it comes back to; and the clause that breaks.
 */
export function traceLines(
  property: PropertyResult,
  colors: Colors,
  /** Name of a property whose trace has the same steps and has been printed already. */
  sameAs: string | null = null,
): string[] {
  const { trace } = property;
  if (trace === null) return [];
  return [
    colors.bold(`${headline(property, trace)}`),
    ...parameterLines(property),
    ...(sameAs === null
      ? runLines(trace, colors)
      : wrapped(escaped(`the same steps as for "${sameAs}"`), '  ')),
    ...endLines(trace, colors),
    ...property.broken.flatMap((clause, index) =>
      wrapped(escaped(clause), index === 0 ? '  broken: ' : '          ').map(colors.red),
    ),
  ];
}

function runLines(trace: Trace, colors: Colors): string[] {
  const width = String(trace.steps.length).length;
  return [
    '',
    ...initialLines(trace, colors),
    ...trace.steps.flatMap((step, index) => [
      ...(trace.loopStart === index ? [colors.cyan('  From here it repeats for ever:')] : []),
      ...stepLines(String(index + 1).padStart(width), step.sentence, colors),
      ...step.changes.flatMap((change) => changeLines(change, colors)),
    ]),
  ];
}

function headline(property: PropertyResult, trace: Trace): string {
  const steps = plural(trace.steps.length, 'step');
  const what = property.kind === 'witness' ? 'Example for' : 'Counterexample to';
  // Of endless runs only the way into the loop is known to be a shortest one.
  const shortest = property.kind === 'eventually' ? '' : ', a shortest one';
  return `${what} "${escaped(property.name)}" (${steps}${shortest})`;
}

function parameterLines({ parameters }: PropertyResult): string[] {
  const entries = Object.entries(parameters ?? {});
  if (entries.length === 0) return [];
  const words = entries
    .map(([name, value]) => (name === 'key' ? formatKey(String(value)) : `${name} ${value}`))
    .join(', ');
  return wrapped(escaped(`for ${words}`), '  ');
}

function initialLines(trace: Trace, colors: Colors): string[] {
  return [
    colors.dim('  At first'),
    ...trace.initialLines.flatMap((line) =>
      wrapped(escaped(line), CHANGE_INDENT, `${CHANGE_INDENT}  `).map(colors.dim),
    ),
  ];
}

function stepLines(number: string, sentence: string, colors: Colors): string[] {
  const first = `  ${number}  `;
  const [head = '', ...rest] = wrapped(escaped(sentence), first);
  const actor = head.slice(first.length).match(/^[^:]{1,40}:/)?.[0] ?? '';
  const bold = `${colors.dim(first)}${colors.bold(actor)}${head.slice(first.length + actor.length)}`;
  return [bold, ...rest];
}

/** A line that the describer indents itself belongs to the one before. */
function changeLines(change: string, colors: Colors): string[] {
  const own = change.match(/^ */)?.[0] ?? '';
  const indent = CHANGE_INDENT + own;
  const lines = wrapped(escaped(change.trimStart()), indent, `${indent}  `);
  return lines.map(/\b(blocked by|held by|because)\b/.test(change) ? colors.yellow : colors.green);
}

function endLines(trace: Trace, colors: Colors): string[] {
  switch (trace.shape) {
    case 'path':
      return [];
    case 'stutter':
      return [
        colors.cyan('  Stays like this for ever: nothing that is bound to happen changes it.'),
      ];
    case 'lasso': {
      const start = (trace.loopStart ?? 0) + 1;
      return [colors.cyan(`  Back to the state before step ${start}, and so on for ever.`)];
    }
    default:
      throw new Error(`unknown shape ${trace.shape satisfies never}`);
  }
}
