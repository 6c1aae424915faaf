import type { Auditor } from './audit.ts';
import type { Engine, TransitionObserver } from './engine/engine.ts';
import { limitOf } from './errors.ts';
import { NO_PREDICATE } from './judgements.ts';
import { emptyTransitionBuffer } from './liveness/graph.ts';
import type { Limits } from './options.ts';
import type { Clock, SearchProgress } from './progress.ts';
import type { ReducedGraph } from './reductions/reduction.ts';
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
  /** Makes a state that was judged before the source of the transitions to come. */
  revisit(state: number): void;
}

/** What a search needs of an engine. */
export type SearchedEngine<State> = ReducedGraph<State> &
  Pick<Engine<State>, 'selectors' | 'load' | 'test' | 'expandInOrder' | 'expand'>;

export interface SearchPlan<State> {
  readonly engine: SearchedEngine<State>;
  readonly judge: SearchJudge;
  readonly auditor: Auditor<State>;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly stopWhenDecided: boolean;
  /** The state predicate of the constraint, or `NO_PREDICATE`. */
  readonly within: number;
  /** Null: nothing is saved. */
  readonly saved?: SavedSearch | null;
  /** Where it begins, if nothing is saved; null: with the initial states. */
  readonly start?: SearchPosition | null;
  /** Null: nothing is expanded ahead. */
  readonly ahead?: AheadOfSearch | null;
}

/** Expands states ahead of the search. */
export interface AheadOfSearch {
  /**
   * Whether the state was expanded, and nothing is left but to take that over. Asked for states in
   * ascending order.
   */
  has(state: number): boolean;
  /**
   * Call this right after `has`: stores the successors, and counts as the judge and `expand` do.
   * Returns the number of transitions; null: the state is outside of the constraint.
   */
  take(state: number): number | null;
}

/** Saves a search, and says where a saved one had been. */
export interface SavedSearch {
  /** Where the search goes on; null: it begins. */
  readonly start: SearchPosition | null;
  /** Notes that all states before this one are done. The position is read at once. */
  mark(at: Readonly<SearchPosition>): void;
  /** Whether the time has come to save. Asked after `mark`. */
  readonly isDue: boolean;
  /** Saves the search as it was at the last mark. */
  save(): void;
}

/** How far a search is. */
export interface SearchPosition {
  /** The next state. */
  state: number;
  layer: number;
  layerStart: number;
  layerEnd: number;
  previousFrontier: number;
  transitions: number;
  outside: number;
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
  const { saved = null, ahead = null } = plan;
  const start = saved?.start ?? plan.start ?? startOf(engine);
  const mostStates = limits.states ?? Number.POSITIVE_INFINITY;
  let limit: LimitKind | null = null;
  let { layer, layerStart, layerEnd, previousFrontier, transitions, outside } = start;
  /** From a limit on the depth on, states are left out: what is saved ends before them. */
  let isSaving = saved !== null;
  const progress = (): SearchProgress => ({
    phase: 'search',
    layer,
    frontier: layerEnd - layerStart,
    previousFrontier,
    states: engine.stateCount,
    transitions,
  });
  const layersSoFar = () => (engine.stateCount > layerEnd ? layer + 2 : layer + 1);

  const at = { ...start };
  const mark = (state: number): void => {
    if (saved === null || !isSaving) return;
    at.state = state;
    at.layer = layer;
    at.layerStart = layerStart;
    at.layerEnd = layerEnd;
    at.previousFrontier = previousFrontier;
    at.transitions = transitions;
    at.outside = outside;
    saved.mark(at);
  };
  const save = (): void => {
    if (isSaving) saved?.save();
  };

  /**
   * Expands what ample sets have wrongly left out, until there is nothing, or there are new states.
   */
  const revise = async (): Promise<LimitKind | null> => {
    for (const selector of engine.selectors) {
      for (;;) {
        const known = engine.stateCount;
        const task = selector.revise(engine);
        let step = task.next();
        while (step.done !== true) {
          const hit = clock.pauseIsDue ? await clock.pause(progress) : null;
          if (hit !== null) return hit;
          step = task.next();
        }
        for (const { state, known: taken } of step.value) {
          engine.load(state);
          judge.revisit(state);
          transitions += engine.expand(judge, taken);
          if (transitions >= auditor.next) auditor.audit(state, transitions);
        }
        if (engine.stateCount > known) return null;
        if (step.value.length === 0) break;
      }
    }
    return null;
  };

  // States outside of a constraint are not expanded.
  if (within === NO_PREDICATE) engine.expandInOrder();
  // The first sign of life: a single expansion may take long.
  clock.report(progress());
  clock.arm();
  try {
    mark(start.state);
    // A search that has ended needs no states: it has found them all, under a larger limit.
    const hasEnded = start.state >= engine.stateCount;
    if (saved?.start && !hasEnded && engine.stateCount > mostStates) limit = 'states';
    if (saved?.start && stopWhenDecided && judge.allDecided)
      return { limit, layers: layersSoFar(), exhausted: false, outside };
    let state = start.state;
    for (; limit === null || limit === 'depth'; state++) {
      if (isSaving) {
        mark(state);
        if (saved!.isDue) save();
      }
      if (state >= engine.stateCount) {
        if (limit !== null) break;
        limit = await revise();
        if (limit !== null || state >= engine.stateCount) break;
      }
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
      if (layer !== limits.depth && ahead?.has(state) === true) {
        const fired = ahead.take(state);
        if (fired === null) {
          outside++;
          continue;
        }
        transitions += fired;
      } else {
        engine.load(state);
        judge.state(state);
        if (within !== NO_PREDICATE && !engine.test(within)) {
          outside++;
          continue;
        }
        if (layer === limits.depth && hasUnstoredSuccessor(engine, state)) {
          // The other states of this layer are still judged: the limit includes the layer.
          limit = 'depth';
          save();
          isSaving = false;
          continue;
        }
        const known = engine.stateCount;
        const fired = engine.expand(judge);
        if (fired === 0) judge.terminal(state);
        transitions += fired;
        engine.reducedBy?.expanded(engine, state, engine.stateCount > known);
      }
      if (transitions >= auditor.next) auditor.audit(state, transitions);
      if (stopWhenDecided && judge.allDecided) {
        mark(state + 1);
        save();
        return { limit, layers: layersSoFar(), exhausted: false, outside };
      }
      if (engine.stateCount > mostStates) {
        limit = 'states';
        mark(state + 1);
        break;
      }
    }
  } catch (error) {
    // The state in work is not expanded. What was found before stays.
    limit = limitOf(error);
  } finally {
    clock.disarm();
  }
  save();
  clock.report(progress());
  return { limit, layers: layersSoFar(), exhausted: limit === null, outside };
}

function startOf<State>({ stateCount }: SearchedEngine<State>): SearchPosition {
  const nothing = { state: 0, layer: 0, layerStart: 0, previousFrontier: 0 };
  return { ...nothing, layerEnd: stateCount, transitions: 0, outside: 0 };
}

const buffer = emptyTransitionBuffer();

/** Whether some successor of the state is not stored. */
function hasUnstoredSuccessor<State>(engine: SearchedEngine<State>, state: number): boolean {
  const count = engine.successors(state, buffer);
  return buffer.targets.subarray(0, count).includes(-1);
}
