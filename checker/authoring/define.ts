import type { Draft, Immutable } from 'immer';
import type {
  Action,
  Confluence,
  Fairness,
  Model,
  Parameters,
  ParameterValue,
  SlotKind,
  Symmetry,
} from '../model.ts';
import type { Property } from '../property.ts';

/*
 * What an author writes, with types that flow: the state comes from `initial`, the parameters of an
 * action from its list of parameters, and the names of actions from the model. The engine works on
 * the plain types in `model.ts` and `property.ts`.
 */

/**
 * What a reducer may return: nothing, or what an expression such as `draft.line.push(1)` gives. Not
 * a promise, and not a new state: both would be lost.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without `return` gives void.
export type ReducerResult = void | undefined | null | boolean | number | string;

/** The kinds of slots that fit a value: a list or a plain value is never cut into pieces. */
export type SlotKindFor<Value> = SlotKind & (IsAny<Value> extends true ? SlotKind : Fitting<Value>);

type IsAny<Value> = 0 extends 1 & Value ? true : false;

type Fitting<Value> =
  | 'value'
  | ([Value] extends [ParameterValue | null | readonly unknown[]] ? never : Sections<Value>);

type Entry<Value> = Exclude<Value[keyof Value], undefined>;

type Sections<Value> =
  | 'entries'
  | ([Entry<Value>] extends [true] ? 'flags' : never)
  | ([Entry<Value>] extends [readonly unknown[]] ? 'queues' : never);

interface ActionSpec<State, P> {
  readonly parameters?: readonly P[];
  readonly fairness?: Fairness;
  readonly reduce: (draft: Draft<State>, parameters: P) => ReducerResult;
}

/** The names of the parameters that any action has. */
type ParameterNameIn<Choices> = {
  [Name in keyof Choices]: ParametersIn<Choices[Name]> extends infer P
    ? P extends unknown
      ? keyof P & string
      : never
    : never;
}[keyof Choices];

type GroupSpec<Choices> = (
  | { readonly weak: readonly (keyof Choices & string)[]; readonly strong?: undefined }
  | { readonly strong: readonly (keyof Choices & string)[]; readonly weak?: undefined }
) & { readonly each?: ParameterNameIn<Choices> };

/** A model as an author writes it. */
export interface ModelSpec<State, Choices> {
  readonly name: string;
  /** The type of these states is the type of all states. Annotate them: `const start: Shop = …`. */
  readonly initial: readonly State[];
  readonly slots: { readonly [Key in keyof NoInfer<State>]: SlotKindFor<NoInfer<State>[Key]> };
  /** An action that is `undefined` is left out: `crash: faulty ? { … } : undefined`. */
  readonly actions: {
    readonly [Name in keyof Choices]: ActionSpec<NoInfer<State>, Choices[Name]> | undefined;
  };
  /**
   * Fairness of a choice among actions: `[{ weak: ['give', 'refuse'] }]`; for each value of a
   * parameter, `[{ weak: ['give', 'refuse'], each: 'client' }]`.
   */
  readonly fairness?: readonly GroupSpec<NoInfer<Choices>>[];
  /** `except` of `symmetryOf` must name sections of the state or parameters of actions. */
  readonly symmetry?: Symmetry & {
    readonly except?: readonly (
      | (keyof NoInfer<State> & string)
      | ParameterNameIn<NoInfer<Choices>>
    )[];
  };
  readonly confluence?: Confluence<NoInfer<State>>;
}

/**
 * A model that knows the names and the parameters of its actions. Its `fairness` is not in the
 * type, so that `{ ...model, actions }` may have other actions.
 */
export type DefinedModel<State, Choices> = Omit<Model<State>, 'slots' | 'actions' | 'fairness'> & {
  readonly slots: { readonly [Key in keyof State]: SlotKindFor<State[Key]> };
  readonly actions: {
    readonly [Name in keyof Choices]: Action<State, ParametersIn<Choices[Name]>>;
  };
};

type ParametersIn<Choice> = Choice extends Parameters ? Choice : Readonly<Record<never, never>>;

/**
 * A model with checked types: the draft and the parameters of each reducer, the kind of each slot.
 * `State` is inferred from `initial`. Returns the model as it is given, without the actions that
 * are `undefined`, also in groups.
 */
export function defineModel<State, const Choices = Readonly<Record<string, Parameters>>>(
  model: ModelSpec<State, Choices>,
): DefinedModel<State, Choices> {
  const given = Object.entries(model.actions).filter(([, action]) => action !== undefined);
  const actions = Object.fromEntries(given);
  const defined: unknown = {
    ...model,
    actions,
    ...(model.fairness === undefined
      ? {}
      : { fairness: givenGroups(model.fairness, model.actions) }),
  };
  return defined as DefinedModel<State, Choices>;
}

