import type { Engine } from '../engine/engine.ts';
import { defectOf } from '../errors.ts';
import { answered, type Instance } from '../instances.ts';
import { type CompiledProperties, type Judgement, NO_PREDICATE } from '../judgements.ts';
import type { Eventually } from '../property.ts';
import { type EdgeGraph, withStoredEdges } from './edges.ts';
import type { EdgePredicate } from './graph.ts';
import type { LeadsTo } from './leads-to.ts';

export interface LivenessTask<State> {
  readonly engine: Engine<State>;
  readonly compiled: Pick<CompiledProperties<State>, 'properties'>;
  readonly instances: readonly Instance<State>[];
  /** The state predicate of the constraint, or `NO_PREDICATE`. */
  readonly within: number;
  /** Whether the memory has room for so many bytes of edges. */
  readonly hasRoom: (bytes: number) => boolean;
}

export interface LivenessQuestions {
  /** Stores edges. Use it instead of the engine, as it tracks which state is loaded. */
  readonly graph: EdgeGraph;
  /** One for each judgement of an `eventually`. */
  readonly questions: ReadonlyMap<Judgement, LeadsTo>;
}

/**
 * The leads-tos among the properties, evaluated by the engine.
 *
 * States outside of the constraint `within` were not expanded. Here they have no successors, and
 * each goal counts as met in them. So a counterexample stays inside, where the fairness of a loop
 * is that of the whole graph; but nothing is proved.
 */
export function livenessQuestions<State>({
  engine,
  compiled,
  instances,
  within,
  hasRoom,
}: LivenessTask<State>): LivenessQuestions {
  const decoded = new DecodedStates(engine);
  // Loading costs more than most predicates, and many are evaluated in one state in a row.
  const holds = (predicate: number) => (state: number) => {
    if (state !== engine.loaded) engine.load(state);
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
      return engine.successors(state, into);
    },
  };
  const states = {
    predecessor: (state: number) => engine.predecessor(state),
    differing: (state: number) => engine.differing(state),
  };
  const questions = new Map<Judgement, LeadsTo>();
  for (const { property, judgements } of compiled.properties) {
    if (property.kind !== 'eventually') continue;
    for (const judgement of judgements) {
      const trigger =
        judgement.trigger === NO_PREDICATE
          ? (state: number) => state < engine.initialCount
          : holds(judgement.trigger);
      const compared =
        judgement.trigger === NO_PREDICATE ? undefined : { states, number: judgement.trigger };
      const met = holds(judgement.check);
      const goal = isInside === null ? met : (state: number) => isOutside(state) || met(state);
      const metBy = edgePredicate(property, judgement, instances, decoded);
      const isForever = property.forever ?? false;
      questions.set(judgement, { trigger, compared, goal, isForever, ...metBy });
    }
  }
  return { graph: withStoredEdges(computed, hasRoom), questions };
}

/** So many decoded states are kept. */
const MOST_DECODED = 10_000;

/** Plain states by number, each the same object as long as it is kept. */
class DecodedStates<State> {
  private readonly engine: Engine<State>;
  private readonly known = new Map<number, State>();

  constructor(engine: Engine<State>) {
    this.engine = engine;
  }

  at(number: number): State {
    const known = this.known.get(number);
    if (known !== undefined) return known;
    if (this.known.size >= MOST_DECODED) this.known.clear();
    const state = this.engine.decode(number);
    this.known.set(number, state);
    return state;
  }
}

/** `metBy` of a property, evaluated on plain states. */
function edgePredicate<State>(
  property: Eventually<State>,
  { parameters }: Judgement,
  instances: readonly Instance<State>[],
  decoded: DecodedStates<State>,
): { readonly metBy?: EdgePredicate } {
  if (property.metBy === undefined) return {};
  return {
    metBy(state, action, target) {
      const { identity } = instances[action]!;
      const [before, after] = [decoded.at(state), decoded.at(target)];
      try {
        return answered(property.metBy!(before, identity, after, parameters));
      } catch (error) {
        throw defectOf(error, property.name, parameters);
      }
    },
  };
}
