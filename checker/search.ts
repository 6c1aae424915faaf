import type { Auditor } from './audit.ts';
import type { Engine, TransitionObserver } from './engine/engine.ts';
import { limitOf } from './errors.ts';
import { NO_PREDICATE } from './judgements.ts';
import { emptyTransitionBuffer } from './liveness/graph.ts';
import type { Limits } from './options.ts';
import type { Clock, SearchProgress } from './progress.ts';
import type { LimitKind } from './result.ts';

/** The clock is checked once in this many states, and after work that took long. */
const STATES_PER_CLOCK_CHECK = 64;

/** Judges what the search meets. */
export interface SearchJudge extends TransitionObserver {
  /** Every property is decided. */
  readonly allDecided: boolean;
  /** Judges a state, which the engine has loaded. */
  state(state: number): void;
  /** Judges the loaded state as one without successors. */
  terminal(state: number): void;
}

export interface SearchPlan<State> {
  readonly engine: Engine<State>;
  readonly judge: SearchJudge;
  readonly auditor: Auditor<State>;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly stopWhenDecided: boolean;
  /** The state predicate of the constraint, or `NO_PREDICATE`. */
  readonly within: number;
}

export interface SearchEnd {
  /** Null if all reachable states were expanded, or every property was decided. */
  readonly limit: LimitKind | null;
  readonly layers: number;
  /** False if the search stopped because every property was decided. */
  readonly exhausted: boolean;
  /** States outside of the constraint: judged, and not expanded. */
  readonly outside: number;
}

/**
 * The breadth-first search, layer by layer. The stored states are the queue: state `n` is the n-th
 * state found. Only this function decides the order of work. Engines store states and compute
 * transitions, the judge evaluates the properties, and selectors of ample sets choose the steps to
 * expand.
 */
export async function search<State>(plan: SearchPlan<State>): Promise<SearchEnd> {
  const { engine, judge, auditor, clock, limits, stopWhenDecided, within } = plan;
  const mostStates = limits.states ?? Number.POSITIVE_INFINITY;
  let limit: LimitKind | null = null;
  let layer = 0;
  let layerStart = 0;
  let layerEnd = engine.stateCount;
  let previousFrontier = 0;
  let transitions = 0;
  let outside = 0;
  const progress = (): SearchProgress => ({
    phase: 'search',
    layer,
    frontier: layerEnd - layerStart,
    previousFrontier,
    states: engine.stateCount,
    transitions,
  });
  const layersSoFar = () => (engine.stateCount > layerEnd ? layer + 2 : layer + 1);

  // The first sign of life: a single expansion may take long.
  clock.report(progress());
  clock.arm();
  try {
    for (let state = 0; state < engine.stateCount; state++) {
      if (state === layerEnd) {
        clock.report(progress());
        previousFrontier = layerEnd - layerStart;
        layer++;
        layerStart = layerEnd;
        layerEnd = engine.stateCount;
      }
      if (clock.isOverdue || (state % STATES_PER_CLOCK_CHECK === 0 && clock.pauseIsDue)) {
        limit = (await clock.pause(progress)) ?? limit;
        if (limit !== null && limit !== 'depth') break;
      }
      engine.load(state);
      judge.state(state);
      if (within !== NO_PREDICATE && !engine.test(within)) {
        outside++;
        continue;
      }
      if (layer === limits.depth && hasUnstoredSuccessor(engine, state)) {
        // The other states of this layer are still judged: the limit includes the layer.
        limit = 'depth';
        continue;
      }
      const known = engine.stateCount;
      const fired = engine.expand(judge);
      if (fired === 0) judge.terminal(state);
      transitions += fired;
      engine.reducedBy?.expanded(engine, state, engine.stateCount > known);
      if (transitions >= auditor.next) auditor.audit(state, transitions);
      if (stopWhenDecided && judge.allDecided)
        return { limit, layers: layersSoFar(), exhausted: false, outside };
      if (engine.stateCount > mostStates) {
        limit = 'states';
        break;
      }
    }
  } catch (error) {
    // The state in work is not expanded. What was found before stays.
    limit = limitOf(error);
  } finally {
    clock.disarm();
  }
  clock.report(progress());
  return { limit, layers: layersSoFar(), exhausted: limit === null, outside };
}

const buffer = emptyTransitionBuffer();

/** Whether some successor of the state is not stored. */
function hasUnstoredSuccessor<State>(engine: Engine<State>, state: number): boolean {
  const count = engine.successors(state, buffer);
  return buffer.targets.subarray(0, count).includes(-1);
}
