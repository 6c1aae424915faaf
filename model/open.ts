import type { Draft } from 'immer';
import { ACTIONS } from './actions.ts';
import type { ActionDefinition, Candidates, OpenKeys } from './actors/actor.ts';
import type { Cluster } from './state/cluster.ts';
import type { Setup } from './state/setup.ts';
import type { World } from './state/world.ts';
import type { Parameters, Step } from './words/context.ts';

/** A model of an open setup (`Setup.open`): its steps follow from the state, not from a list. */
export interface OpenModel {
  /** All but those of users. */
  readonly actions: readonly OpenAction[];
  /** Applies the step to a draft. Changes nothing if the step is not possible. */
  reduce(draft: Draft<Cluster>, step: Step): void;
}

export interface OpenAction {
  readonly name: string;
  readonly fairness: ActionDefinition['fairness'];
  /** Its steps that may be possible in this state. Every other step is impossible. */
  candidates(cluster: Cluster, keys: OpenKeys): Candidates<OpenStep>;
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
    const candidates: OpenAction['candidates'] = (cluster, keys) => {
      const found = definition.candidates?.(setup, world, cluster, keys);
      if (found === undefined) return always;
      return 'length' in found ? found.map(step) : mapped(found, step);
    };
    return [{ name, fairness, candidates, reduce: definition.reducer(setup, world) }];
  });
  const reducers = new Map(actions.map(({ name, reduce }) => [name, reduce]));
  return {
    actions,
    reduce: (draft, { name, parameters }) => reducers.get(name)?.(draft, parameters),
  };
}

function* mapped<One, Other>(all: Iterable<One>, of: (one: One) => Other): Iterable<Other> {
  for (const one of all) yield of(one);
}
