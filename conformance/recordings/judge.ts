import {
  finished,
  type Paused,
  type Validation,
  type ValidationLimits,
  validatingTrace,
} from '../../checker/index.ts';
import type { Trace } from './logs/observations.ts';
import type { Misfit } from './matching/differences.ts';
import { type Search, type SearchOptions, searchOf } from './prepared.ts';
import type { TraceContext } from './search/context.ts';
import { explainerOf } from './search/explainer.ts';
import type { TraceState } from './search/trace-state.ts';
import { searchWithoutCollector } from './without-collector.ts';

export interface JudgeOptions extends SearchOptions {
  readonly limits: ValidationLimits;
}

/** The result for one trace, with the misfits at the furthest point. */
export interface Judged {
  readonly validation: Validation<TraceState>;
  readonly context: TraceContext;
  readonly misfits: readonly Misfit[];
}

/** The states after which a search in one order gives way to one in the other order, at least. */
const FIRST_STATES = 1_000;
/**
 * How many times as many states as the trace has instants: a search without a detour has about two.
 */
const STATES_PER_INSTANT = 4;
/** How many times as many states the next two searches have. */
const MORE_STATES = 4;

/**
 * Searches for a behaviour of the model that explains the trace.
 *
 * It searches in two orders in turn, for more and more states. A cluster delivers most events at
 * once, so deliveries come first in the first order. A trace that is long to explain in one order
 * is often quick to explain in the other; each of the two searches is complete. In between it asks
 * whether the trace has an explanation at all if the collector may send what it likes: that is
 * quick to tell.
 */
export function judge(trace: Trace, options: JudgeOptions): Judged {
  return finished(judging(trace, options));
}

/** The same, with pauses. */
export function* judging(trace: Trace, options: JudgeOptions): Paused<Judged> {
  const { limits } = options;
  const spent = { states: 0, milliseconds: 0 };
  const isOver = (): boolean =>
    wasFull || spent.states >= limits.states || spent.milliseconds >= limits.milliseconds;
  let wasFull = false;
  const tried = function* (search: Search, eventsFirst: boolean, states: number): Paused<Judged> {
    const { context, initial, misfits } = search;
    const found = yield* validatingTrace(explainerOf({ ...context, eventsFirst }, [initial]), {
      ...limits,
      states: Math.min(states, limits.states - spent.states),
      milliseconds: limits.milliseconds - spent.milliseconds,
    });
    wasFull = found.verdict === 'inconclusive' && found.wasFull;
    spent.states += found.statistics.states;
    spent.milliseconds += found.statistics.milliseconds;
    return { validation: { ...found, statistics: { ...spent } }, context, misfits: misfits() };
  };
  const search = searchOf(trace, options);
  const { length } = search.context.timeline.instants;
  let client: Search | null = null;
  for (let states = Math.max(FIRST_STATES, length * STATES_PER_INSTANT); ; states *= MORE_STATES) {
    const judged = yield* tried(search, true, states);
    if (isDecided(judged) || isOver()) return judged;
    client ??= searchWithoutCollector(trace, options);
    if (client !== null) {
      const simple = yield* tried(client, true, states);
      if (simple.validation.verdict === 'rejected') return simple;
      if (isOver()) return judged;
    }
    const again = yield* tried(search, false, states);
    if (isDecided(again) || isOver()) return again;
  }
}

function isDecided({ validation }: Judged): boolean {
  return validation.verdict !== 'inconclusive';
}
