import type { Draft } from 'immer';
import { ACTIONS } from './actions.ts';
import type { ActionDefinition } from './actors/actor.ts';
import { ACTORS } from './actors/registry.ts';
import { initialCluster } from './initial.ts';
import { type Cluster, EMPTY_CLUSTER, SLOTS } from './state/cluster.ts';
import type { Setup } from './state/setup.ts';
import { surroundingsOf } from './state/surroundings.ts';
import type { World } from './state/world.ts';
import type { Parameters } from './words/context.ts';

/**
 * An action in the checker's form. The types match by structure, so the model does not import the
 * checker.
 */
export interface DeletionAction {
  readonly parameters: readonly Parameters[];
  readonly fairness: ActionDefinition['fairness'];
  reduce(draft: Draft<Cluster>, parameters: Parameters): void;
}

/**
 * What the checker takes for the family of all models of setups: they have the same code.
 * `test/scenarios` looks for hidden state in each built-in scenario of up to 1,000 states as in a
 * model of its own, so elsewhere a sample is enough.
 */
export const FAMILY = { knownViews: 512 } as const;

/** With all actions, and no state in which one of them is possible. */
export function emptyModel({ name }: Pick<Setup, 'name'>): DeletionModel {
  const none = { parameters: [{}], fairness: 'none', reduce: () => {} } as const;
  const actions = Object.fromEntries(Object.keys(ACTIONS).map((action) => [action, none]));
  return { name, slots: SLOTS, initial: [EMPTY_CLUSTER], actions };
}

export interface DeletionModel {
  readonly name: string;
  readonly slots: typeof SLOTS & { readonly outside?: 'flags' };
  readonly initial: readonly Cluster[];
  readonly actions: Readonly<Record<string, DeletionAction>>;
}

/** What is fixed while a model of this setup runs. */
export function worldOf(setup: Setup): World {
  const informers = ACTORS.flatMap((actor) => actor.informers?.(setup) ?? []);
  return { ...surroundingsOf(setup), ...(informers.length === 0 ? {} : { informers }) };
}

/**
 * The deletion machinery of one cluster as a transition system.
 *
 * Fairness: what Kubernetes does eventually is weakly fair (delivery, a worker's next step, a
 * request that has begun, the owner of a finalizer). Taking an item is strongly fair: the real
 * queue is first in, first out, so an item cannot be passed over forever. Disturbances are not
 * fair, nor are users, unless the setup says that they finish.
 *
 * @param report called with the collector's warnings while the model is explored.
 * @param look called again and again while the model is made; what it throws ends the work.
 */
export function deletionModel(
  setup: Setup,
  report?: World['report'],
  look?: () => void,
): DeletionModel {
  if (setup.open === true) throw new Error('a model of an open setup has no list of its steps');
  const world = { ...worldOf(setup), ...(report === undefined ? {} : { report }) };
  return {
    name: setup.name,
    slots: setup.outside === undefined ? SLOTS : { ...SLOTS, outside: 'flags' },
    initial: [initialCluster(setup, world, look)],
    actions: Object.fromEntries(
      Object.entries(ACTIONS).flatMap(([name, definition]) => {
        const parameters = definition.parameters(setup, world);
        if (parameters === null || parameters.length === 0) return [];
        const reduce = definition.reducer(setup, world);
        const fairness = definition.fairnessIn?.(setup) ?? definition.fairness;
        return [[name, { parameters, fairness, reduce }]];
      }),
    ),
  };
}
