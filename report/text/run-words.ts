import type { PropertyResult, Trace, TraceStep } from '../../checker/index.ts';
import { isOutcome } from '../../input/scenarios/outcomes.ts';
import { formatKey } from '../../model/index.ts';
import { plural } from '../../text/layout.ts';

/**
 * Words about runs that several renderers share, as plain text: a renderer escapes them for the
 * language that it writes.
 */

export const API_SERVER = 'API server';
export const GRAPH_BUILDER = 'graph builder';

/** Whether an actor is a part of the garbage collector. */
export function isOfCollector(actor: string): boolean {
  return actor === GRAPH_BUILDER || actor.startsWith('gc ') || actor.startsWith('watch of ');
}

/** The sentence of a step without its actor, for places that show the actor otherwise. */
export function deedOf({ actor, sentence }: Pick<TraceStep, 'actor' | 'sentence'>): string {
  return sentence.startsWith(`${actor}: `) ? sentence.slice(actor.length + 2) : sentence;
}

/**
 * What a trace shows about its property. A run that ends in an outcome is an example of the
 * outcome, also where the outcome is expected never.
 */
export function runNoun({
  kind,
  name,
}: Pick<PropertyResult, 'kind' | 'name'>): 'Counterexample' | 'Example' {
  const showsOutcome = isOutcome(name) && kind === 'invariant';
  return kind === 'witness' || showsOutcome ? 'Example' : 'Counterexample';
}

/** `Counterexample to "every deletion finishes"`. */
export function runTitle(property: Pick<PropertyResult, 'kind' | 'name'>): string {
  const noun = runNoun(property);
  return `${noun} ${noun === 'Example' ? 'for' : 'to'} "${property.name}"`;
}

/** How a run continues for ever; null if it is finite. */
export function endingOf({ shape, loopStart }: Pick<Trace, 'shape' | 'loopStart'>): string | null {
  switch (shape) {
    case 'path':
      return null;
    case 'stutter':
      return 'Stays like this for ever: nothing that is bound to happen changes it.';
    case 'lasso':
      return `Back to the state before step ${(loopStart ?? 0) + 1}, and so on for ever.`;
    default:
      throw new Error(`unknown shape ${JSON.stringify(shape satisfies never)}`);
  }
}

/** Equal for runs that take the same steps from the same initial state. */
export function stepsKey({ initialIndex, steps }: Pick<Trace, 'initialIndex' | 'steps'>): string {
  return JSON.stringify([
    initialIndex,
    steps.map(({ action, parameters }) => [action, parameters]),
  ]);
}

/** `for ConfigMap/a, uid u-1`; null for a property without parameters. */
export function parameterWords(parameters: PropertyResult['parameters']): string | null {
  const words = Object.entries(parameters ?? {}).map(([name, value]) =>
    name === 'key' && isObjectKey(String(value)) ? formatKey(String(value)) : `${name} ${value}`,
  );
  return words.length === 0 ? null : `for ${words.join(', ')}`;
}

/** Whether it is a key of an object, and not a parameter of that name of an author's model. */
function isObjectKey(text: string): boolean {
  return /^[^/]+\/[^/]*\/[^/]+$/.test(text);
}

/** `exercised in 12 states`; null if nothing exercised the property. */
export function exercisedWords(property: PropertyResult): string | null {
  const { kind, verdict, triggered } = property;
  if (verdict === 'vacuous' || triggered === 0) return null;
  return `exercised in ${plural(triggered, kind === 'step' ? 'step' : 'state')}`;
}

/** `at least 3 classes`: how many kinds of counterexamples there are. */
export function classesWords({
  classes,
  complete,
}: NonNullable<PropertyResult['alternatives']>): string {
  return `${complete ? '' : 'at least '}${classes} ${classes === 1 ? 'class' : 'classes'}`;
}

/** A value as JSON with blanks, so that it can be wrapped into lines. */
export function valueText(value: unknown): string {
  return JSON.stringify(value, null, 1)?.replaceAll(/\n\s*/g, ' ') ?? 'nothing';
}
