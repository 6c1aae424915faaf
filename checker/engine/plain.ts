import { Immer } from 'immer';
import { BadValueError, defectOf } from '../errors.ts';
import type { Instance } from '../instances.ts';
import type { Model, SlotKind } from '../model.ts';
import {
  canonicalForm,
  canonicalText,
  canonicalValue,
  fromCanonicalText,
  hasTextOf,
} from '../values/canonical.ts';
import { checkKind } from '../values/slots.ts';

/** A separate instance: global settings of immer must not change the meaning of a model. */
const immer = new Immer({ autoFreeze: true });

/** A plain state, deep-frozen and with sorted keys, and its canonical text. */
export interface PlainState<State> {
  readonly state: State;
  readonly text: string;
}

/** A frozen copy of an initial state. Throws `BadValueError` if it does not fit the slots. */
export function initialPlainState<State>(model: Model<State>, state: State): PlainState<State> {
  checkShape(model.slots, state);
  const text = canonicalText(state);
  return { state: fromCanonicalText(text) as State, text };
}

/** Throws `BadValueError` if the state, which `produce` has frozen, does not fit the slots. */
function plainState<State>(model: Model<State>, state: State): PlainState<State> {
  checkShape(model.slots, state);
  const { text, isCanonical } = canonicalForm(state);
  return { state: isCanonical ? state : (fromCanonicalText(text) as State), text };
}

/**
 * The successor by immer's own `produce`. Throws whatever the reducer does, and `BadValueError`.
 * A disabled instance gives a state with the same text.
 */
export function plainSuccessor<State>(
  model: Model<State>,
  state: State,
  instance: Instance<State>,
): PlainState<State> | null {
  const after = immer.produce(state, (draft) => {
    // A block, not an expression: immer must not take the reducer's return value for a state.
    instance.reduce(draft);
  });
  return after === state ? null : plainState(model, after as State);
}

/** The plain successor, or null if the instance is disabled. Throws as `plainSuccessor` does. */
export function executedInstance<State>(
  model: Model<State>,
  before: State,
  instance: Instance<State>,
): State | null {
  const after = immer.produce(before, (draft) => {
    instance.reduce(draft);
  });
  return validSuccessor(model, before, after);
}

function validSuccessor<State>(model: Model<State>, before: State, after: State): State | null {
  if (after === before) return null;
  checkShape(model.slots, after);
  const state = canonicalValue(after) as State;
  return hasTextOf(state, before) ? null : state;
}

function checkShape(slots: Readonly<Record<string, SlotKind>>, state: unknown): void {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) {
    throw new BadValueError('not an object', '');
  }
  for (const key of Object.keys(state)) {
    if (!Object.hasOwn(slots, key)) throw new BadValueError('not declared in slots', key);
  }
  for (const [key, kind] of Object.entries(slots)) {
    if (kind === 'value') continue;
    const section = (state as Readonly<Record<string, unknown>>)[key];
    if (typeof section !== 'object' || section === null || Array.isArray(section)) {
      throw new BadValueError('not a record', key);
    }
    if (kind === 'entries') continue;
    for (const [name, value] of Object.entries(section)) {
      try {
        checkKind(kind, value);
      } catch (error) {
        if (error instanceof BadValueError)
          throw new BadValueError(error.message, `${key}.${name}`);
        throw error;
      }
    }
  }
}

/** What is needed to execute an action instance by its number. */
export interface Executable<State> {
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
}

/**
 * What `produce` returns, neither validated nor in canonical form: the state itself if the instance
 * did nothing. Throws `DefectError` if the reducer throws.
 */
export function produced<State>(
  { instances }: Executable<State>,
  before: State,
  action: number,
): State {
  const instance = instances[action]!;
  try {
    return immer.produce(before, (draft) => {
      instance.reduce(draft);
    });
  } catch (error) {
    throw defectOf(error, instance.identity.name, instance.identity.parameters);
  }
}

/** The plain successor, or null if the instance is disabled. Throws `DefectError`. */
export function executed<State>(
  question: Executable<State>,
  before: State,
  action: number,
): State | null {
  return validated(question, before, action, produced(question, before, action));
}

/** The same, of what `produced` has returned. */
export function validated<State>(
  { model, instances }: Executable<State>,
  before: State,
  action: number,
  after: State,
): State | null {
  const { name, parameters } = instances[action]!.identity;
  try {
    return validSuccessor(model, before, after);
  } catch (error) {
    throw defectOf(error, name, parameters);
  }
}
