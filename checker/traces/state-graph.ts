import type { Engine, Question } from '../engine/engine.ts';
import { executedInstance } from '../engine/plain.ts';
import { emptyTransitionBuffer } from '../liveness/graph.ts';
import type { CheckOptions, Describer } from '../options.ts';
import type { Property } from '../property.ts';
import type {
  GraphState,
  GraphTransition,
  PropertyResult,
  StateGraphReport,
  Trace,
} from '../result.ts';
import { isSameOrbit } from './replay.ts';
import { type JudgedRun, statusesOf } from './status.ts';
import { plainWords } from './trace.ts';

/** A search that has ended, for a report of its graph. */
export interface EndedSearch<State> {
  readonly options: CheckOptions<State>;
  readonly engine: Engine<State>;
  readonly question: Question<State>;
  /** All reachable states were expanded. */
  readonly exhausted: boolean;
  /** Those whose traces are runs of the graph. */
  readonly properties: readonly PropertyResult[];
}

/**
 * The whole graph, for people to look at. No verdict depends on it. Reductions apply: with symmetry
 * it has representatives only, with confluence the reduced transitions.
 */
export function stateGraphReport<State>(
  ended: EndedSearch<State>,
  mostStates: number,
): StateGraphReport {
  const { engine, question, exhausted } = ended;
  if (!exhausted) {
    return { kind: 'omitted', reason: 'The search ended before it had found every state.' };
  }
  if (engine.stateCount > mostStates) {
    const reason = `There are ${engine.stateCount} states, which is more than ${mostStates}.`;
    return { kind: 'omitted', reason };
  }
  const transitions: GraphTransition[] = [];
  const states = Array.from({ length: engine.stateCount }, (_, state): GraphState => {
    const leaving = transitionsOf(ended, state);
    transitions.push(...leaving);
    return stateReport(ended, state, leaving.length === 0);
  });
  return {
    kind: 'recorded',
    renamings: question.reductions.orbits?.size ?? 1,
    states,
    transitions,
    runs: ended.properties.flatMap(({ name, trace }) =>
      trace === null ? [] : [{ property: name, states: statesAlong(ended, trace) }],
    ),
  };
}

function stateReport<State>(
  { options, engine }: EndedSearch<State>,
  number: number,
  isTerminal: boolean,
): GraphState {
  const { describe = plainWords as Describer<State>, properties } = options;
  const state = engine.decode(number);
  const isBroken = (property: Property<State>): boolean => {
    if (property.kind === 'step') return false;
    return parametersOf(property).some((parameters) => {
      const run: JudgedRun<State> = { property, parameters, states: [state], actions: [] };
      return statusesOf(run, isTerminal)[0] === 'broken';
    });
  };
  return {
    initial: number < engine.initialCount,
    state,
    lines: [...describe.state(state), ...(describe.details?.(state) ?? [])],
    broken: properties.filter(isBroken).map(({ name }) => name),
  };
}

function transitionsOf<State>(
  { options, engine, question }: EndedSearch<State>,
  from: number,
): readonly GraphTransition[] {
  const { describe = plainWords as Describer<State>, properties } = options;
  const before = engine.decode(from);
  const buffer = emptyTransitionBuffer();
  const count = engine.successors(from, buffer);
  return Array.from(buffer.actions.subarray(0, count), (number, index): GraphTransition => {
    const instance = question.instances[number]!;
    const action = instance.identity;
    // With symmetry the target is another state of the same orbit, with other names.
    const after = executedInstance(question.model, before, instance) ?? before;
    const isBroken = (property: Property<State>): boolean =>
      property.kind === 'step' &&
      parametersOf(property).some((parameters) => {
        const run = { property, parameters, states: [before, after], actions: [action] };
        return statusesOf(run, false)[1] === 'broken';
      });
    return {
      from,
      to: buffer.targets[index]!,
      action: action.name,
      parameters: action.parameters,
      actor: describe.actor?.(action, before, after) ?? action.name,
      sentence: describe.action(action, before, after),
      broken: properties.filter(isBroken).map(({ name }) => name),
    };
  });
}

function parametersOf<State>(property: Property<State>) {
  return property.parameters ?? [{}];
}

/** The numbers of the states on a trace, the initial one included. */
function statesAlong<State>(ended: EndedSearch<State>, trace: Trace): readonly number[] {
  const { engine, question } = ended;
  const initials = Array.from({ length: engine.initialCount }, (_, state) => state);
  const buffer = emptyTransitionBuffer();
  const passed: number[] = [];
  let among: readonly number[] = initials;
  for (const real of [trace.initial, ...trace.steps.map(({ state }) => state)] as State[]) {
    const here = among.find((state) => isSameOrbit(question, engine.decode(state), real));
    if (here === undefined) throw new Error('a trace leaves the graph of all states');
    passed.push(here);
    const count = engine.successors(here, buffer);
    among = [...buffer.targets.subarray(0, count)];
  }
  return passed;
}
