import type { HiddenStep } from '../../../checker/index.ts';
import { demandedBy } from '../matching/calls.ts';
import { objectOf } from '../matching/initial-objects.ts';
import { requestAt, type TraceContext } from './context.ts';
import { mayLeadToRequest } from './deferred-reads.ts';
import { afterEagerSteps } from './eager-steps.ts';
import { candidates } from './pending-gets.ts';
import { keyOfNode } from './queue-items.ts';
import type { ModelAnswer, TraceState } from './trace-state.ts';
import { nextRequest, stepWithRead, workerSlots } from './workers.ts';

/**
 * GETs of the collector that are missing in a log with gaps: audit policies often do not log
 * reads. A worker that is about to send one reads what is stored at that moment. Writing requests
 * of the collector are never assumed to be missing.
 */
export function unloggedGets(
  context: TraceContext,
  state: TraceState,
  due: number,
): readonly HiddenStep<TraceState>[] {
  const wanted = context.keys[due] ?? null;
  if (!context.partial || wanted === null) return [];
  const steps: HiddenStep<TraceState>[] = [];
  for (const key of keysOfGets(context, state)) {
    for (const { sender, slot } of candidates(context, state, key)) {
      if (!mayLeadToRequest(context, state, slot.node, wanted)) continue;
      for (const read of readings(context, state, key, due)) {
        steps.push({
          label: `${slot.role} worker sends an unlogged GET`,
          take: (from) =>
            takeUnloggedAnswer(context, from, key, sender, read ?? readNow(from, key)),
        });
      }
    }
  }
  return steps;
}

/** The keys that workers, and workers for queued items, would GET next. */
function keysOfGets(context: TraceContext, state: TraceState): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const slot of workerSlots(state)) {
    const request = nextRequest(context, state, slot);
    if (request?.verb === 'get') keys.add(request.key);
  }
  const { attemptToDelete, attemptToOrphan } = state.cluster;
  for (const node of Object.keys({ ...attemptToDelete, ...attemptToOrphan })) {
    const key = keyOfNode(context, node);
    if (key !== null) keys.add(key);
  }
  return keys;
}

interface Reading {
  readonly done: ModelAnswer;
  readonly version: string | null;
}

function readNow(state: TraceState, key: string): Reading {
  const object = state.cluster.store[key];
  return {
    done: object === undefined ? { code: 404, object: null } : { code: 200, object },
    version: state.stored[key]?.version ?? null,
  };
}

/** What is stored now (null), and the version that the request to be explained demands. */
function readings(
  context: TraceContext,
  state: TraceState,
  key: string,
  due: number,
): readonly (Reading | null)[] {
  const demanded = demandedBy(requestAt(context, due).body);
  const earlier = context.timeline.changes
    .slice(0, state.changes)
    .find((change) => change.key === key && change.seen.object.resourceVersion === demanded);
  if (earlier === undefined || demanded === state.stored[key]?.version) return [null];
  const object = objectOf(earlier.seen, earlier.seen.name, earlier.seen.object);
  return [null, { done: { code: 200, object }, version: demanded }];
}

function takeUnloggedAnswer(
  context: TraceContext,
  state: TraceState,
  key: string,
  sender: string,
  { done, version }: Reading,
): TraceState | null {
  const candidate = candidates(context, state, key).find((one) => one.sender === sender);
  if (candidate === undefined) return null;
  const { slot } = candidate;
  const stepped = stepWithRead(context, candidate.state, slot, done, version);
  return afterEagerSteps(context, state, stepped, slot.sender);
}
