/**
 * Trace validation: is a sequence of observations of a real system a behaviour of a model?
 *
 * The observations are given as a list. Steps between them that were not observed (hidden steps)
 * are existentially quantified: the observations are explained if some choice of hidden steps leads
 * through all of them. This file does not depend on what is observed.
 */

import { megabytesWithin } from '../memory.ts';

/** One step of an explanation: what happened, and the state after it. */
export interface ExplainedStep<State> {
  readonly label: string;
  readonly state: State;
}

/** A step that was not observed. */
export interface HiddenStep<State> {
  readonly label: string;
  /** Takes the step in a state; null if it is not possible there. */
  take(state: State): State | null;
}

/** A model and the observations of a system, as the search needs them. */
export interface Explainer<State> {
  readonly initial: readonly State[];
  /** Number of observations. */
  readonly observations: number;
  /**
   * All ways to explain the observation of this index in this state, without a hidden step before
   * it.
   */
  match(state: State, index: number): readonly ExplainedStep<State>[];
  /**
   * The hidden steps that may be needed before the observation of this index. A step that is left
   * out here must be offered before a later observation that needs it.
   */
  hidden(state: State, index: number): readonly HiddenStep<State>[];
  /** Equal for states with the same future behaviour. */
  key(state: State): string;
}

export interface ValidationLimits {
  /** Distinct pairs of position and state. */
  readonly states: number;
  /** Wall-clock milliseconds. */
  readonly milliseconds: number;
  /** Megabytes (10^6) of resident memory of the process. Absent: no limit. */
  readonly megabytes?: number;
}

/** Work that pauses now and then. */
export type Paused<Result> = Generator<undefined, Result, undefined>;

/** Does the work without a pause. */
export function finished<Result>(work: Paused<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** The end of an explained prefix: the run that leads there, and its last state. */
export interface ExplainedPrefix<State> {
  readonly state: State;
  readonly run: readonly ExplainedStep<State>[];
}

export interface ValidationStatistics {
  readonly states: number;
  readonly milliseconds: number;
}

/**
 * - `accepted`: `run` explains every observation.
 * - `rejected`: all explanations were tried. `explained` observations have one, but the next has
 *   none. `prefixes` are the ends of all explanations of that length.
 * - `inconclusive`: a limit was hit first. The other fields describe what was tried until then.
 */
export type Validation<State> =
  | {
      readonly verdict: 'accepted';
      readonly run: readonly ExplainedStep<State>[];
      readonly statistics: ValidationStatistics;
    }
  | {
      readonly verdict: 'rejected' | 'inconclusive';
      /** Whether the memory ended the search: no other search has more of it. */
      readonly wasFull: boolean;
      readonly explained: number;
      readonly prefixes: readonly ExplainedPrefix<State>[];
      readonly statistics: ValidationStatistics;
    };

interface Node<State> {
  readonly state: State;
  readonly label: string;
  /** Observations explained so far. */
  readonly index: number;
  readonly parent: Node<State> | null;
  /** The hidden step that led here, and the matches that were possible before it. */
  readonly hidden: {
    readonly step: HiddenStep<State>;
    readonly matchesBefore: readonly ExplainedStep<State>[];
  } | null;
}

/**
 * Depth-first search for an explanation. Each pair of position and state is entered once.
 *
 * Reduction: let a hidden step h lead from p to s, and let a match m be possible in both p and s,
 * with the same state after `h, m` as after `m, h`. Then m is not followed from s. Every
 * explanation that goes on with `h, m` also goes on with `m, h`. The search explores p itself,
 * where the same argument holds with one hidden step less. So one explanation remains in which
 * every hidden step before an observation makes a difference to it, and hidden steps that are never
 * needed are never taken.
 */
export function validateTrace<State>(
  explainer: Explainer<State>,
  limits: ValidationLimits,
): Validation<State> {
  return finished(validatingTrace(explainer, limits));
}

/** Milliseconds between two pauses. */
const PAUSE_EVERY = 100;

/** The same search, which pauses now and then, so that the caller can end it. */
export function* validatingTrace<State>(
  explainer: Explainer<State>,
  limits: ValidationLimits,
): Paused<Validation<State>> {
  const started = performance.now();
  const visited = new Set<string>();
  const stack: Node<State>[] = explainer.initial
    .map((state) => ({ state, label: '', index: 0, parent: null, hidden: null }))
    .reverse();
  let furthest: Node<State>[] = [];
  let limited = false;
  let wasFull = false;
  const statistics = (): ValidationStatistics => ({
    states: visited.size,
    milliseconds: performance.now() - started,
  });
  let nextPause = started + PAUSE_EVERY;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (performance.now() >= nextPause) {
      yield;
      nextPause = performance.now() + PAUSE_EVERY;
    }
    const name = `${node.index} ${explainer.key(node.state)}`;
    if (visited.has(name)) continue;
    wasFull = isFull(limits);
    if (wasFull || visited.size >= limits.states || overTime(started, limits)) {
      limited = true;
      break;
    }
    visited.add(name);
    if (node.index === explainer.observations) {
      return { verdict: 'accepted', run: runTo(node), statistics: statistics() };
    }
    if (node.index > (furthest[0]?.index ?? -1)) furthest = [];
    if (node.index === (furthest[0]?.index ?? node.index)) furthest.push(node);
    stack.push(...successors(explainer, node).reverse());
  }
  return {
    verdict: limited ? 'inconclusive' : 'rejected',
    wasFull,
    explained: furthest[0]?.index ?? 0,
    prefixes: furthest.map((node) => ({ state: node.state, run: runTo(node) })),
    statistics: statistics(),
  };
}

/**
 * Matches come first, so that the search makes progress; then hidden steps in the order in which
 * they are offered.
 */
function successors<State>(explainer: Explainer<State>, node: Node<State>): Node<State>[] {
  const { index } = node;
  const matches = explainer.match(node.state, index);
  const next: Node<State>[] = matches
    .filter((match) => !couldComeFirst(explainer, node, match))
    .map((match) => ({ ...match, index: index + 1, parent: node, hidden: null }));
  for (const step of explainer.hidden(node.state, index)) {
    const state = step.take(node.state);
    if (state === null) continue;
    const hidden = { step, matchesBefore: matches };
    next.push({ state, label: step.label, index, parent: node, hidden });
  }
  return next;
}

/**
 * Whether the match is also possible before the hidden step, and leads to the same state after
 * both.
 */
function couldComeFirst<State>(
  explainer: Explainer<State>,
  { hidden }: Node<State>,
  match: ExplainedStep<State>,
): boolean {
  if (hidden === null || hidden.matchesBefore.length === 0) return false;
  const after = explainer.key(match.state);
  return hidden.matchesBefore.some((earlier) => {
    const swapped = hidden.step.take(earlier.state);
    return swapped !== null && explainer.key(swapped) === after;
  });
}

function overTime(started: number, limits: ValidationLimits): boolean {
  return performance.now() - started > limits.milliseconds;
}

function isFull({ megabytes }: ValidationLimits): boolean {
  return megabytes !== undefined && megabytesWithin(megabytes) > megabytes;
}

function runTo<State>(last: Node<State>): readonly ExplainedStep<State>[] {
  const run: ExplainedStep<State>[] = [];
  for (let node: Node<State> | null = last; node?.parent; node = node.parent) {
    run.push({ label: node.label, state: node.state });
  }
  return run.reverse();
}
