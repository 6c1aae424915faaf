import type { PropertyResult } from '../../checker/index.ts';
import { isOutcome } from '../../input/scenarios/outcomes.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, plural, wrapped } from '../../text/layout.ts';
import type { ReplayOutcome } from '../document/replay.ts';
import { runNoun, runTitle } from './run-words.ts';
import { stateLines } from './state.ts';
import { traceLines } from './trace.ts';

/** A state of a run, and the steps that are possible in it. */
export interface Point {
  readonly state: unknown;
  readonly possible: readonly {
    readonly action: string;
    readonly parameters: Readonly<Record<string, string | number | boolean>>;
    readonly sentence: string;
  }[];
}

/** A run that has been executed again. */
export interface Replayed {
  /** Number of the check in the file, from 1; null for a token. */
  readonly check: number | null;
  readonly title: string;
  readonly told: PropertyResult;
  readonly outcome: ReplayOutcome;
  /** Where it was stopped, or where it differs from the record. */
  readonly point: Point | null;
}

/** The steps, the outcome, and what is possible in the last state. */
export function replayLines(replayed: Replayed, colors: Colors, full: boolean): string[] {
  const { title, told, outcome, point } = replayed;
  return [
    colors.bold(escaped(title)),
    ...traceLines(told, { colors, full, headline: headline(replayed) }),
    ...verdictLines(replayed, colors),
    ...(outcome.outcome === 'stopped' && point !== null && !full
      ? [colors.dim('  the state there'), ...stateLines(point.state, '    ').map(colors.dim)]
      : []),
    ...(point === null ? [] : possibleLines(point)),
  ];
}

function headline({ told, outcome, check }: Replayed): string {
  const steps = plural(told.trace?.steps.length ?? 0, 'step');
  const of = told.name === '' ? '' : ` of "${escaped(told.name)}"`;
  if (outcome.outcome === 'stopped') return `The first ${steps}${of}`;
  if (outcome.outcome !== 'same' && check === null) return `The run${of} (${steps})`;
  if (told.name === '') return `A run (${steps})`;
  return `${escaped(runTitle(told))} (${steps})`;
}

function verdictLines({ told, outcome, check }: Replayed, colors: Colors): string[] {
  switch (outcome.outcome) {
    case 'same': {
      const recorded = check === null ? '' : ', as recorded';
      return [
        colors.green(
          `  Executed again: ${plural(outcome.steps, 'step')}${recorded}${judged(told)}`,
        ),
      ];
    }
    case 'stopped':
      return [colors.cyan(`  Stopped after step ${outcome.step} of ${outcome.of}`)];
    case 'different': {
      const where = outcome.step === 0 ? 'At the start' : `At step ${outcome.step}`;
      const what = `${where}: ${outcome.what}. The model has changed.`;
      return wrapped(escaped(what), '  ').map(colors.red);
    }
    case 'notBroken': {
      const steps = check === null ? 'The steps are possible' : 'The steps are as recorded';
      return wrapped(escaped(`${steps}, but ${outcome.what}.`), '  ').map(colors.red);
    }
    default:
      throw new Error(`unknown outcome ${JSON.stringify(outcome satisfies never)}`);
  }
}

function judged(property: PropertyResult): string {
  if (property.name === '') return '';
  if (runNoun(property) === 'Example') return '; it is still an example';
  return isOutcome(property.name)
    ? '; it still does not end so'
    : '; the property is still violated';
}

function possibleLines({ possible }: Point): string[] {
  if (possible.length === 0) return ['  Nothing is possible there.'];
  return [
    '  Possible there',
    ...possible.flatMap(({ sentence }) => wrapped(escaped(sentence), '    ', '      ')),
  ];
}
