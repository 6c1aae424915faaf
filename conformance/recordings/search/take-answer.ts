import { isDeepStrictEqual } from 'node:util';
import type { TraceContext } from './context.ts';
import {
  type Candidate,
  candidates,
  everyGetHasSender,
  lateness,
  withLateness,
  withoutGet,
} from './pending-gets.ts';
import type { PendingGet, TraceState } from './trace-state.ts';
import { stepWithRead } from './workers.ts';

/** A worker takes and handles the answer of one of the GETs that it may have sent. */

/**
 * The answers that a candidate may take. Of equal answers the first, which leaves the most to
 * others.
 */
export function possibleAnswers(
  state: TraceState,
  key: string,
  candidate: Candidate,
): readonly PendingGet[] {
  const late = lateness(state, key, candidate.sender);
  const found: PendingGet[] = [];
  for (const get of state.pendingGets[key] ?? []) {
    if (get.done === null || get.received <= late) continue;
    if (!found.some((other) => sameAnswer(other, get))) found.push(get);
  }
  return found;
}

export function sameAnswer(a: PendingGet, b: PendingGet): boolean {
  if (a.done?.code !== b.done?.code || a.version !== b.version) return false;
  return a.version !== null || isDeepStrictEqual(a.done?.object, b.done?.object);
}

/**
 * Takes the answer, without eager steps after it. Null if another GET is then left without a
 * sender.
 */
export function takeAnswer(
  context: TraceContext,
  state: TraceState,
  key: string,
  candidate: Candidate,
  get: PendingGet,
): TraceState | null {
  const { slot } = candidate;
  const taken = withoutGet({ ...candidate.state, pendingGets: state.pendingGets }, key, get);
  const stepped = stepWithRead(context, taken, slot, get.done, get.version);
  const after = withLateness(context, state, stepped, slot.sender);
  return everyGetHasSender(context, after) ? after : null;
}

/**
 * The pending GETs of a key whose senders are certain: every candidate has sent one, and it makes
 * no difference which one gets which answer. Queued items are excluded: when they were taken is
 * still open and may matter.
 */
export function certainSenders(
  context: TraceContext,
  state: TraceState,
  key: string,
): readonly { readonly candidate: Candidate; readonly get: PendingGet }[] {
  const gets = state.pendingGets[key] ?? [];
  const [first] = gets;
  if (first === undefined || gets.some((get) => get.done === null || !sameAnswer(get, first))) {
    return [];
  }
  const all = candidates(context, state, key);
  if (all.length !== gets.length || all.some((candidate) => candidate.state !== state)) return [];
  return all.flatMap((candidate) => {
    const [get] = possibleAnswers(state, key, candidate);
    return get === undefined ? [] : [{ candidate, get }];
  });
}
