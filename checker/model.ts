import type { Draft } from 'immer';

/**
 * How a top-level key of the state is cut into slots.
 *
 * - `value`: the whole value is one slot.
 * - `entries`: a record; each entry is a slot of its own, absent or any JSON value.
 * - `flags`: a record used as a set; each entry is absent or `true`.
 * - `queues`: a record of arrays; each array is a slot that is best changed by `push` and `shift`.
 *
 * Values are plain JSON: no `undefined`, `NaN`, `-0`, `Map`, `Set`, `Date` or class instances.
 */
export type SlotKind = 'value' | 'entries' | 'flags' | 'queues';

/**
 * What is assumed of an action instance on an infinite run.
 *
 * - `none`: it may be left undone for ever (clients, faults).
 * - `weak`: if it is enabled from some point on without a break, it is taken again and again.
 * - `strong`: if it is enabled again and again, it is taken again and again.
 */
export type Fairness = 'none' | 'weak' | 'strong';

export type ParameterValue = string | number | boolean;
export type Parameters = Readonly<Record<string, ParameterValue>>;

/** A step of the model. Each element of `parameters` makes one action instance. */
export interface Action<State, P extends Parameters = Parameters> {
  /** The instances; absent means one instance without parameters. */
  readonly parameters?: readonly P[];
  /** Absent means `none`. */
  readonly fairness?: Fairness;
  /**
   * Changes the draft, or leaves it as it is: then the action is disabled here. Must be a pure
   * function of draft and parameters; the same function works under immer's `produce`.
   */
  reduce(draft: Draft<State>, parameters: P): void;
}

/** Things that behave alike: whatever one of them can do, each other one could do in its place. */
export interface InterchangeableGroup {
  /** What they are, for reports. */
  readonly name: string;
  readonly members: readonly string[];
}

/** Takes members to the members whose names they get; one that keeps its name is not in it. */
export type Renaming = ReadonlyMap<string, string>;

/**
 * What may be renamed without making a difference. The functions apply a renaming to the parts of a
 * state and to parameters; they must be pure, and one renaming after another must come to the same
 * as both at once. Contents whose order depends on names have to be put in order again.
 */
export interface Symmetry {
  readonly groups: readonly InterchangeableGroup[];
  /** The key of an entry; never asked of a `value` section. */
  renameKey(section: string, key: string, renaming: Renaming): string;
  /** The value of an entry, or the whole of a `value` section. It is frozen. */
  renameValue(section: string, value: unknown, renaming: Renaming): unknown;
  /** The parameters of an action or a property. */
  renameParameters(parameters: Parameters, renaming: Renaming): Parameters;
}

/**
 * Steps that may be taken at once, wherever they can be: whoever puts one off gains nothing by it.
 *
 * In a state in which `isConfluent` says so of an enabled step, taking it, and what else is confluent then
 * until nothing is, must leave every other enabled step enabled, and each of those must do the same
 * as before in all sections that are not in `writes`; again and again, on every run. A run that does
 * without such a step for good, as somebody else makes it superfluous, must have a counterpart that
 * takes it and differs in these sections only. The actions must be fair, and confluent steps alone come
 * to an end.
 */
export interface Confluence<State> {
  /** Sections of the state; a confluent step changes no others. */
  readonly writes: readonly string[];
  /** Names of the actions that are asked about. */
  readonly actions: readonly string[];
  /** Whether the instance, if it is enabled in the state, is confluent there. */
  isConfluent(state: State, action: string, parameters: Parameters): boolean;
}

/** A transition system as data. */
export interface Model<State> {
  readonly name: string;
  readonly slots: { readonly [Key in keyof State]: SlotKind };
  readonly initial: readonly State[];
  readonly actions: Readonly<Record<string, Action<State>>>;
  readonly symmetry?: Symmetry;
  readonly confluence?: Confluence<State>;
}

type Combination<Domains> = {
  readonly [Key in keyof Domains]: Domains[Key] extends readonly (infer Value)[] ? Value : never;
};

/** All combinations of the given domains, the last one changing fastest. */
export function combinations<
  const Domains extends Readonly<Record<string, readonly ParameterValue[]>>,
>(domains: Domains): readonly Combination<Domains>[] {
  let rows: Record<string, ParameterValue>[] = [{}];
  for (const [name, values] of Object.entries(domains)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
  }
  return rows as unknown as readonly Combination<Domains>[];
}

/** Fixes the state type once, so that the types of states and parameters are inferred in literals. */
export function defineModel<State>(model: Model<State>): Model<State> {
  return model;
}
