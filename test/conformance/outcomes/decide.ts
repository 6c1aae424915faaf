import { check, type Limits } from '../../../checker/index.ts';
import type { Recording } from '../../../conformance/recordings/logs/recording-schema.ts';
import { deletionModel, FAMILY } from '../../../model/index.ts';
import {
  type FinalState,
  finalStateProperty,
  neighbouringFinals,
  recordedFinal,
} from './final-states.ts';
import { randomWalks } from './random-walks.ts';
import { type OutcomeSetup, outcomeSetup, type Size } from './setup.ts';

/** Decides whether the final states of the model include the recorded ones. */

/**
 * How a recorded final state was found among those of the model.
 *
 * - `explored`: by the explorer, breadth first.
 * - `walked`: by a random walk, after the explorer hit its limit.
 * - `impossible`: the whole space was explored without it.
 * - `notFound`: a limit was hit first; nothing is known.
 */
export type Found = 'explored' | 'walked' | 'impossible' | 'notFound';

export interface Outcome {
  readonly final: FinalState;
  readonly found: Found;
}

export interface Decision {
  readonly outcomes: readonly Outcome[];
  /** Of all searches together. */
  readonly states: number;
  readonly walks: number;
  /** Names of the actions that fired in a search. */
  readonly actions: readonly string[];
  /** Size of the last model that was needed. */
  readonly size: Size;
}

/**
 * A model with fewer workers than the 20 of a real collector has the runs in which the other
 * workers stay idle, so what it finds is possible with more workers too. A larger model is made
 * only if a smaller one is not enough.
 */
export const SIZES: readonly Size[] = [
  { deleteWorkers: 1, orphanWorkers: 1, replacements: 0 },
  { deleteWorkers: 2, orphanWorkers: 1, replacements: 1 },
  { deleteWorkers: 3, orphanWorkers: 2, replacements: 1 },
];

/** The distinct recorded final states. */
export function recordedFinals(recording: Recording): readonly FinalState[] {
  const finals = recording.runs.map(recordedFinal);
  return [...new Map(finals.map((final) => [JSON.stringify(final), final])).values()];
}

/**
 * States next to recorded ones that were not recorded but are possible, by recording: each depends
 * on how far the graph builder is when an orphan worker reads the graph.
 */
export const NOT_RECORDED: Readonly<Record<string, readonly string[]>> = {
  'd-orphan-race-create': ['without c'],
  'x-repeat-rapid-bof': ['without b'],
  'zz-down-orphan': ['without b', 'without c'],
};

/** The recorded final states, and those that are possible all the same. */
export function possibleFinals(
  recording: Recording,
  { setup, generated }: OutcomeSetup,
): readonly FinalState[] {
  const finals = recordedFinals(recording);
  const names = NOT_RECORDED[recording.name] ?? [];
  const others = finals.flatMap((final) => [...neighbouringFinals(setup, final, generated)]);
  return [...finals, ...others.flatMap(([name, final]) => (names.includes(name) ? [final] : []))];
}

export async function decideOutcomes(
  recording: Recording,
  limits: Limits,
  maximumWalks: number,
): Promise<Decision> {
  const outcomes = new Map(recordedFinals(recording).map((final) => [final, 'notFound' as Found]));
  let states = 0;
  let walks = 0;
  const actions = new Set<string>();
  let last = SIZES[0]!;
  for (const size of SIZES) {
    const open = [...outcomes].filter(
      ([, found]) => found === 'notFound' || found === 'impossible',
    );
    if (open.length === 0) break;
    last = size;
    const { setup, generated } = outcomeSetup(recording, size);
    const model = { ...deletionModel(setup), family: FAMILY };
    const properties = open.map(([final], index) =>
      finalStateProperty(setup, `final state ${index + 1}`, final, generated),
    );
    const result = await check({ model, properties, limits, stopWhenDecided: true });
    if (result.defect !== null) {
      const { culprit, message } = result.defect;
      throw new Error(`${recording.name}: ${culprit}: ${message}`);
    }
    states += result.statistics.states;
    for (const { action, transitions } of result.actions) if (transitions > 0) actions.add(action);
    for (const [index, [final]] of open.entries()) {
      const verdict = result.properties[index]?.verdict;
      if (verdict === 'holds') outcomes.set(final, 'explored');
      else outcomes.set(final, verdict === 'violated' ? 'impossible' : 'notFound');
    }
    const missing = properties.filter((_, index) => {
      const final = open[index]?.[0];
      return final !== undefined && outcomes.get(final) === 'notFound';
    });
    if (missing.length === 0) continue;
    const walked = randomWalks(model, missing, maximumWalks);
    walks += walked.walks;
    for (const [index, [final]] of open.entries()) {
      if (walked.reached.has(properties[index]?.name ?? '')) outcomes.set(final, 'walked');
    }
  }
  return {
    outcomes: [...outcomes].map(([final, found]) => ({ final, found })),
    states,
    walks,
    actions: [...actions],
    size: last,
  };
}
