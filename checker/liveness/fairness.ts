import { BitSet } from '../values/bit-set.ts';
import { ComponentSearch, type ComponentVisitor, type Region } from './components.ts';
import type { StateGraph, TransitionBuffer } from './graph.ts';
import { transitionBuffer } from './graph.ts';
import { type Obligations, STRONG, WEAK } from './obligations.ts';
import { type Resumable, UNITS_PER_YIELD } from './resumable.ts';

/** The states in which a fair run can remain for ever while a goal is missing. */
export interface FairStates {
  /** No fair instance is enabled here: the run may stutter. */
  readonly stuttering: BitSet;
  /** On a closed walk that meets all its fairness obligations. */
  readonly recurring: BitSet;
  /** Where the closed walks are, if they may also go through states that are not in `recurring`. */
  readonly around?: BitSet;
}

/** Of a quotient graph, in which one state stands for its orbit. */
export interface ObligationOrbits {
  /** By obligation: the first one of its orbit. */
  readonly first: Int32Array;
  /** By first obligation: the size of the orbit. */
  readonly sizes: Int32Array;
}

/**
 * The states of the region on closed walks inside it that meet the fairness obligations.
 *
 * A closed walk meets them if each weak obligation is disabled in some state of it or taken on it,
 * and each strong one that is enabled in some state of it is taken on it. An obligation is enabled
 * in a state if one of its members is, also if the edge leaves the region, or is one that the
 * region avoids. It is taken if an edge of one of its members is: the two states alone are not
 * enough.
 *
 * For each component, the walk through all of it is tried. If a weak obligation makes it unfair,
 * every walk inside is unfair. If a strong one does, a walk may still avoid the states that enable
 * it: these are removed, and the rest is split into components again. All components are treated
 * together in rounds, since states of different components never lie on one closed walk. Each round
 * removes the states of at least one strong obligation from every component, so there is at most
 * one round more than there are such obligations (E. A. Emerson and C.-L. Lei, "Modalities for
 * model checking", Science of Computer Programming 8, 1987; nothing in it needs an obligation to
 * have one member).
 *
 * `orbits` is for quotient graphs. A weak orbit counts as enabled where all its obligations are.
 */
