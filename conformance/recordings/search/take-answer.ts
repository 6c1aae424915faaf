import { isDeepStrictEqual } from 'node:util';
import type { Trial } from './context.ts';
import {
  type Candidate,
  candidates,
  isCovered,
  lateness,
  withLateness,
  withoutGet,
} from './pending-gets.ts';
import type { PooledGet, TraceState } from './trace-state.ts';
import { stepPost, withRead } from './workers.ts';

/** A worker takes the answer of one of the GETs that it may have sent, and handles it. */

/** The answers that a candidate may take: of equal ones the first, which leaves most to the others. */
export function answersFor(
  state: TraceState,
  key: string,
  candidate: Candidate,
): readonly PooledGet[] {
  const late = lateness(state, key, candidate.sender);
  const found: PooledGet[] = [];
  for (const get of state.pools[key] ?? []) {
    if (get.done === null || get.received <= late) continue;
    if (!found.some((other) => sameAnswer(other, get))) found.push(get);
  }
  return found;
}

export function sameAnswer(a: PooledGet, b: PooledGet): boolean {
  if (a.done?.code !== b.done?.code || a.version !== b.version) return false;
  return a.version !== null || isDeepStrictEqual(a.done?.object, b.done?.object);
}

/** Without what follows by itself; null if the other GETs are then left without senders. */
export function hear(
  trial: Trial,
  state: TraceState,
  key: string,
  candidate: Candidate,
  get: PooledGet,
): TraceState | null {
  const { post } = candidate;
  const taken = withoutGet({ ...candidate.state, pools: state.pools }, key, get);
  const stepped = withRead(stepPost(trial, taken, post, get.done), post, get.version);
  const after = withLateness(trial, state, stepped, post.sender);
  return isCovered(trial, after) ? after : null;
}

/**
 * The GETs of a pool whose senders are certain: everybody who may have sent one has, and it makes no
 * difference who gets which answer. None of them is an item that waits: when it was taken is still
 * open, and may matter.
 */
export function certain(
  trial: Trial,
  state: TraceState,
  key: string,
): readonly { readonly candidate: Candidate; readonly get: PooledGet }[] {
  const gets = state.pools[key] ?? [];
  const [first] = gets;
  if (first === undefined || gets.some((get) => get.done === null || !sameAnswer(get, first))) {
    return [];
  }
  const all = candidates(trial, state, key);
  if (all.length !== gets.length || all.some((candidate) => candidate.state !== state)) return [];
  return all.flatMap((candidate) => {
    const [get] = answersFor(state, key, candidate);
    return get === undefined ? [] : [{ candidate, get }];
  });
}
