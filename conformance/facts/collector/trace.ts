import type { Rules, WatchEvent } from '../../../model/index.ts';
import { type CaseOutcome, failed, PASSED } from '../outcome.ts';
import { type Difference, ownerDependentSymmetry } from './compare-state.ts';
import { inAllOrders } from './dependent-orders.ts';
import type { RunState } from './run-state.ts';
import {
  type Conditions,
  enqueueEvent,
  processDelete,
  processGraph,
  processOrphan,
} from './single-steps.ts';

/** What one step of a trace does and what must hold after it. */
export interface TraceStep {
  readonly name: string;
  /** Null: the step cannot be taken, as there is nothing to take. */
  take(state: RunState): RunState | null;
  /** The first difference; `checks` is false where the case states nothing. */
  readonly checks: boolean;
  compare(state: RunState): Difference | null;
}

/** What decides a step, for whoever has to mend it. */
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

export function ruleFor(field: string, step: string): string {
  return `${field}, decided by ${DECIDED_BY[step] ?? 'the state given'}`;
}

/**
 * Takes the steps one after the other. Where Kubernetes leaves an order open every order is
 * followed, and the case holds if one of them is as stated.
 */
export function followTrace(start: RunState, steps: readonly TraceStep[]): CaseOutcome | RunState {
  let states: readonly RunState[] = [start];
  for (const [index, step] of steps.entries()) {
    const next = inAllOrders(states, (state) => step.take(state));
    const [first] = next;
    if (first === undefined) {
      return failed(index, 'an item to take', 'an empty queue', ruleFor('queue', step.name));
    }
    const differences = next.map(
      (state) => ownerDependentSymmetry(state.cluster) ?? step.compare(state),
    );
    const agreeing = next.filter((_, at) => differences[at] === null);
    const [difference] = differences;
    if (agreeing.length === 0 && difference !== null && difference !== undefined) {
      const { field, expected, got } = difference;
      return failed(index, expected, got, ruleFor(field, step.name));
    }
    states = step.checks
      ? agreeing.map((state) => ({ ...state, requests: [], warnings: [] }))
      : agreeing;
  }
  return states[0] ?? start;
}

export function isOutcome(result: CaseOutcome | RunState): result is CaseOutcome {
  return 'verdict' in result;
}

export function passedOr(difference: Difference | null, decidedBy: string): CaseOutcome {
  if (difference === null) return PASSED;
  const { field, expected, got } = difference;
  return failed('expect', expected, got, `${field}, decided by ${decidedBy}`);
}

/** Takes a step that often; null as soon as it cannot be taken. */
export function repeat(
  count: number,
  state: RunState,
  take: (state: RunState) => RunState | null,
): RunState | null {
  let current: RunState | null = state;
  for (let done = 0; done < count && current !== null; done++) current = take(current);
  return current;
}

/** The steps that all single-stepped traces share. */
export function collectorSteps(conditions: Conditions) {
  return {
    event: (event: WatchEvent) => (state: RunState) =>
      processGraph(conditions, enqueueEvent(state, event, true)),
    enqueueFront: (event: WatchEvent) => (state: RunState) => enqueueEvent(state, event, true),
    graph: (count: number) => (state: RunState) =>
      repeat(count, state, (current) => processGraph(conditions, current)),
    delete: (count: number) => (state: RunState) =>
      repeat(count, state, (current) => processDelete(conditions, current)),
    orphan: (count: number) => (state: RunState) =>
      repeat(count, state, (current) => processOrphan(conditions, current)),
  };
}

/** Kubernetes' capacity of the memory of absent owners. */
export const ABSENT_OWNERS = 500;

export function conditionsFor(
  kinds: Conditions['kinds'],
  rules: Rules,
  server: Conditions['server'],
  absentOwnerCapacity = ABSENT_OWNERS,
): Conditions {
  return { kinds, rules, server, absentOwnerCapacity };
}
