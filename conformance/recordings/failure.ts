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
import { steps } from './history.ts';
import { keyOfNode } from './items.ts';
import type { Judged } from './judge.ts';
import type { TraceState } from './trace-state.ts';
import { requestOfTrial, type Trial } from './trial.ts';
import { nextRequest, posts } from './workers.ts';

const MOST_ENDS = 20;
const LAST_STEPS = 6;

export function failureOf({ validation, trial, misfits }: Judged): Failure | null {
  if (validation.verdict === 'accepted') return null;
  const { prefixes, explained } = validation;
  const furthest = Math.max(...prefixes.map(({ state }) => state.changes));
  const next = trial.timeline.changes[furthest];
  const { event, where } = eventAt(trial, explained);
  const instead = isSending(trial, explained)
    ? [...new Set(prefixes.flatMap(({ state }) => collectorCould(trial, state)))].sort()
    : null;
  return {
    event,
    place: where === null ? trial.trace.name : describePlace(where),
    line: where?.line ?? null,
    change:
      next === undefined
        ? null
        : { what: describeChangeSeen(next), place: describePlace(next.seen.place) },
    misfits: misfits.map(({ sentence, difference, request }) => ({
      sentence: request === null ? sentence : `${nameOf(trial, request)}: ${sentence}`,
      field: difference?.field ?? null,
      seen: difference?.seen ?? null,
      model: difference?.model ?? null,
    })),
    instead,
    prefixes: prefixes.length,
    ends: prefixes.slice(0, MOST_ENDS).map((prefix) => endOf(trial, prefix)),
  };
}

function nameOf(trial: Trial, request: number): string {
  const { client, verb } = requestOfTrial(trial, request);
  const key = trial.keys[request] ?? null;
  return `${client} ${verb}${key === null ? '' : ` ${formatKey(key)}`}`;
}

/** The collector sends a request at this instant. */
function isSending(trial: Trial, index: number): boolean {
  const instant = trial.timeline.instants[index];
  return instant?.at === 'received' && requestOfTrial(trial, instant.request).collector;
}

function eventAt(
  trial: Trial,
  index: number,
): { readonly event: string; readonly where: Place | null } {
  const instant = trial.timeline.instants[index];
  switch (instant?.at) {
    case 'received':
    case 'completed': {
      const request = requestOfTrial(trial, instant.request);
      const when = instant.at === 'received' ? 'sends' : 'is answered';
      return {
        event: `${describeSeen(request)} (as it ${when})`,
        where: request.place,
      };
    }
    case 'change': {
      const change = trial.timeline.changes[index];
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

/** What workers are about to send, and the GETs for items that wait. */
function collectorCould(trial: Trial, state: TraceState): readonly string[] {
  const found: string[] = [];
  for (const post of posts(state)) {
    const request = nextRequest(trial, state, post);
    if (request !== null) found.push(describeCollectorRequest(request));
  }
  for (const node of Object.keys(state.cluster.attemptToDelete)) {
    const key = keyOfNode(trial, node);
    if (key !== null) found.push(`GET ${formatKey(key)}`);
  }
  return found;
}

function endOf(trial: Trial, { state }: ExplainedPrefix<TraceState>): PrefixEnd {
  const open = Object.keys(state.open).map((request) => nameOf(trial, Number(request)));
  const undelivered = Object.values(state.cluster.watch)
    .flat()
    .map(({ type, key }) => `${type} ${formatKey(key)} undelivered`);
  const queued = Object.keys(state.cluster.attemptToDelete).flatMap((node) => {
    const key = keyOfNode(trial, node);
    return key === null ? [] : [`${formatKey(key)} queued`];
  });
  return {
    changes: state.changes,
    lastSteps: steps(state.history).slice(-LAST_STEPS).map(describeStep),
    underWay: [...open, ...undelivered, ...queued],
  };
}
