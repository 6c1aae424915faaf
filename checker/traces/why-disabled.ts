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
   * What the reducer read, in order. Any state that agrees on all of it disables the instance too,
   * so one of these values must change to enable it.
   */
  readonly readings: readonly StateReading[];
  /** The last reading, which decided. Null if the reducer reads nothing and does nothing. */
  readonly deciding: StateReading | null;
}

/**
 * Runs a reducer again and records what it reads; null if the instance is enabled. Reducers return
 * at the first condition that fails, so the last reading decided. Throws `DefectError` for what the
 * reducer throws.
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
    // A reducer that writes what was there already makes another object with the same content.
    if (after !== state && canonicalText(after) !== canonicalText(state)) return null;
  } catch (error) {
    throw defectOf(error, name, parameters);
  }
  const { readings } = recorder;
  return { readings, deciding: readings[readings.length - 1] ?? null };
}
