import type { Draft } from 'immer';
import { ACTIONS } from './actions.ts';
import type { ActionDefinition, StoredKeys } from './actors/actor.ts';
import type { Cluster } from './state/cluster.ts';
import type { Setup } from './state/setup.ts';
import type { World } from './state/world.ts';
import type { Parameters, Step } from './words/context.ts';

/** A model of an open setup (`Setup.open`): its steps follow from the state, not from a list. */
export interface OpenModel {
  /** Steps that may be possible in this state. Every other step is impossible. */
  candidates(cluster: Cluster, stored: StoredKeys): readonly OpenStep[];
  /** Applies the step to a draft. Changes nothing if the step is not possible. */
  reduce(draft: Draft<Cluster>, step: Step): void;
}

export interface OpenStep extends Step {
  readonly fairness: ActionDefinition['fairness'];
}

/** Requests come from outside, so no user of the setup sends any. */
const OF_USERS: readonly string[] = ['request', 'startControllers'];

/**
 * The same reducers as those of `deletionModel`, with the steps that each state suggests.
 *
 * @param world of this setup (`worldOf`). When the setup grows, a new model takes over the state.
 */
export function openModel(setup: Setup, world: World): OpenModel {
  const actions = Object.entries(ACTIONS).flatMap(([name, definition]) => {
    if (OF_USERS.includes(name)) return [];
    const isOpen = definition.candidates !== undefined;
    const fixed = isOpen ? [] : (definition.parameters(setup, world) ?? []);
    if (!isOpen && fixed.length === 0) return [];
    const { fairness } = definition;
    const step = (parameters: Parameters): OpenStep => ({ name, parameters, fairness });
    const always = fixed.map(step);
    const candidates = (cluster: Cluster, stored: StoredKeys): readonly OpenStep[] =>
      definition.candidates?.(setup, world, cluster, stored).map(step) ?? always;
    return [{ name, candidates, reduce: definition.reducer(setup, world) }];
  });
  const reducers = new Map(actions.map(({ name, reduce }) => [name, reduce]));
  return {
    candidates: (cluster, stored) => actions.flatMap((each) => each.candidates(cluster, stored)),
    reduce: (draft, { name, parameters }) => reducers.get(name)?.(draft, parameters),
  };
}
