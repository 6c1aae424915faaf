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
 * The fairness assumption about an action instance on infinite runs.
 *
 * - `none`: it may never be taken (clients, faults).
 * - `weak`: if it is enabled continuously from some point on, it is taken infinitely often.
 * - `strong`: if it is enabled infinitely often, it is taken infinitely often.
 */
export type Fairness = 'none' | 'weak' | 'strong';

/**
 * Fairness of a choice among actions: of the disjunction of all their instances. It is enabled if
 * one of them is, and taken if one of them is. So `{ weak: ['give', 'refuse'] }` promises that one
 * of the two is taken if, from some point on, one of them is always enabled, be it now the one and
 * now the other. Neither is promised for itself.
 */
export type GroupFairness = (
  | { readonly weak: readonly string[]; readonly strong?: undefined }
  | { readonly strong: readonly string[]; readonly weak?: undefined }
) & {
  /**
   * A parameter that all these actions have: one promise for each of its values, to the instances
   * with that value. Without it, there is one promise to all instances.
   */
  readonly each?: string;
};

export type ParameterValue = string | number | boolean;
export type Parameters = Readonly<Record<string, ParameterValue>>;

/** A step of the model. Each element of `parameters` makes one action instance. */
export interface Action<State, P extends Parameters = Parameters> {
  /** The instances; absent means one instance without parameters. */
  readonly parameters?: readonly P[];
  /** Absent means `none`. */
  readonly fairness?: Fairness;
  /**
   * Changes the draft. An instance that changes nothing is disabled in that state. Must be a pure
   * function of draft and parameters; the same function works under immer's `produce`.
   */
  reduce(draft: Draft<State>, parameters: P): void;
}

/** Things that behave alike: each member can do whatever another one can do. */
export interface InterchangeableGroup {
  /** What they are, for reports. */
  readonly name: string;
  readonly members: readonly string[];
  /**
   * Which renamings make no difference: `all` exchanges of members (default), or for members that
   * form a ring in this order, its `rotations` only.
   */
  readonly renamings?: 'all' | 'rotations';
}

/**
 * From the name of each renamed member to its new name. Members that keep their names are left out.
 */
export type Renaming = ReadonlyMap<string, string>;

/**
 * The names that make no difference. The functions apply a renaming to parts of a state and to
 * parameters. They must be pure, and applying two renamings in turn must give the same as applying
 * their composition. Contents that are ordered by names must be sorted again.
 */
export interface Symmetry {
  readonly groups: readonly InterchangeableGroup[];
  /** The new key of an entry. It is not called for a `value` section. */
  renameKey(section: string, key: string, renaming: Renaming): string;
  /** The new value of an entry, or of a whole `value` section. The old one is frozen. */
  renameValue(section: string, value: unknown, renaming: Renaming): unknown;
  /** The new parameters of an action or a property. */
  renameParameters(parameters: Parameters, renaming: Renaming): Parameters;
}

/**
 * Confluent steps: taking one early loses no behaviour that matters. A search with confluence
 * expands only such a step where one is enabled.
 *
 * The declaration must meet these conditions in each state in which `isConfluent` is true of an
 * enabled step. Take that step, and further confluent steps until there are none. Then every other
 * step that was enabled must still be enabled, and must change all sections that are not in
 * `writes` as before. This must hold on every run. A run that never takes such a step, because
 * another step disables it, must have a counterpart that takes it and differs in the sections of
 * `writes` only. The actions must be fair, and there must be no infinite sequence of confluent
 * steps.
 */
export interface Confluence<State> {
  /** The sections of the state that confluent steps may change. */
  readonly writes: readonly string[];
  /** The names of the actions that may be confluent. */
  readonly actions: readonly string[];
  /** Whether the instance is confluent in the state, provided that it is enabled there. */
  isConfluent(state: State, action: string, parameters: Parameters): boolean;
}

/** An action instance: `ActionInstance` of a property. */
interface Step {
  readonly name: string;
  readonly parameters: Parameters;
}

/**
 * Describes steps and states in the words of the model's domain. Without it, traces have action
 * names and JSON differences.
 */
export interface Describer<State> {
  action(action: Step, before: State, after: State): string;
  /** Who takes the step. The default is the name of the action. */
  actor?(action: Step, before: State, after: State): string;
  /** What the actor believes in this step although it is not true, one line each. */
  beliefs?(action: Step, before: State, after: State): readonly string[];
  changes(before: State, after: State): readonly string[];
  state(state: State): readonly string[];
  /** Further lines for graphs of all states, which must distinguish the states. */
  details?(state: State): readonly string[];
  /** A picture of a state for the page: text, or an SVG document. */
  picture?(state: State): string;
  /**
   * The words for a step of a trace are asked for when they are read, and not if nobody reads them
   * (default: in the check). What the functions throw is then thrown there.
   */
  readonly late?: boolean;
}

/** What models of the same code have in common. */
export interface Family {
  /**
   * So many views of each action and property count as looked at for hidden state, as other
   * searches of this code have done that (default 0).
   */
  readonly knownViews?: number;
}

/** A transition system as data. */
export interface Model<State> {
  readonly name: string;
  readonly slots: { readonly [Key in keyof State]: SlotKind };
  readonly initial: readonly State[];
  readonly actions: Readonly<Record<string, Action<State>>>;
  /** What is promised to groups of actions, besides the fairness of each action. */
  readonly fairness?: readonly GroupFairness[];
  readonly symmetry?: Symmetry;
  readonly confluence?: Confluence<State>;
  /**
   * The same object in models of the same code: an action or property of one name does in all of
   * them the same, but for what it is about. A process that checks many of them then looks for
   * hidden state as often as in one model. Their symmetry is taken to be audited.
   */
  readonly family?: Family;
  /** The words for traces, unless the options have others. */
  readonly describe?: Describer<State>;
}

type Combination<Domains> = {
  readonly [Key in keyof Domains]: Domains[Key] extends readonly (infer Value)[] ? Value : never;
};

/** All combinations of the given domains. The last domain changes fastest. */
export function combinations<
  const Domains extends Readonly<Record<string, readonly ParameterValue[]>>,
>(domains: Domains): readonly Combination<Domains>[] {
  let rows: Record<string, ParameterValue>[] = [{}];
  for (const [name, values] of Object.entries(domains)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
  }
  return rows as unknown as readonly Combination<Domains>[];
}
