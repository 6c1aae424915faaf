import type { Immutable } from 'immer';
import { CheckerError } from '../errors.ts';
import { promiseOf } from '../fair-groups.ts';
import type { Fairness, Model, Parameters } from '../model.ts';
import type { ActionInstance, Eventually, Invariant, StepRule } from '../property.ts';
import { checkedState, type Step, successors } from '../stepping/steps.ts';
import { canonicalText } from '../values/canonical.ts';
import type { AnyModel, StateOf } from './define.ts';

/** What says that a model refines another one: how it starts, its steps, and what is promised. */
export type Refinement<State> = readonly [
  Invariant<State>,
  StepRule<State>,
  ...(readonly Eventually<State>[]),
];

/**
 * Properties of a model that together say that it refines another one: `map` takes each of its
 * states to a state of the other model, so that
 *
 * - initial states are taken to initial states, and each step to a step or to no change at all;
 * - each fair run is taken to a fair run: one property for each action of `abstract` that has weak
 *   or strong fairness, and for each group.
 *
 * So whatever is true of all fair runs of `abstract` is true of the mapped runs. An action of
 * `abstract` is enabled where one of its instances changes the mapped state, and a step of the
 * model takes it if it leads from the mapped state to one that the instance leads to (L. Lamport,
 * "The temporal logic of actions", TOPLAS 16, 1994, section 8; M. Abadi and L. Lamport, "The
 * existence of refinement mappings", Theoretical Computer Science 82, 1991). A run may stutter for
 * ever, which takes nothing. A promise to an action that no mapped state enables is `vacuous`.
 */
export function refinement<M extends AnyModel, A extends AnyModel>(
  model: M,
  abstract: A,
  map: (state: Immutable<StateOf<M>>) => StateOf<A>,
): Refinement<StateOf<M>> {
  const other = plain(abstract);
  const name = `${other.name}, which the model refines,`;
  const image = new Image<StateOf<M>, StateOf<A>>(other, map);
  const initial = new Set(other.initial.map((state) => canonicalText(checkedState(other, state))));
  const stray = model.initial.findIndex((state) => !initial.has(image.text(state)));
  const { start, step } = safety(name, image, stray);
  return [start, step, ...promisesOf(other).map((promise) => kept(name, promise, image))];
}

/** Mapped states by their canonical text, and the steps of the other model in them. */
class Image<State, Abstract> {
  private readonly other: Model<Abstract>;
  private readonly map: (state: Immutable<State>) => Abstract;
  private readonly known = new Map<string, readonly MappedStep[]>();
  private readonly texts = new WeakMap<object, string>();

  constructor(other: Model<Abstract>, map: (state: Immutable<State>) => Abstract) {
    this.other = other;
    this.map = map;
  }

  text(state: State): string {
    return canonicalText(this.of(state));
  }

  /** For plain states: a frozen one is mapped once. */
  plainText(state: State): string {
    if (!Object.isFrozen(state)) return this.text(state);
    const key = state as object;
    const known = this.texts.get(key) ?? this.text(state);
    this.texts.set(key, known);
    return known;
  }

  stepsFrom(text: string): readonly MappedStep[] {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const from = JSON.parse(text) as Abstract;
    const steps = successors(this.other, from).map(
      ({ action, state }: Step<Abstract>): MappedStep => ({ action, to: canonicalText(state) }),
    );
    this.known.set(text, steps);
    return steps;
  }

  // A copy: a part of the state that is judged must not outlive the call.
  private of(state: State): Abstract {
    const mapped = this.map(state as Immutable<State>);
    const text: string | undefined = JSON.stringify(mapped);
    const { name } = this.other;
    if (text === undefined) {
      throw new CheckerError(
        'badState',
        `the map to the model ${name} gives no state, but ${mapped}`,
      );
    }
    try {
      return checkedState(this.other, JSON.parse(text) as Abstract);
    } catch (error) {
      const { message } = error as Error;
      throw new CheckerError('badState', `the map gives no state of the model ${name}: ${message}`);
    }
  }
}

interface MappedStep {
  readonly action: ActionInstance;
  /** Canonical text. */
  readonly to: string;
}

