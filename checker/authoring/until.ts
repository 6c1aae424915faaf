import type { Immutable } from 'immer';
import { CheckerError } from '../errors.ts';
import type { Model, Parameters } from '../model.ts';
import type { Eventually, Invariant } from '../property.ts';
import { canonicalText } from '../values/canonical.ts';
import type { AnyModel, StateOf } from './define.ts';

/**
 * `holds` until `goal`, from each state with the trigger on; without one, from the initial states.
 */
export interface UntilSpec<State, P> {
  /** Also the name of the section that is added to the state. */
  readonly name: string;
  readonly parameters?: readonly P[];
  readonly trigger?: (state: Immutable<State>, parameters: P) => boolean;
  readonly holds: (state: Immutable<State>, parameters: P) => boolean;
  readonly goal: (state: Immutable<State>, parameters: P) => boolean;
}

/** A model that watches itself, and what to check on it. */
export interface Watched<M extends AnyModel> {
  readonly model: M;
  readonly properties: readonly [Invariant<StateOf<M>>, Eventually<StateOf<M>>];
}

type Standing = 'waiting' | 'broken';

/**
 * Strong until: on every fair run, each state with the trigger is followed by one with the goal, or
 * is one itself; and `holds` is true from the trigger on in all states before that one. Check the
 * returned model with the returned properties, and with any others of the given model.
 *
 * Whether `holds` was always true depends on the way to a state. So the returned model has a
 * further section, which says for which parameters it waits for the goal, and for which `holds` was
 * broken. That can multiply the states. Its symmetry and confluence are left out, as they do not
 * know the section.
 */
export function until<M extends AnyModel, const P = Readonly<Record<never, never>>>(
  model: M,
  spec: UntilSpec<StateOf<M>, P>,
): Watched<M> {
  type State = Record<string, unknown>;
  const { name } = spec;
  const plain = model as unknown as Model<State>;
  if (Object.hasOwn(plain.slots, name)) {
    throw new CheckerError('duplicateProperty', `the state has a section named "${name}" already`);
  }
  const { parameters, trigger, holds, goal } = spec as unknown as Predicates<State>;
  const choices = (parameters ?? [{}]).map((chosen) => ({ chosen, key: canonicalText(chosen) }));
  const standings = (state: State) => state[name] as Record<string, Standing>;
  const watch = (state: State, isInitial: boolean): void => {
    const own = standings(state);
    for (const { chosen, key } of choices) {
      if (own[key] === 'broken') continue;
      const asks = trigger === undefined ? isInitial : trigger(state, chosen);
      if (own[key] === undefined && !asks) continue;
      if (goal(state, chosen)) delete own[key];
      else own[key] = holds(state, chosen) ? 'waiting' : 'broken';
    }
  };
  const { symmetry: _, confluence: __, ...rest } = plain;
  const watched: Model<State> = {
    ...rest,
    slots: { ...plain.slots, [name]: 'entries' },
    initial: plain.initial.map((state) => {
      const started = { ...state, [name]: {} };
      watch(started, true);
      return started;
    }),
    actions: Object.fromEntries(
      Object.entries(plain.actions).map(([action, { reduce, ...others }]) => [
        action,
        {
          ...others,
          reduce(draft: State, chosen: Parameters) {
            const returned: unknown = reduce(draft, chosen);
            watch(draft, false);
            // Whatever it returns is judged as that of the given model.
            return returned as undefined;
          },
        },
      ]),
    ),
  };
  const asked = parameters === undefined ? {} : { parameters };
  const keyOf = new Map(choices.map(({ chosen, key }) => [chosen, key]));
  const isBroken = (state: State, chosen: Parameters): boolean =>
    standings(state)[keyOf.get(chosen) ?? canonicalText(chosen)] === 'broken';
  const properties: readonly [Invariant<State>, Eventually<State>] = [
    {
      kind: 'invariant',
      name: `${name}: nothing else before`,
      ...asked,
      // What is never asked for is not judged.
      ...(trigger === undefined
        ? {}
        : {
            trigger: (state: State, chosen: Parameters) =>
              isBroken(state, chosen) || trigger(state, chosen),
          }),
      holds: (state, chosen) => !isBroken(state, chosen),
      explain: () => [`what must hold until the goal is false, and the goal has not come: ${name}`],
    },
    {
      kind: 'eventually',
      name: `${name}: the goal comes`,
      ...asked,
      ...(trigger === undefined ? {} : { trigger }),
      // What is broken is the other property's.
      goal: (state, chosen) => goal(state, chosen) || isBroken(state, chosen),
    },
  ];
  return { model: watched, properties } as unknown as Watched<M>;
}

interface Predicates<State> {
  readonly parameters?: readonly Parameters[];
  trigger?(state: State, parameters: Parameters): boolean;
  holds(state: State, parameters: Parameters): boolean;
  goal(state: State, parameters: Parameters): boolean;
}
