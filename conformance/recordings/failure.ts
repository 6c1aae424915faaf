import type { ExplainedPrefix } from '../../checker/index.ts';
import { formatKey } from '../../model/index.ts';
import type { Failure, PrefixEnd } from '../../report/document/conformance-documents.ts';
import type { Place } from '../../text/input-error.ts';
import {
  describeChangeSeen,
  describeCollectorRequest,
  describePlace,
  describeSeen,
  describeStep,
} from './describe.ts';
import type { Judged } from './judge.ts';
import { requestAt, type TraceContext } from './search/context.ts';
import { steps } from './search/history.ts';
import { keyOfNode } from './search/queue-items.ts';
import type { TraceState } from './search/trace-state.ts';
import { nextRequest, workerSlots } from './search/workers.ts';

const MOST_ENDS = 20;
const LAST_STEPS = 6;

export function failureOf({ validation, context, misfits }: Judged): Failure | null {
  if (validation.verdict === 'accepted') return null;
  const { prefixes, explained } = validation;
  const furthest = Math.max(...prefixes.map(({ state }) => state.changes));
  const next = context.timeline.changes[furthest];
  const { event, where } = eventAt(context, explained);
  const instead = isSending(context, explained)
    ? [...new Set(prefixes.flatMap(({ state }) => collectorCould(context, state)))].sort()
    : null;
  return {
    event,
    place: where === null ? context.trace.name : describePlace(where),
    line: where?.line ?? null,
    change:
      next === undefined
        ? null
        : { what: describeChangeSeen(next), place: describePlace(next.seen.place) },
    misfits: misfits.map(({ sentence, difference, request }) => ({
      sentence: request === null ? sentence : `${nameOf(context, request)}: ${sentence}`,
      field: difference?.field ?? null,
      seen: difference?.seen ?? null,
      model: difference?.model ?? null,
    })),
    instead,
    prefixes: prefixes.length,
    ends: prefixes.slice(0, MOST_ENDS).map((prefix) => endOf(context, prefix)),
  };
}

function nameOf(context: TraceContext, request: number): string {
  const { client, verb } = requestAt(context, request);
  const key = context.keys[request] ?? null;
  return `${client} ${verb}${key === null ? '' : ` ${formatKey(key)}`}`;
}

/** Whether the collector sends a request at this instant. */
function isSending(context: TraceContext, index: number): boolean {
  const instant = context.timeline.instants[index];
  return instant?.at === 'received' && requestAt(context, instant.request).collector;
}

function eventAt(
  context: TraceContext,
  index: number,
): { readonly event: string; readonly where: Place | null } {
  const instant = context.timeline.instants[index];
  switch (instant?.at) {
    case 'received':
    case 'completed': {
      const request = requestAt(context, instant.request);
      const when = instant.at === 'received' ? 'sends' : 'is answered';
      return {
        event: `${describeSeen(request)} (as it ${when})`,
        where: request.place,
      };
    }
    case 'change': {
      const change = context.timeline.changes[index];
      return change === undefined
        ? { event: 'a change', where: null }
        : { event: describeChangeSeen(change), where: change.seen.place };
    }
    case 'end':
    case undefined:
      return { event: 'the end of the trace', where: null };
    default:
      throw new Error(`unknown instant ${JSON.stringify(instant satisfies never)}`);
  }
}

/** The requests that workers are about to send, and the GETs for queued items. */
function collectorCould(context: TraceContext, state: TraceState): readonly string[] {
  const found: string[] = [];
  for (const slot of workerSlots(state)) {
    const request = nextRequest(context, state, slot);
    if (request !== null) found.push(describeCollectorRequest(request));
  }
  for (const node of Object.keys(state.cluster.attemptToDelete)) {
    const key = keyOfNode(context, node);
    if (key !== null) found.push(`GET ${formatKey(key)}`);
  }
  return found;
}

function endOf(context: TraceContext, { state }: ExplainedPrefix<TraceState>): PrefixEnd {
  const open = Object.keys(state.open).map((request) => nameOf(context, Number(request)));
  const undelivered = Object.values(state.cluster.watch)
    .flat()
    .map(({ type, key }) => `${type} ${formatKey(key)} undelivered`);
  const queued = Object.keys(state.cluster.attemptToDelete).flatMap((node) => {
    const key = keyOfNode(context, node);
    return key === null ? [] : [`${formatKey(key)} queued`];
  });
  return {
    changes: state.changes,
    lastSteps: steps(state.history).slice(-LAST_STEPS).map(describeStep),
    underWay: [...open, ...undelivered, ...queued],
  };
}