function safety<State, Abstract>(
  name: string,
  image: Image<State, Abstract>,
  stray: number,
): { readonly start: Invariant<State>; readonly step: StepRule<State> } {
  return {
    start: {
      kind: 'invariant',
      name: `${name} starts in the same way`,
      holds: () => stray === -1,
      explain: () => [`initial state ${stray} is mapped to a state that is not initial`],
    },
    step: {
      kind: 'step',
      name: `${name} allows each step`,
      holds(before, _action, next) {
        const from = image.text(before);
        const to = image.text(next);
        return to === from || image.stepsFrom(from).some((step) => step.to === to);
      },
      explain(before, { name: step }, next) {
        const [from, to] = [image.text(before), image.text(next)];
        return [`${step} is mapped to no step: from ${from} to ${to}`];
      },
    },
  };
}

/** What the other model promises, with one property for all parameters. */
interface AbstractPromise {
  readonly kind: Exclude<Fairness, 'none'>;
  readonly words: string;
  /** Absent: one promise. */
  readonly parameters?: readonly Parameters[];
  isMember(action: ActionInstance, parameters: Parameters): boolean;
}

function promisesOf<State>({ actions, fairness = [] }: Model<State>): readonly AbstractPromise[] {
  const alone = Object.entries(actions).flatMap(([name, action]): AbstractPromise[] => {
    const { fairness: kind = 'none', parameters } = action;
    if (kind === 'none') return [];
    return [
      {
        ...{ kind, words: name },
        ...(parameters === undefined ? {} : { parameters }),
        isMember: (taken, chosen) =>
          taken.name === name && canonicalText(taken.parameters) === canonicalText(chosen),
      },
    ];
  });
  const groups = fairness.map((group): AbstractPromise => {
    const { kind, actions: names } = promiseOf(group);
    const { each } = group;
    const words = `one of ${names.join(', ')}${each === undefined ? '' : `, for each ${each}`}`;
    const isNamed = (taken: ActionInstance): boolean => names.includes(taken.name);
    if (each === undefined) return { kind, words, isMember: isNamed };
    const values = names.flatMap((name) =>
      (actions[name]?.parameters ?? []).map((chosen: Parameters) => chosen[each]!),
    );
    return {
      ...{ kind, words },
      parameters: [...new Set(values)].map((value) => ({ [each]: value })),
      isMember: (taken, chosen) => isNamed(taken) && taken.parameters[each] === chosen[each],
    };
  });
  const all = [...alone, ...groups];
  const first = new Map(all.map((one) => [`${one.kind} ${one.words}`, one]));
  return [...first.values()];
}

/**
 * That mapped runs keep a promise. Weak: the action is disabled again and again, or taken again and
 * again. Strong: it is disabled from some point on, or taken again and again.
 */
function kept<State, Abstract>(
  name: string,
  { kind, words, parameters, isMember }: AbstractPromise,
  image: Image<State, Abstract>,
): Eventually<State> {
  const isEnabled = (state: State, chosen: Parameters): boolean =>
    image.stepsFrom(image.text(state)).some(({ action }) => isMember(action, chosen));
  return {
    kind: 'eventually',
    name: `${name} is ${kind}ly fair to ${words}`,
    ...(parameters === undefined ? {} : { parameters }),
    trigger: isEnabled,
    goal: (state, chosen) => !isEnabled(state, chosen),
    ...(kind === 'strong' ? { forever: true } : {}),
    metBy(before, _action, after, chosen) {
      const to = image.plainText(after);
      const from = image.plainText(before);
      if (from === to) return false;
      const steps = image.stepsFrom(from);
      return steps.some((step) => step.to === to && isMember(step.action, chosen));
    },
    explain: (state) => {
      const often = kind === 'weak' ? 'stays possible' : 'is possible again and again';
      return [
        `${words} ${often} in mapped states, such as ${image.text(state)}, and is never taken`,
      ];
    },
  };
}

function plain<M extends AnyModel>(model: M): Model<StateOf<M>> {
  const same: unknown = model;
  return same as Model<StateOf<M>>;
}
