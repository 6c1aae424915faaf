import { Immer } from 'immer';
import { defectOf } from '../errors.ts';
import type { Model } from '../model.ts';
import type { ActionInstance } from '../property.ts';
import { canonicalText } from '../values/canonical.ts';
import { ReadRecorder, type StateReading } from './read-recorder.ts';

const immer = new Immer({ autoFreeze: false });

/** Why an action instance is disabled in a state. */
export interface Disabled {
  /**
   * What the reducer looked at, in order. Whatever state agrees on all of it disables the instance
   * too, so one of these has to change before it is enabled.
   */
  readonly readings: readonly StateReading[];
  /** The last one: what was found wanting. Null if the reducer looks at nothing and does nothing. */
  readonly deciding: StateReading | null;
}

/**
 * Runs a reducer once more, on a record of what it reads; null if the instance is enabled. As
 * reducers give up at the first thing that they miss, the last reading is the one that decided.
 * Throws `DefectError` for what the reducer throws.
 */
export function whyDisabled<State>(
  model: Model<State>,
  state: State,
  { name, parameters }: ActionInstance,
): Disabled | null {
  const action = Object.hasOwn(model.actions, name) ? model.actions[name] : undefined;
  const recorder = new ReadRecorder(state);
  try {
    const after = immer.produce(state, (draft) => {
      action?.reduce(recorder.root(draft as object) as never, parameters);
    });
    recorder.end();
    if (canonicalText(after) !== canonicalText(state)) return null;
  } catch (error) {
    throw defectOf(error, name, parameters);
  }
  const { readings } = recorder;
  return { readings, deciding: readings[readings.length - 1] ?? null };
}
