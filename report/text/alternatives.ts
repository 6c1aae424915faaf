import type { Alternative, PropertyResult, Trace, TraceDifference } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { plural, wrapped } from '../../text/layout.ts';
import { classesWords } from './run-words.ts';
import { type TraceLook, traceLines } from './trace.ts';

/** How many sentences to show of each kind of difference. */
const SHOWN = 4;

/** The further counterexamples to a property, and how many classes there are. */
export function alternativeLines(
  property: PropertyResult,
  look: TraceLook,
  tokenOf: (trace: Trace) => string | null,
): string[] {
  const { alternatives } = property;
  if (alternatives === undefined) return [];
  const { counterexamples, compared } = alternatives;
  const shown = counterexamples.length + 1;
  return [
    ...counterexamples.flatMap((alternative) => [
      '',
      ...anotherLines(property, alternative, { ...look, token: tokenOf(alternative.trace) }),
    ]),
    '',
    ...wrapped(
      `Shown: ${shown} of ${classesWords(alternatives)} of counterexamples to "${escaped(property.name)}". Compared: ${escaped(compared)}.`,
      '  ',
    ).map(look.colors.dim),
  ];
}

function anotherLines(
  { name, kind }: PropertyResult,
  { parameters, trace, broken, differs }: Alternative,
  look: TraceLook,
): string[] {
  const told: PropertyResult = {
    ...{ name, kind, parameters, trace, broken },
    ...{ verdict: 'violated', triggered: 0, reason: null },
  };
  const [, ...lines] = traceLines(told, look);
  const steps = plural(trace.steps.length, 'step');
  return [
    look.colors.bold(`Another counterexample to "${escaped(name)}" (${steps})`),
    ...differenceLines(differs).map(look.colors.cyan),
    ...lines,
  ];
}

function differenceLines({ added, missing, reordered }: TraceDifference): string[] {
  return [
    ...some('differs: with  ', added),
    ...some('differs: without  ', missing),
    ...some(
      'differs: other order  ',
      reordered.map(({ first, then }) => `first "${first}", then "${then}"`),
    ),
  ];
}

function some(head: string, sentences: readonly string[]): string[] {
  const rest = sentences.length - SHOWN;
  const shown = rest > 1 ? [...sentences.slice(0, SHOWN), `and ${rest} more`] : sentences;
  return shown.flatMap((sentence) => wrapped(escaped(sentence), `  ${head}`));
}
