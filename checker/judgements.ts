import type { Guard } from './guard.ts';
import {
  answered,
  choices,
  type Instance,
  LOOKED_EVERY,
  type StatePredicate,
  type StepPredicate,
} from './instances.ts';
import type { Parameters } from './model.ts';
import type { Property } from './property.ts';

/** The property declares no such predicate. */
export const NO_PREDICATE = -1;

/** A property with one choice of parameters; predicates by their index in the compiled lists. */
export interface Judgement {
  /** Index of the property. */
  readonly property: number;
  readonly parameters: Parameters;
  readonly trigger: number;
  readonly check: number;
}

export interface CompiledProperty<State> {
  readonly property: Property<State>;
  readonly judgements: readonly Judgement[];
  /** For step rules: by action instance, whether its transitions are judged. */
  readonly judged: readonly boolean[];
}

/** By the numbers that judgements give. */
export interface JudgedPredicates<State> {
  readonly statePredicates: readonly StatePredicate<State>[];
  readonly stepPredicates: readonly StepPredicate<State>[];
}

export interface CompiledProperties<State> extends JudgedPredicates<State> {
  readonly properties: readonly CompiledProperty<State>[];
}

/**
 * Numbers the predicates of all properties, so that engines do not depend on properties.
 *
 * @param guard looks at the limits. Absent: there are none.
 */
export function compileProperties<State>(
  properties: readonly Property<State>[],
  instances: readonly Instance<State>[],
  guard?: Guard,
): CompiledProperties<State> {
  const statePredicates: StatePredicate<State>[] = [];
  const stepPredicates: StepPredicate<State>[] = [];
  // Shared: there may be thousands of properties, and of instances.
  const all = instances.map(() => true);
  const none = instances.map(() => false);
  const known = new Map<string, readonly boolean[]>();
  const judgedOf = (property: Property<State>): readonly boolean[] => {
    if (property.kind !== 'step') return none;
    const { actions } = property;
    if (actions === undefined) return all;
    const key = JSON.stringify(actions);
    const judged =
      known.get(key) ?? instances.map(({ identity }) => actions.includes(identity.name));
    known.set(key, judged);
    return judged;
  };
  const compiled = properties.map((property, index): CompiledProperty<State> => {
    guard?.look();
    const { name } = property;
    const judgements = choices(property.parameters, guard).map((parameters, choice): Judgement => {
      if (choice % LOOKED_EVERY === 0) guard?.look();
      const onState = (evaluate: ((state: State) => boolean) | null): number =>
        evaluate === null
          ? NO_PREDICATE
          : statePredicates.push({
              ...{ name, parameters },
              evaluate: (state) => answered(evaluate(state)),
            }) - 1;
      const onStep = (evaluate: StepPredicate<State>['evaluate'] | null): number =>
        evaluate === null
          ? NO_PREDICATE
          : stepPredicates.push({
              ...{ name, parameters },
              evaluate: (before, action, after) => answered(evaluate(before, action, after)),
            }) - 1;
      switch (property.kind) {
        case 'invariant': {
          const { trigger } = property;
          return {
            property: index,
            parameters,
            trigger: onState(trigger ? (state) => property.trigger!(state, parameters) : null),
            check: onState((state) => property.holds(state, parameters)),
          };
        }
        case 'eventually': {
          const { trigger } = property;
          return {
            property: index,
            parameters,
            trigger: onState(trigger ? (state) => property.trigger!(state, parameters) : null),
            check: onState((state) => property.goal(state, parameters)),
          };
        }
        case 'witness':
          return {
            property: index,
            parameters,
            trigger: NO_PREDICATE,
            check: onState((state) => property.reached(state, parameters)),
          };
        case 'settled':
          return {
            property: index,
            parameters,
            trigger: NO_PREDICATE,
            check: onState((state) => property.settled(state, parameters)),
          };
        case 'step': {
          const { trigger } = property;
          return {
            property: index,
            parameters,
            trigger: onStep(
              trigger
                ? (before, action, after) => property.trigger!(before, action, after, parameters)
                : null,
            ),
            check: onStep((before, action, after) =>
              property.holds(before, action, after, parameters),
            ),
          };
        }
        default: {
          const never: never = property;
          throw new Error(`unknown property kind ${String(never)}`);
        }
      }
    });
    return { property, judgements, judged: judgedOf(property) };
  });
  return { properties: compiled, statePredicates, stepPredicates };
}
