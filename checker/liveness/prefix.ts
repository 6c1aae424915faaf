import type { BitSet } from '../values/bit-set.ts';
import type { FairStates } from './fairness.ts';
import type { EdgePredicate, StateGraph } from './graph.ts';
import { transitionBuffer } from './graph.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/** An action instance and the state that it leads to. */
export interface TransitionStep {
  readonly action: number;
  readonly state: number;
}

export interface Prefix {
  readonly initial: number;
  readonly steps: readonly TransitionStep[];
  /** The last state of the run. */
  readonly end: number;
  /** The run may stutter in `end`; otherwise a fair closed walk goes through it. */
  readonly stutters: boolean;
}

/** `triggered`: the trigger is true and the goal is not, so the goal is pending from here on. */
export interface Pending {
  triggered(state: number): boolean;
  goal(state: number): boolean;
  /** A transition after which the goal is not pending, unless it is asked for anew. */
  readonly metBy?: EdgePredicate | undefined;
}

const FIRST = 0xffff_ffff;

/**
 * A shortest run to a state in which a fair run can remain while the goal is missing after a
 * trigger. Breadth-first over pairs of a state and whether a goal is pending. Among equally short
 * runs it prefers one that ends in stuttering, then the one whose last state has the smallest
 * number.
 *
 * A pair without a pending goal is dropped if its state was reached with one, as the latter can do
 * all that the former can.
 */
export function* shortestPrefix(
  graph: StateGraph,
  pending: Pending,
  fair: FairStates,
): Resumable<Prefix> {
  const { stateCount } = graph;
  const transitions = transitionBuffer(graph);
  // A node is twice its state, plus 1 if a goal is pending. The array has predecessors plus 1.
  const predecessors = new Uint32Array(2 * stateCount);
  const queue = new Uint32Array(2 * stateCount);
  let tail = 0;
  let best = -1;

  const discover = (state: number, isPending: boolean, predecessor: number) => {
    if (predecessors[2 * state + 1] !== 0) return;
    const node = 2 * state + (isPending ? 1 : 0);
    if (predecessors[node] !== 0) return;
    predecessors[node] = predecessor;
    queue[tail++] = node;
    if (!isPending || !canRemain(fair, state)) return;
    if (best === -1 || isBetter(fair.stuttering, state, best >>> 1)) best = node;
  };

  for (let state = 0; state < graph.initialCount; state++) {
    discover(state, pending.triggered(state), FIRST);
  }
  let head = 0;
  while (best === -1 && head < tail) {
    const layerEnd = tail;
    for (; head < layerEnd; head++) {
      if (head % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield head;
      const node = queue[head]!;
      const wasPending = (node & 1) === 1;
      const count = graph.successors(node >>> 1, transitions);
      for (let position = 0; position < count; position++) {
        const target = transitions.targets[position]!;
        const action = transitions.actions[position]!;
        const isPending =
          pending.triggered(target) ||
          (wasPending && staysPending(pending, node >>> 1, action, target));
        discover(target, isPending, node + 1);
      }
    }
  }
  if (best === -1) throw new Error('no initial state leads to the fair states of this graph');
  const end = best >>> 1;
  const nodes = [best];
  while (predecessors[nodes.at(-1)!] !== FIRST) nodes.push(predecessors[nodes.at(-1)!]! - 1);
  nodes.reverse();
  const steps = nodes.slice(1).map((node, position) => {
    const from = nodes[position]! >>> 1;
    const state = node >>> 1;
    const mustStay = (node & 1) === 1 && !pending.triggered(state);
    const fits = (action: number): boolean =>
      !mustStay || staysPending(pending, from, action, state);
    return { action: smallestAction(graph, from, state, fits), state };
  });
  return { initial: nodes[0]! >>> 1, steps, end, stutters: fair.stuttering.has(end) };
}

/** Whether a goal that was pending still is after the transition. */
function staysPending(
  { goal, metBy }: Pending,
  from: number,
  action: number,
  target: number,
): boolean {
  return !goal(target) && metBy?.(from, action, target) !== true;
}

function canRemain(fair: FairStates, state: number): boolean {
  return fair.stuttering.has(state) || fair.recurring.has(state);
}

function isBetter(stuttering: BitSet, state: number, than: number): boolean {
  if (stuttering.has(state) !== stuttering.has(than)) return stuttering.has(state);
  return state < than;
}

function smallestAction(
  graph: StateGraph,
  from: number,
  to: number,
  fits: (action: number) => boolean,
): number {
  const transitions = transitionBuffer(graph);
  const count = graph.successors(from, transitions);
  let smallest = -1;
  for (let position = 0; position < count; position++) {
    if (transitions.targets[position] !== to) continue;
    const action = transitions.actions[position]!;
    if ((smallest === -1 || action < smallest) && fits(action)) smallest = action;
  }
  return smallest;
}
