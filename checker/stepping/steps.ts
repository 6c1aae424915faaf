import { initialPlainState, plainSuccessor } from '../engine/plain.ts';
import { CheckerError, defectOf } from '../errors.ts';
import { type Instance, instancesOf } from '../instances.ts';
import type { Model, Parameters } from '../model.ts';
import type { ActionInstance } from '../property.ts';
import { canonicalText } from '../values/canonical.ts';

/**
 * Steps of a model one by one, by immer's own `produce`. For tests and tools; a search is hundreds
 * of times faster with `check`.
 */

/** A step, and the frozen state that it leads to. */
export interface Step<State, Taken = ActionInstance> {
  readonly action: Taken;
  readonly state: State;
}

type AnyActions = Readonly<Record<string, { readonly parameters?: readonly Parameters[] }>>;

/** A model whose type names its actions. */
type Named<State, Actions> = Model<State> & { readonly actions: Actions };

type ParametersOf<Action extends AnyActions[string]> = NonNullable<Action['parameters']>[number];

/** The action instances of a model. */
type InstanceIn<Actions extends AnyActions> = {
  [Name in keyof Actions & string]: {
    readonly name: Name;
    readonly parameters: ParametersOf<Actions[Name]>;
  };
}[keyof Actions & string];

/** An action instance as a caller names it. Without parameters: the action has none. */
export type ActionChoice<Actions extends AnyActions = AnyActions> = {
  [Name in keyof Actions & string]: { readonly name: Name } & (Readonly<
    Record<never, never>
  > extends ParametersOf<Actions[Name]>
    ? { readonly parameters?: ParametersOf<Actions[Name]> }
    : { readonly parameters: ParametersOf<Actions[Name]> });
}[keyof Actions & string];

/**
 * All steps that the model can take in a state, in the order of the model. Throws `CheckerError` if
 * the state does not fit the slots, and `DefectError` if a reducer fails.
 */
export function successors<State, Actions extends AnyActions>(
  model: Named<State, Actions>,
  state: NoInfer<State>,
): readonly Step<State, InstanceIn<Actions>>[] {
  const before = checkedState(model, state);
  return instancesOf<State>(model).flatMap((instance) => {
    const after = taken(model, before, instance);
    if (after === null) return [];
    // The instances of a model are those of its actions.
    return [{ action: instance.identity as InstanceIn<Actions>, state: after }];
  });
}

/** The action instances that are enabled in a state. Throws as `successors` does. */
export function enabled<State, Actions extends AnyActions>(
  model: Named<State, Actions>,
  state: NoInfer<State>,
): readonly InstanceIn<Actions>[] {
  return successors(model, state).map(({ action }) => action);
}

/**
 * The state after a step. Throws `CheckerError` with the code `unknownAction` if the model has no
 * such instance, and `notEnabled` if it changes nothing in this state; else as `successors` does.
 */
export function apply<State, Actions extends AnyActions>(
  model: Named<State, Actions>,
  state: NoInfer<State>,
  action: ActionChoice<NoInfer<Actions>>,
): State {
  const wanted = canonicalText({ name: action.name, parameters: action.parameters ?? {} });
  const instance = instancesOf<State>(model).find(
    ({ identity }) => canonicalText(identity) === wanted,
  );
  if (instance === undefined) {
    throw new CheckerError('unknownAction', `the model has no action instance ${wanted}`);
  }
  const after = taken(model, checkedState(model, state), instance);
  if (after !== null) return after;
  throw new CheckerError('notEnabled', `${wanted} is not enabled in this state`);
}

/** A frozen copy of a state. Throws `CheckerError`. */
export function checkedState<State>(model: Model<State>, state: State): State {
  try {
    return initialPlainState(model, state).state;
  } catch (error) {
    throw new CheckerError('badState', (error as Error).message);
  }
}

function taken<State>(model: Model<State>, before: State, instance: Instance<State>): State | null {
  try {
    const after = plainSuccessor(model, before, instance);
    return after === null || after.text === canonicalText(before) ? null : after.state;
  } catch (error) {
    const { name, parameters } = instance.identity;
    throw defectOf(error, name, parameters);
  }
}
