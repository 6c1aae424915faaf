import type { Uid } from '../../../model/index.ts';
import type { RunState } from './run-state.ts';

/**
 * Kubernetes keeps the dependents of a node in a Go map, so a loop over them has no fixed order.
 * The model visits them in the order of their uids. A trace shows one of many orders: every order
 * is tried, and those that do not lead to what the trace shows are dropped.
 */

/** If there are more orders, only the sorted and the reversed one are tried. */
const MAX_ORDERS = 720;

function permutations(list: readonly Uid[]): readonly (readonly Uid[])[] {
  if (list.length <= 1) return [list];
  return list.flatMap((first, index) =>
    permutations(list.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

function factorial(count: number): number {
  return count <= 1 ? 1 : count * factorial(count - 1);
}

/** The same state with the dependents of its nodes in each possible order. */
function inEveryOrder(state: RunState): readonly RunState[] {
  const lists = Object.entries(state.cluster.dependents).filter(([, list]) => list.length > 1);
  const count = lists.reduce((product, [, list]) => product * factorial(list.length), 1);
  if (count === 1) return [state];
  const choices: readonly (readonly [Uid, readonly (readonly Uid[])[]])[] = lists.map(
    ([uid, list]) => [uid, count > MAX_ORDERS ? [list, [...list].reverse()] : permutations(list)],
  );
  let orders: readonly Readonly<Record<Uid, readonly Uid[]>>[] = [{}];
  for (const [uid, possible] of choices) {
    orders = orders.flatMap((order) => possible.map((list) => ({ ...order, [uid]: list })));
  }
  return orders.map((order) => ({
    ...state,
    cluster: { ...state.cluster, dependents: { ...state.cluster.dependents, ...order } },
  }));
}

function sortedAgain(state: RunState): RunState {
  const dependents = Object.fromEntries(
    Object.entries(state.cluster.dependents).map(([uid, list]) => [uid, [...list].sort()]),
  );
  return { ...state, cluster: { ...state.cluster, dependents } };
}

/** Every state to which the step can lead. Empty if the step is not possible. */
export function inAllOrders(
  states: readonly RunState[],
  step: (state: RunState) => RunState | null,
): readonly RunState[] {
  const found = new Map<string, RunState>();
  for (const state of states.flatMap(inEveryOrder)) {
    const next = step(state);
    if (next === null) continue;
    const sorted = sortedAgain(next);
    // The order of keys matters: it is the order of the queues.
    const text = JSON.stringify(sorted);
    if (!found.has(text)) found.set(text, sorted);
  }
  return [...found.values()];
}
