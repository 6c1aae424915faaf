import type { Fairness } from '../model.ts';
import { BitSet } from '../values/bit-set.ts';
import { ComponentSearch, type ComponentVisitor, type Region } from './components.ts';
import type { StateGraph, TransitionBuffer } from './graph.ts';
import { transitionBuffer } from './graph.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/** The fairness of each action instance, one byte each. */
export type FairnessCodes = Uint8Array;
export const UNFAIR = 0;
export const WEAK = 1;
export const STRONG = 2;

export function fairnessCodes(fairness: readonly Fairness[]): FairnessCodes {
  return Uint8Array.from(fairness, (kind) => {
    switch (kind) {
      case 'none':
        return UNFAIR;
      case 'weak':
        return WEAK;
      case 'strong':
        return STRONG;
      default:
        return kind satisfies never;
    }
  });
}

/** The states in which a fair run can remain for ever while a goal is missing. */
export interface FairStates {
  /** No fair instance is enabled here: the run may stutter. */
  readonly stuttering: BitSet;
  /** On a closed walk that meets all its fairness obligations. */
  readonly recurring: BitSet;
  /** Where the closed walks are, if they may also go through states that are not in `recurring`. */
  readonly around?: BitSet;
}

/**
 * The states of the region on closed walks inside it that meet the fairness obligations.
 *
 * A closed walk meets them if each weakly fair instance is disabled in some state of it or taken on
 * it, and each strongly fair instance that is enabled in some state of it is taken on it. An
 * instance is taken if one of its edges is: the two states alone are not enough. An instance also
 * counts as enabled if its edge leaves the region.
 *
 * For each component, the walk through all of it is tried. If a weakly fair instance makes it
 * unfair, every walk inside is unfair. If a strongly fair instance does, a walk may still avoid the
 * states that enable it: these are removed, and the rest is split into components again. All
 * components are treated together in rounds, since states of different components never lie on one
 * closed walk. Each round removes the states of at least one strongly fair instance from every
 * component, so there is at most one round more than such instances.
 *
 * `sizes` is for quotient graphs, whose instances each represent an orbit: its size. A weakly fair
 * orbit counts as enabled where all its instances are.
 */
export function* recurringStates(
  graph: StateGraph,
  codes: FairnessCodes,
  region: Region,
  sizes: Int32Array | null = null,
): Resumable<BitSet> {
  const recurring = new BitSet(graph.stateCount);
  if (region.roots.isEmpty) return recurring;
  const search = new ComponentSearch(graph);
  const judge = new ComponentJudge(graph, codes, search, sizes);
  let current: Region | null = region;
  while (current !== null) {
    const rest = new BitSet(graph.stateCount);
    let remains = false;
    const visit: ComponentVisitor = function* (members, from, to, number) {
      const verdict = yield* judge.judge(members, from, to, number);
      switch (verdict) {
        case 'fair':
          for (let position = from; position < to; position++) recurring.add(members[position]!);
          return;
        case 'unfair':
          return;
        case 'avoid':
          if (yield* judge.addAvoiding(members, from, to, rest)) remains = true;
          return;
        default:
          verdict satisfies never;
      }
    };
    yield* search.run(current, visit);
    current = remains ? { roots: rest, includes: (state) => rest.has(state) } : null;
  }
  return recurring;
}

/** Counts what one component enables and takes. It is reset after each component. */
class ComponentJudge {
  readonly #graph: StateGraph;
  readonly #codes: FairnessCodes;
  readonly #search: ComponentSearch;
  readonly #transitions: TransitionBuffer;
  /** By instance: in how many states of the component it is enabled. */
  readonly #enabled: Int32Array;
  /** By instance: 1 if an edge of it stays inside the component. */
  readonly #taken: Uint8Array;
  /** By instance: 1 if it is strongly fair, enabled and never taken. */
  readonly #avoided: Uint8Array;
  readonly #seen: Int32Array;
  readonly #sizes: Int32Array | null;

  constructor(
    graph: StateGraph,
    codes: FairnessCodes,
    search: ComponentSearch,
    sizes: Int32Array | null,
  ) {
    this.#graph = graph;
    this.#codes = codes;
    this.#search = search;
    this.#transitions = transitionBuffer(graph);
    this.#enabled = new Int32Array(graph.actionCount);
    this.#taken = new Uint8Array(graph.actionCount);
    this.#avoided = new Uint8Array(graph.actionCount);
    this.#seen = new Int32Array(graph.actionCount);
    this.#sizes = sizes;
  }

  /**
   * - `fair`: a walk through the whole component meets its obligations.
   * - `unfair`: no walk inside does.
   * - `avoid`: a walk can do so only in the states that `addAvoiding` adds.
   */
  *judge(
    members: Int32Array,
    from: number,
    to: number,
    component: number,
  ): Resumable<'fair' | 'unfair' | 'avoid'> {
    const transitions = this.#transitions;
    const codes = this.#codes;
    let seenCount = 0;
    for (let member = from; member < to; member++) {
      if ((member - from) % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield member - from;
      const count = this.#graph.successors(members[member]!, transitions);
      for (let position = 0; position < count; position++) {
        const action = transitions.actions[position]!;
        if (codes[action] === UNFAIR) continue;
        if (this.#enabled[action]! === 0) this.#seen[seenCount++] = action;
        this.#enabled[action]!++;
        if (this.#search.numberOf(transitions.targets[position]!) === component) {
          this.#taken[action] = 1;
        }
      }
    }
    let isUnfair = false;
    let avoid = false;
    for (let position = 0; position < seenCount; position++) {
      const action = this.#seen[position]!;
      const kept = this.#taken[action] === 1;
      this.#avoided[action] = 0;
      if (!kept && codes[action] === STRONG) {
        avoid = true;
        this.#avoided[action] = 1;
      }
      const all = (to - from) * (this.#sizes?.[action] ?? 1);
      if (!kept && codes[action] === WEAK && this.#enabled[action] === all) isUnfair = true;
      this.#enabled[action] = 0;
      this.#taken[action] = 0;
    }
    if (isUnfair) return 'unfair';
    return avoid ? 'avoid' : 'fair';
  }

  /**
   * For the verdict `avoid`: adds the states that enable none of the strongly fair instances that
   * the component never takes. Returns false if too few are left for a cycle.
   */
  *addAvoiding(members: Int32Array, from: number, to: number, rest: BitSet): Resumable<boolean> {
    const transitions = this.#transitions;
    let added = 0;
    for (let member = from; member < to; member++) {
      if ((member - from) % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield member - from;
      const count = this.#graph.successors(members[member]!, transitions);
      let enablesAvoided = false;
      for (let position = 0; position < count; position++) {
        if (this.#avoided[transitions.actions[position]!] === 1) enablesAvoided = true;
      }
      if (enablesAvoided) continue;
      rest.add(members[member]!);
      added++;
    }
    return added > 1;
  }
}