/** The groups without the actions that are left out. What is no list is left to validation. */
function givenGroups<Group extends { readonly [kind: string]: unknown }>(
  groups: readonly Group[],
  actions: Readonly<Record<string, unknown>>,
): unknown {
  if (!Array.isArray(groups)) return groups;
  const isLeftOut = (name: unknown): boolean =>
    typeof name === 'string' && Object.hasOwn(actions, name) && actions[name] === undefined;
  return groups.flatMap((group): unknown[] => {
    const kind = group.weak === undefined ? 'strong' : 'weak';
    const names = group[kind];
    if (!Array.isArray(names) || !names.some(isLeftOut)) return [group];
    const rest = names.filter((name) => !isLeftOut(name));
    return rest.length === 0 ? [] : [{ ...group, [kind]: rest }];
  });
}

/** Any model that was defined, whatever its state and its actions. */
export interface AnyModel {
  readonly initial: readonly unknown[];
  readonly actions: Readonly<Record<string, { readonly parameters?: readonly Parameters[] }>>;
}

/** The state of a model: `StateOf<typeof shop>`. */
export type StateOf<M extends AnyModel> = M['initial'][number];

/** The names of the actions of a model. */
export type ActionNameOf<M extends AnyModel> = keyof M['actions'] & string;

/** An action instance of a model: its name, with the parameters that belong to it. */
export type ActionOf<M extends AnyModel, Name extends ActionNameOf<M> = ActionNameOf<M>> = {
  [Each in Name]: {
    readonly name: Each;
    readonly parameters: NonNullable<M['actions'][Each]['parameters']>[number];
  };
}[Name];

interface Named<P> {
  readonly id?: string;
  readonly name: string;
  readonly parameters?: readonly P[];
  readonly mentions?: readonly string[];
}

type OnState<State, P, Answer> = (state: Immutable<State>, parameters: P) => Answer;

type OnStep<State, Taken, P, Answer> = (
  before: Immutable<State>,
  action: Taken,
  after: Immutable<State>,
  parameters: P,
) => Answer;

/** A property as an author writes it: see `Property` for what each kind means. */
export type PropertySpec<M extends AnyModel, P, Name extends ActionNameOf<M>> =
  | InvariantSpec<StateOf<M>, P>
  | StepSpec<StateOf<M>, P, Name, ActionOf<M, Name>>
  | EventuallySpec<StateOf<M>, P, ActionOf<M>>
  | WitnessSpec<StateOf<M>, P>
  | SettledSpec<StateOf<M>, P>;

interface InvariantSpec<State, P> extends Named<P> {
  readonly kind: 'invariant';
  readonly trigger?: OnState<State, P, boolean>;
  readonly holds: OnState<State, P, boolean>;
  readonly explain?: OnState<State, P, readonly string[]>;
}

interface StepSpec<State, P, Name, Taken> extends Named<P> {
  readonly kind: 'step';
  readonly actions?: readonly Name[];
  readonly trigger?: OnStep<State, Taken, P, boolean>;
  readonly holds: OnStep<State, Taken, P, boolean>;
  readonly explain?: OnStep<State, Taken, P, readonly string[]>;
}

interface EventuallySpec<State, P, Taken> extends Named<P> {
  readonly kind: 'eventually';
  readonly trigger?: OnState<State, P, boolean>;
  readonly goal: OnState<State, P, boolean>;
  readonly forever?: boolean;
  readonly metBy?: OnStep<State, Taken, P, boolean>;
  readonly explain?: OnState<State, P, readonly string[]>;
}

interface WitnessSpec<State, P> extends Named<P> {
  readonly kind: 'witness';
  readonly reached: OnState<State, P, boolean>;
}

interface SettledSpec<State, P> extends Named<P> {
  readonly kind: 'settled';
  readonly settled: OnState<State, P, boolean>;
  readonly explain?: OnState<State, P, readonly string[]>;
}

/**
 * A property of a model with checked types: read-only states, the parameters of the property, and
 * for step rules the actions that are judged. Returns the property as it is given.
 */
export function defineProperty<
  M extends AnyModel,
  const P = Readonly<Record<never, never>>,
  const Name extends ActionNameOf<M> = ActionNameOf<M>,
>(_model: M, property: PropertySpec<M, P, Name>): Property<StateOf<M>> {
  const defined: unknown = property;
  return defined as Property<StateOf<M>>;
}