export function* recurringStates(
  graph: StateGraph,
  obligations: Obligations,
  region: Region,
  orbits: ObligationOrbits | null = null,
): Resumable<BitSet> {
  const recurring = new BitSet(graph.stateCount);
  if (region.roots.isEmpty) return recurring;
  const search = new ComponentSearch(graph);
  const judge = new ComponentJudge(graph, obligations, search, orbits);
  let current: Region | null = region;
  while (current !== null) {
    const rest = new BitSet(graph.stateCount);
    let remains = false;
    const visit: ComponentVisitor = function* (members, from, to, number) {
      const verdict = yield* judge.judge(members, from, to, number, region.avoids);
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
    current = remains
      ? { roots: rest, includes: (state) => rest.has(state), avoids: region.avoids }
      : null;
  }
  return recurring;
}

/** Counts what one component enables and takes. It is reset after each component. */
class ComponentJudge {
  readonly #graph: StateGraph;
  readonly #obligations: Obligations;
  readonly #search: ComponentSearch;
  readonly #transitions: TransitionBuffer;
  /** By obligation: the first one of its orbit. */
  readonly #first: Int32Array;
  readonly #sizes: Int32Array | null;
  /** By orbit: how often one of its obligations is enabled in a state of the component. */
  readonly #enabled: Int32Array;
  /** By orbit: 1 if an edge of it stays inside the component. */
  readonly #taken: Uint8Array;
  /** By orbit: 1 if it is strong, enabled and never taken. */
  readonly #avoided: Uint8Array;
  /** By obligation: 1 plus the last state that was found to enable it; 0: none was. */
  readonly #lastEnabling: Int32Array;
  readonly #seen: Int32Array;

  constructor(
    graph: StateGraph,
    obligations: Obligations,
    search: ComponentSearch,
    orbits: ObligationOrbits | null,
  ) {
    const count = obligations.kinds.length;
    this.#graph = graph;
    this.#obligations = obligations;
    this.#search = search;
    this.#transitions = transitionBuffer(graph);
    this.#first = orbits?.first ?? Int32Array.from({ length: count }, (_, number) => number);
    this.#sizes = orbits?.sizes ?? null;
    this.#enabled = new Int32Array(count);
    this.#taken = new Uint8Array(count);
    this.#avoided = new Uint8Array(count);
    this.#lastEnabling = new Int32Array(count);
    this.#seen = new Int32Array(count);
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
    avoids: Region['avoids'],
  ): Resumable<'fair' | 'unfair' | 'avoid'> {
    const transitions = this.#transitions;
    const { of } = this.#obligations;
    let seenCount = 0;
    for (let member = from; member < to; member++) {
      if ((member - from) % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield member - from;
      const state = members[member]!;
      const count = this.#graph.successors(state, transitions);
      for (let position = 0; position < count; position++) {
        const action = transitions.actions[position]!;
        const owed = of[action]!;
        if (owed.length === 0) continue;
        const target = transitions.targets[position]!;
        const isInside = this.#search.numberOf(target) === component;
        const stays = isInside && (avoids === undefined || !avoids(state, action, target));
        seenCount = this.#note(owed, state, stays, seenCount);
      }
    }
    return this.#concluded(seenCount, to - from);
  }

  /**
   * Notes that these are enabled in a state, and whether they are taken. Returns how many were
   * seen.
   */
  #note(owed: readonly number[], state: number, isTaken: boolean, seenCount: number): number {
    let count = seenCount;
    // Not inlined: this is the inner loop of the judgement, and V8 compiles a generator less well.
    for (let index = 0; index < owed.length; index++) {
      const obligation = owed[index]!;
      const orbit = this.#first[obligation]!;
      if (isTaken) this.#taken[orbit] = 1;
      // Several members of a group may be enabled in one state.
      if (this.#lastEnabling[obligation] === state + 1) continue;
      if (this.#lastEnabling[obligation] === 0) this.#seen[count++] = obligation;
      this.#lastEnabling[obligation] = state + 1;
      this.#enabled[orbit]!++;
    }
    return count;
  }

  /** The answer, of the obligations seen in this many states. Resets what was counted. */
  #concluded(seenCount: number, states: number): 'fair' | 'unfair' | 'avoid' {
    const { kinds } = this.#obligations;
    let isUnfair = false;
    let avoid = false;
    for (let position = 0; position < seenCount; position++) {
      const obligation = this.#seen[position]!;
      const orbit = this.#first[obligation]!;
      const isKept = this.#taken[orbit] === 1;
      const isAvoided = !isKept && kinds[obligation] === STRONG;
      this.#avoided[orbit] = isAvoided ? 1 : 0;
      if (isAvoided) avoid = true;
      const all = states * (this.#sizes?.[orbit] ?? 1);
      if (!isKept && kinds[obligation] === WEAK && this.#enabled[orbit] === all) isUnfair = true;
    }
    for (let position = 0; position < seenCount; position++) {
      const obligation = this.#seen[position]!;
      this.#lastEnabling[obligation] = 0;
      this.#enabled[this.#first[obligation]!] = 0;
      this.#taken[this.#first[obligation]!] = 0;
    }
    if (isUnfair) return 'unfair';
    return avoid ? 'avoid' : 'fair';
  }

  /**
   * For the verdict `avoid`: adds the states that enable none of the strong obligations that the
   * component never takes. Returns false if too few are left for a cycle.
   */
  *addAvoiding(members: Int32Array, from: number, to: number, rest: BitSet): Resumable<boolean> {
    const transitions = this.#transitions;
    const { of } = this.#obligations;
    const isAvoided = (obligation: number) => this.#avoided[this.#first[obligation]!] === 1;
    let added = 0;
    for (let member = from; member < to; member++) {
      if ((member - from) % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield member - from;
      const count = this.#graph.successors(members[member]!, transitions);
      let enablesAvoided = false;
      for (let position = 0; position < count; position++) {
        if (of[transitions.actions[position]!]!.some(isAvoided)) enablesAvoided = true;
      }
      if (enablesAvoided) continue;
      rest.add(members[member]!);
      added++;
    }
    return added > 1;
  }
}
