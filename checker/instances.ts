import type { Draft } from 'immer';
import { ReturnedError } from './errors.ts';
import { type Guard, UNGUARDED } from './guard.ts';
import type { Fairness, Model, Parameters } from './model.ts';
import type { ActionInstance } from './property.ts';

/** One action with one choice of parameters. */
export interface Instance<State> {
  readonly number: number;
  /** Index of the action in the model. */
  readonly action: number;
  readonly identity: ActionInstance;
  readonly fairness: Fairness;
  reduce(draft: Draft<State>): void;
}

/** A predicate on states with one choice of parameters. */
export interface StatePredicate<State> {
  /** Name of the property or reduction, for defects. */
  readonly name: string;
  readonly parameters: Parameters;
  evaluate(state: State): boolean;
}

/** A predicate on transitions with one choice of parameters. */
export interface StepPredicate<State> {
  readonly name: string;
  readonly parameters: Parameters;
  evaluate(before: State, action: ActionInstance, after: State): boolean;
}

const NO_PARAMETERS: Parameters = Object.freeze({});

/** A look takes about as long as to copy one choice. */
export const LOOKED_EVERY = 1000;

/** Frozen copies of the given parameters; one empty choice if none are given. */
export function choices(
  parameters: readonly Parameters[] | undefined,
  guard: Guard = UNGUARDED,
): readonly Parameters[] {
  const copied = parameters?.map((choice, index) => {
    if (index % LOOKED_EVERY === 0) guard.look();
    return Object.freeze({ ...choice });
  });
  return copied ?? [NO_PARAMETERS];
}

/** How many `choices` there are. There can be a million, and nothing may have room for them. */
export function choiceCount(parameters: readonly Parameters[] | undefined): number {
  return parameters?.length ?? 1;
}

/** All action instances in the order of the model. */
export function instancesOf<State>(
  model: Model<State>,
  guard: Guard = UNGUARDED,
): readonly Instance<State>[] {
  const instances: Instance<State>[] = [];
  Object.entries(model.actions).forEach(([name, action], index) => {
    for (const parameters of choices(action.parameters, guard)) {
      if (instances.length % LOOKED_EVERY === 0) guard.look();
      instances.push({
        number: instances.length,
        action: index,
        identity: Object.freeze({ name, parameters }),
        fairness: action.fairness ?? 'none',
        reduce(draft) {
          demandNothing(action.reduce(draft, parameters), draft);
        },
      });
    }
  });
  return instances;
}

/**
 * The draft is the outcome. Objects that are returned would be lost, such as a new state; a number
 * or a boolean is only what the last expression gave, as in `(draft) => draft.line.push(1)`.
 */
function demandNothing(returned: unknown, draft: unknown): void {
  if (returned === draft) return;
  demandSynchronous(returned, 'a reducer');
  if (typeof returned === 'function') throw new ReturnedError('a function');
  if (typeof returned !== 'object' || returned === null) return;
  throw new ReturnedError(Array.isArray(returned) ? 'a list' : 'an object, such as a new state');
}

/**
 * The answer of a predicate. Throws unless it is true or false: a promise and an empty list are
 * always true, and a forgotten `return` never is.
 */
export function answered(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  demandSynchronous(answer, 'a predicate');
  throw new Error(`a predicate must return true or false, not ${kindOf(answer)}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function demandSynchronous(returned: unknown, what: string): void {
  if (typeof returned !== 'object' || returned === null) return;
  if (!(returned instanceof Promise)) return;
  // Otherwise its rejection would end the process.
  returned.catch(() => {});
  throw new Error(`${what} must not be asynchronous`);
}
