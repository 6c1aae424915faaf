import { produce } from 'immer';
import type { Action, ActionInstance, Limits, Model } from '../checker/index.ts';
import { type Look, lookAt, workClock } from '../input/work-clock.ts';

/** Executes steps with immer's `produce`. Shares no code with the search. */

/** Looks at the limits of a command that executes runs: they hold from now on. */
export function lookAtRuns(limits: Limits): Look {
  return lookAt(limits, workClock(), 'or a run of fewer objects and steps');
}

/** The model, which looks at the limits before it tries a step. */
export function watched<State>(model: Model<State>, look: () => void): Model<State> {
  const actions = Object.entries(model.actions).map(([name, action]): [string, Action<State>] => [
    name,
    {
      ...action,
      reduce: (draft, parameters) => {
        look();
        action.reduce(draft, parameters);
      },
    },
  ]);
  return { ...model, actions: Object.fromEntries(actions) };
}

/** The state after an action; null where the action does not exist or is disabled. */
export function successor<State>(
  model: Model<State>,
  { name, parameters }: ActionInstance,
  before: State,
): State | null {
  const action: Action<State> | undefined = Object.hasOwn(model.actions, name)
    ? model.actions[name]
    : undefined;
  if (action === undefined) return null;
  const after = produce(before, (draft) => {
    action.reduce(draft, parameters);
  });
  const sortedAfter = sortedSince(before, after) as State;
  return sortedAfter === before ? null : sortedAfter;
}

/**
 * As `sorted(after)`, but it shares with `before`, which is sorted, all parts that are equal: equal
 * states are the same object. What `produce` has left alone takes no time.
 */
function sortedSince(before: unknown, after: unknown): unknown {
  if (after === before) return before;
  if (!isRecord(before) || !isRecord(after)) {
    const text = canonical(after);
    return text === canonical(before) ? before : (JSON.parse(text) as unknown);
  }
  const parts = Object.keys(after)
    .filter((key) => isWritten(after[key]))
    .sort()
    .map((key) => [key, sortedSince(before[key], after[key])] as const);
  const isSame =
    parts.length === Object.keys(before).length &&
    parts.every(([key, part]) => Object.hasOwn(before, key) && part === before[key]);
  return isSame ? before : Object.fromEntries(parts);
}

/** Whether JSON text has an entry for the value. */
function isWritten(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && 'toJSON' in value) {
    return JSON.stringify(value) !== undefined;
  }
  return !['undefined', 'function', 'symbol'].includes(typeof value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !('toJSON' in value);
}

/** An action that is possible in a state, and what it leads to. */
export interface Possible<State> {
  readonly action: ActionInstance;
  readonly after: State;
}

/**
 * The actions that are possible in a state, in the order of the model.
 *
 * @param look is called before each action is tried. It may throw.
 */
export function* possibleIn<State>(
  model: Model<State>,
  state: State,
  look: () => void = () => {},
): Generator<Possible<State>> {
  for (const [name, { parameters = [{}] }] of Object.entries(model.actions)) {
    for (const chosen of parameters) {
      look();
      const action = { name, parameters: chosen };
      const after = successor(model, action, state);
      if (after !== null) yield { action, after };
    }
  }
}

/** The state with sorted keys. Reducers must not depend on the order of insertion. */
export function sorted<State>(state: State): State {
  return JSON.parse(canonical(state)) as State;
}

/** The JSON text of a value with sorted keys, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries);
  });
}
