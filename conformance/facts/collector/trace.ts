import type { Rules, WatchEvent } from '../../../model/index.ts';
import { type Difference, failedAt, passedOr } from '../compare.ts';
import { type CaseOutcome, failed, PASSED } from '../outcome.ts';
import { ownerDependentSymmetry } from './compare-state.ts';
import { inAllOrders } from './dependent-orders.ts';
import type { RunState } from './run-state.ts';
import type { ProcessingStep } from './shapes.ts';
import {
  type Conditions,
  enqueueEvent,
  processDelete,
  processGraph,
  processOrphan,
} from './single-steps.ts';

/** Takes the next state; null if the step is not possible because a queue is empty. */
export type TakeStep = (state: RunState) => RunState | null;

/** One step of a trace, and the comparison after it. */
export interface TraceStep {
  readonly name: string;
  readonly take: TakeStep;
  /** False if the case states nothing after this step. */
  readonly checks: boolean;
  compare(state: RunState): Difference | null;
}

/** The function of Kubernetes and the file of the model that decide a step, for failure reports. */
const DECIDED_BY: Readonly<Record<string, string>> = {
  'graph.event': 'GraphBuilder.processGraphChanges, model/collector/graph-builder.ts',
  'graph.process': 'GraphBuilder.processGraphChanges, model/collector/graph-builder.ts',
  'graph.enqueueFront': 'the event queue of GraphBuilder, model/collector/watch.ts',
  'attemptToDelete.process':
    'GarbageCollector.attemptToDeleteWorker, model/collector/delete-worker.ts',
  attempt: 'GarbageCollector.attemptToDeleteItem, model/collector/delete-worker.ts',
  'attemptToOrphan.process':
    'GarbageCollector.attemptToOrphanWorker, model/collector/orphan-worker.ts',
};

/**
 * Takes the steps one after the other. Where Kubernetes leaves an order open, every order is
 * followed; the case holds if one of them agrees with every step.
 *
 * @param end compares the state at the end with `expect`.
 */
export function followTrace(
  start: RunState,
  steps: readonly TraceStep[],
  end?: { compare(state: RunState): Difference | null; readonly decidedBy: string },
): CaseOutcome {
  let states: readonly RunState[] = [start];
  for (const [index, step] of steps.entries()) {
    const decision = DECIDED_BY[step.name] ?? 'the state given';
    const next = inAllOrders(states, step.take);
    const [first] = next;
    if (first === undefined) {
      const rule = `queue, decided by ${decision}`;
      return failed(index, 'an item to take', 'an empty queue', rule);
    }
    const differences = next.map(
      (state) => ownerDependentSymmetry(state.cluster) ?? step.compare(state),
    );
    const agreeing = next.filter((_, at) => differences[at] === null);
    const [difference] = differences;
    if (agreeing.length === 0 && difference !== null && difference !== undefined) {
      return failedAt(index, difference, decision);
    }
    states = step.checks ? agreeing.map(withoutRequests) : agreeing;
  }
  return end === undefined ? PASSED : passedOr(end.compare(states[0] ?? start), end.decidedBy);
}

/** What was compared is not compared again. */
function withoutRequests(state: RunState): RunState {
  const earlierRequests = [...state.earlierRequests, ...state.requests];
  return { ...state, requests: [], earlierRequests, warnings: [] };
}

/** Takes a step `count` times; null as soon as it is not possible. */
function repeat(count: number, take: TakeStep): TakeStep {
  return (state) => {
    let current: RunState | null = state;
    for (let done = 0; done < count && current !== null; done++) current = take(current);
    return current;
  };
}

/** The graph builder processes this event before all events in the queue. */
export function processEvent(conditions: Conditions, event: WatchEvent): TakeStep {
  return (state) => processGraph(conditions, enqueueEvent(state, event, true));
}

/** The event goes to the front of the event queue. */
export function enqueueFront(event: WatchEvent): TakeStep {
  return (state) => enqueueEvent(state, event, true);
}

/** The steps that process the first items of a queue. */
export function processItems(conditions: Conditions, step: ProcessingStep): TakeStep {
  switch (step.do) {
    case 'graph.process':
      return repeat(step.count, (state) => processGraph(conditions, state));
    case 'attemptToDelete.process':
      return repeat(step.count, (state) => processDelete(conditions, state));
    case 'attemptToOrphan.process':
      return repeat(step.count, (state) => processOrphan(conditions, state));
    default:
      throw new Error(`unknown step ${JSON.stringify(step.do satisfies never)}`);
  }
}

/** Kubernetes' capacity of the memory of absent owners. */
const ABSENT_OWNERS = 500;

export function conditionsFor(
  kinds: Conditions['kinds'],
  rules: Rules,
  server: Conditions['server'],
  absentOwnerCapacity = ABSENT_OWNERS,
): Conditions {
  return { kinds, rules, server, absentOwnerCapacity };
}
