import type { Engine } from '../engine/engine.ts';
import { type CompiledProperties, type Judgement, NO_PREDICATE } from '../judgements.ts';
import { type EdgeGraph, withStoredEdges } from './edges.ts';
import type { LeadsTo } from './leads-to.ts';

export interface LivenessQuestions {
  /** The engine's graph. Use it instead of the engine, as it tracks which state is loaded. */
  readonly graph: EdgeGraph;
  /** One for each judgement of an `eventually`. */
  readonly questions: ReadonlyMap<Judgement, LeadsTo>;
}

/**
 * The leads-tos among the properties, evaluated by the engine.
 *
 * States outside of the constraint `within` were not expanded. Here they have no successors, and each
 * goal counts as met in them. So a counterexample stays inside, where the fairness of a loop is that of
 * the whole graph; but nothing is proved.
 *
 * @param hasRoom whether the memory has room for so many bytes of edges.
 */
export function livenessQuestions<State>(
  engine: Engine<State>,
  { properties }: CompiledProperties<State>,
  within: number,
  hasRoom: (bytes: number) => boolean,
): LivenessQuestions {
  // Loading costs more than most predicates, and many are evaluated in one state in a row.
  let loaded = -1;
  const holds = (predicate: number) => (state: number) => {
    if (state !== loaded) engine.load(state);
    loaded = state;
    return engine.test(predicate);
  };
  const isInside = within === NO_PREDICATE ? null : holds(within);
  const isOutside = (state: number): boolean => isInside !== null && !isInside(state);
  const computed: EdgeGraph = {
    stateCount: engine.stateCount,
    initialCount: engine.initialCount,
    actionCount: engine.actionCount,
    get renamings() {
      return engine.renamings;
    },
    get reducedBy() {
      return engine.reducedBy;
    },
    successors(state, into) {
      if (isOutside(state)) return 0;
      loaded = -1;
      return engine.successors(state, into);
    },
  };
  const questions = new Map<Judgement, LeadsTo>();
  for (const { property, judgements } of properties) {
    if (property.kind !== 'eventually') continue;
    for (const judgement of judgements) {
      const trigger =
        judgement.trigger === NO_PREDICATE
          ? (state: number) => state < engine.initialCount
          : holds(judgement.trigger);
      const met = holds(judgement.check);
      const goal = isInside === null ? met : (state: number) => isOutside(state) || met(state);
      questions.set(judgement, { trigger, goal, isForever: property.forever ?? false });
    }
  }
  return { graph: withStoredEdges(computed, hasRoom), questions };
}
