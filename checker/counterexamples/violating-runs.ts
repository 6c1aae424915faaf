import type { Engine } from '../engine/engine.ts';
import type { Instance } from '../instances.ts';
import type { Judgement } from '../judgements.ts';
import { emptyTransitionBuffer } from '../liveness/graph.ts';
import type { Resumable } from '../liveness/resumable.ts';
import { BitSet } from '../values/bit-set.ts';
import type { Footprints } from './footprint.ts';
import { RunOrder } from './run-order.ts';
import type { Violations } from './violations.ts';

/** For one property: how many prefixes of runs are followed, and how many violations examined. */
const MOST_PREFIXES = 4000;
const MOST_VIOLATIONS = 2000;
const UNREACHED = -1;

/** A run to a violation, without an earlier one. */
export interface ViolatingRun {
  readonly judgement: Judgement;
  readonly order: RunOrder;
  /** Stored states, the initial one first. */
  readonly states: readonly number[];
}

export interface ViolatingRuns {
  readonly runs: readonly ViolatingRun[];
  /** Whether these are all runs of the kind. */
  readonly complete: boolean;
}

/** The last step of a run to a violation. */
interface Entry {
  readonly instance: number;
  readonly target: number;
  readonly judgement: Judgement;
}

interface Prefix {
  readonly state: number;
  readonly order: RunOrder;
  readonly states: readonly number[];
}

/**
 * The shortest runs to each violation without an earlier one on the run, one for each order of
 * dependent steps. Of runs that result from each other by exchanging independent neighbours, only
 * one is followed, prefix by prefix.
 */
export function* violatingRuns<State>(
  engine: Engine<State>,
  instances: readonly Instance<State>[],
  footprints: Footprints<State>,
  violations: Violations,
): Resumable<ViolatingRuns> {
  const ways = yield* shortestWays(engine, violations);
  const runs: ViolatingRun[] = [];
  let prefixes: Prefix[] = [];
  for (let state = 0; state < engine.initialCount; state++) {
    const judgement = violations.states.get(state);
    const prefix = { state, order: RunOrder.empty, states: [state] };
    if (judgement !== undefined) runs.push({ judgement, ...prefix });
    else if (ways.useful.has(state)) prefixes.push(prefix);
  }
  const known = new Set<string>();
  let followed = 0;
  const buffer = emptyTransitionBuffer();
  while (prefixes.length > 0) {
    const longer: Prefix[] = [];
    for (const { state, order, states } of prefixes) {
      yield followed;
      if (++followed > MOST_PREFIXES) return { runs, complete: false };
      const plain = engine.decode(state);
      const extended = (instance: number) => order.with(footprints, plain, instances[instance]!);
      for (const { instance, target, judgement } of ways.entries.get(state) ?? []) {
        runs.push({ judgement, order: extended(instance), states: [...states, target] });
      }
      const count = engine.successors(state, buffer);
      const steps = Array.from({ length: count }, (_, index) => ({
        instance: buffer.actions[index]!,
        target: buffer.targets[index]!,
      }));
      for (const { instance, target } of steps) {
        if (target < 0 || !ways.useful.has(target)) continue;
        if (ways.distance[target] !== states.length) continue;
        if (isViolation(violations, state, instance)) continue;
        const next = extended(instance);
        const key = `${target} ${next.normalForm()}`;
        if (known.has(key)) continue;
        known.add(key);
        longer.push({ state: target, order: next, states: [...states, target] });
      }
    }
    prefixes = longer;
  }
  return { runs, complete: ways.complete };
}

interface Ways {
  /** For states that are reached without a violation. */
  readonly distance: Int32Array;
  /** States on a shortest run without a violation to an entry. */
  readonly useful: BitSet;
  /** By state: steps from it that end in a violation. */
  readonly entries: ReadonlyMap<number, readonly Entry[]>;
  readonly complete: boolean;
}

function* shortestWays<State>(engine: Engine<State>, violations: Violations): Resumable<Ways> {
  const distance = new Int32Array(engine.stateCount).fill(UNREACHED);
  const queue = new Int32Array(engine.stateCount);
  const entries = new Map<number, readonly Entry[]>();
  let tail = 0;
  for (let state = 0; state < engine.initialCount; state++) {
    if (violations.states.has(state)) continue;
    distance[state] = 0;
    queue[tail++] = state;
  }
  const buffer = emptyTransitionBuffer();
  let found = 0;
  let last = Number.POSITIVE_INFINITY;
  let head = 0;
  for (; head < tail; head++) {
    if (head % 64 === 0) yield head;
    const state = queue[head]!;
    const steps = distance[state]!;
    // Once there are enough violations, only those of the same length are added.
    if (steps > last) break;
    const count = engine.successors(state, buffer);
    const here: Entry[] = [...(violations.transitions.get(state) ?? [])];
    for (let index = 0; index < count; index++) {
      const instance = buffer.actions[index]!;
      const target = buffer.targets[index]!;
      if (target < 0 || isViolation(violations, state, instance)) continue;
      const judgement = violations.states.get(target);
      if (judgement !== undefined) here.push({ instance, target, judgement });
      else if (distance[target] === UNREACHED) {
        distance[target] = steps + 1;
        queue[tail++] = target;
      }
    }
    if (here.length === 0) continue;
    entries.set(state, here);
    found += here.length;
    if (found >= MOST_VIOLATIONS) last = Math.min(last, steps);
  }
  const useful = new BitSet(engine.stateCount);
  for (let position = head - 1; position >= 0; position--) {
    if (position % 64 === 0) yield position;
    const state = queue[position]!;
    if (entries.has(state)) useful.add(state);
    else if (entries.size > 0) {
      const count = engine.successors(state, buffer);
      for (let index = 0; index < count; index++) {
        const target = buffer.targets[index]!;
        if (target < 0 || !useful.has(target) || distance[target] !== distance[state]! + 1)
          continue;
        if (isViolation(violations, state, buffer.actions[index]!)) continue;
        useful.add(state);
        break;
      }
    }
  }
  return { distance, useful, entries, complete: last === Number.POSITIVE_INFINITY };
}

function isViolation({ transitions }: Violations, state: number, instance: number): boolean {
  return transitions.get(state)?.some((entry) => entry.instance === instance) ?? false;
}
