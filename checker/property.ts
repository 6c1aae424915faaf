import type { Parameters } from './model.ts';

/** An action instance as properties see it. */
export interface ActionInstance {
  readonly name: string;
  readonly parameters: Parameters;
}

interface PropertyBase<P extends Parameters> {
  /** A short name that never changes. Results carry it, so that tools can refer to the property. */
  readonly id?: string;
  /** Unique in a check: the title that a person reads. */
  readonly name: string;
  /** The property holds if it holds for each element. Without parameters it is judged once. */
  readonly parameters?: readonly P[];
  /**
   * Members of the model's symmetry that the property names in its code, not by its parameters.
   * They are not interchangeable while it is judged.
   */
  readonly mentions?: readonly string[];
}

/**
 * An invariant: `holds` is true in every reachable state in which `trigger` is true (default: all).
 */
export interface Invariant<State, P extends Parameters = Parameters> extends PropertyBase<P> {
  readonly kind: 'invariant';
  trigger?(state: State, parameters: P): boolean;
  holds(state: State, parameters: P): boolean;
  /** Sentences that name the clauses that are false in a violating state. */
  explain?(state: State, parameters: P): readonly string[];
}

/**
 * A step rule: `holds` is true of every reachable transition of `actions` for which `trigger` is
 * true.
 */
export interface StepRule<State, P extends Parameters = Parameters> extends PropertyBase<P> {
  readonly kind: 'step';
  /** Names of the actions that are judged; by default all. */
  readonly actions?: readonly string[];
  trigger?(before: State, action: ActionInstance, after: State, parameters: P): boolean;
  holds(before: State, action: ActionInstance, after: State, parameters: P): boolean;
  explain?(before: State, action: ActionInstance, after: State, parameters: P): readonly string[];
}

/**
 * Leads-to: on every fair run, each state in which `trigger` is true is followed by a state in
 * which `goal` is true, or is such a state itself. Without `trigger`, the initial states are meant.
 */
export interface Eventually<State, P extends Parameters = Parameters> extends PropertyBase<P> {
  readonly kind: 'eventually';
  trigger?(state: State, parameters: P): boolean;
  goal(state: State, parameters: P): boolean;
  /**
   * The goal must also stay true: after each trigger there is a point from which on it is true for
   * ever (default: false).
   */
  readonly forever?: boolean;
  /**
   * A step that meets the goal too, whatever state it leads to. With `forever`, a run that takes
   * such steps again and again is right, whether or not the goal stays true. Only a search judges
   * this: random walks leave it open.
   */
  metBy?(before: State, action: ActionInstance, after: State, parameters: P): boolean;
  /** Sentences that name what is missing in a state of the counterexample's cycle. */
  explain?(state: State, parameters: P): readonly string[];
}

/** Reachability: some reachable state satisfies `reached`. Violated if no state does. */
export interface Witness<State, P extends Parameters = Parameters> extends PropertyBase<P> {
  readonly kind: 'witness';
  reached(state: State, parameters: P): boolean;
}

/**
 * Every reachable state without successors satisfies `settled`. A state that does not is *stuck*.
 */
export interface Settled<State, P extends Parameters = Parameters> extends PropertyBase<P> {
  readonly kind: 'settled';
  settled(state: State, parameters: P): boolean;
  explain?(state: State, parameters: P): readonly string[];
}

export type Property<State> =
  | Invariant<State>
  | StepRule<State>
  | Eventually<State>
  | Witness<State>
  | Settled<State>;

type Identity = Pick<Property<unknown>, 'id' | 'name' | 'kind'>;

/** What a result says about which property it is of. */
export function identityOf({ id, name, kind }: Identity): Identity {
  return { ...(id === undefined ? {} : { id }), name, kind };
}
