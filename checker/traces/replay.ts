import type { Engine, Question } from '../engine/engine.ts';
import { executed } from '../engine/plain.ts';
import { DefectError } from '../errors.ts';
import { emptyTransitionBuffer } from '../liveness/graph.ts';
import type { TransitionStep } from '../liveness/prefix.ts';
import { canonicalText, hasTextOf } from '../values/canonical.ts';

/** A run by numbers: the initial state and the transitions. */
export interface Run {
  readonly initial: number;
  readonly steps: readonly TransitionStep[];
}

/** A shortest run to a state: follows the predecessors back, by the first instance that fits. */
export function runTo<State>(engine: Engine<State>, state: number): Run {
  const buffer = emptyTransitionBuffer();
  const steps: TransitionStep[] = [];
  let here = state;
  for (;;) {
    const parent = engine.predecessor(here);
    if (parent < 0) return { initial: here, steps: steps.reverse() };
    const count = engine.successors(parent, buffer);
    const index = buffer.targets.subarray(0, count).indexOf(here);
    if (index < 0) throw new Error(`state ${here} is no successor of its predecessor`);
    steps.push({ action: buffer.actions[index]!, state: here });
    here = parent;
  }
}

/** A run in the model's own names. With symmetry, the search knows it only up to renaming. */
export interface RealRun<State> {
  /** The initial one first. */
  readonly states: readonly State[];
  /** Instance numbers; one fewer than states. */
  readonly actions: readonly number[];
  /** By state: a renaming that takes the stored state to this one, and its step to the next one. */
  readonly renamings: readonly number[];
}

/**
 * Executes a run through immer's own `produce`, from an initial state of the model and in its own
 * names. Throws `DefectError` (`auditMismatch`) if the result is not what the search found.
 */
export function replay<State>(
  engine: Engine<State>,
  question: Question<State>,
  { initial, steps }: Run,
): RealRun<State> {
  const known = replayedWith(engine);
  const first = known.initial.get(initial) ?? realInitial(engine, question, initial);
  known.initial.set(initial, first);
  const states = [first];
  const actions: number[] = [];
  const renamings: number[] = [];
  let stored = initial;
  for (const { action, state } of steps) {
    const before = states[states.length - 1]!;
    const taken = known.step(before, `${stored} ${action} ${state}`, () =>
      takenStep(question, engine.decode(stored), before, action, engine.decode(state)),
    );
    if (taken === null) throw mismatch(question, before, action);
    states.push(taken.after);
    actions.push(taken.action);
    renamings.push(taken.renaming);
    stored = state;
  }
  const isRenamed = question.reductions.orbits !== null;
  const [last] = isRenamed
    ? renamingsOf(question, engine.decode(stored), states[states.length - 1]!)
    : [0];
  renamings.push(last!);
  return { states, actions, renamings };
}

interface TakenStep<State> {
  readonly after: State;
  readonly action: number;
  readonly renaming: number;
}

/** What was executed before. The runs to many findings begin alike, above all those of one walk. */
class Replayed<State> {
  readonly initial = new Map<number, State>();
  private readonly steps = new Map<State, Map<string, TakenStep<State> | null>>();

  step(before: State, key: string, take: () => TakenStep<State> | null): TakenStep<State> | null {
    let known = this.steps.get(before);
    if (known === undefined) {
      known = new Map();
      this.steps.set(before, known);
    }
    const taken = known.get(key) ?? take();
    known.set(key, taken);
    return taken;
  }
}

const replayed = new WeakMap<object, unknown>();

function replayedWith<State>(engine: Engine<State>): Replayed<State> {
  const known = replayed.get(engine) as Replayed<State> | undefined;
  if (known !== undefined) return known;
  const made = new Replayed<State>();
  replayed.set(engine, made);
  return made;
}

/**
 * The real step for the step of a stored state. If the stored state is equal under several
 * renamings, the model may leave out steps that are images of others; so all renamings are tried.
 */
function takenStep<State>(
  question: Question<State>,
  stored: State,
  before: State,
  action: number,
  target: State,
): TakenStep<State> | null {
  // Without renamings, the step before has shown that the two states are equal.
  const { orbits } = question.reductions;
  for (const renaming of orbits === null ? [0] : renamingsOf(question, stored, before)) {
    const real = orbits?.instance(renaming, action) ?? action;
    const after = executed(question, before, real);
    if (after === null || !isSameOrbit(question, target, after)) continue;
    return { after, action: real, renaming };
  }
  return null;
}

/** The initial state of the model for a stored one. */
function realInitial<State>(
  engine: Engine<State>,
  { reductions: { orbits }, model }: Question<State>,
  stored: number,
): State {
  const representative = engine.decode(stored);
  if (orbits === null) return representative;
  for (const initial of model.initial) {
    const [renaming] = orbits.between(representative, initial);
    if (renaming !== undefined) return orbits.state(renaming, representative);
  }
  throw new Error(`state ${stored} is not of the orbit of an initial state`);
}

/** The renamings that take a stored state to a real one; none if they are of different orbits. */
function renamingsOf<State>(
  { reductions: { orbits } }: Question<State>,
  stored: State,
  real: State,
): Iterable<number> {
  if (orbits !== null) return orbits.between(stored, real);
  return hasTextOf(real, stored) ? [0] : [];
}

export function isSameOrbit<State>(question: Question<State>, one: State, other: State): boolean {
  const [renaming] = renamingsOf(question, one, other);
  return renaming !== undefined;
}

/** The defect that an instance did something else under `produce` than in the search. */
export function mismatch<State>(
  question: Question<State>,
  before: State,
  action: number,
): DefectError {
  const { name, parameters } = question.instances[action]!.identity;
  return new DefectError({
    kind: 'auditMismatch',
    culprit: name,
    parameters,
    message: `executed again through produce in state ${canonicalText(before)}, it had another result`,
  });
}
