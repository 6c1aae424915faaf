import { canonicalText } from './canonical.ts';
import type { Engine, Question } from './engine.ts';
import { DefectError, defectOf } from './errors.ts';
import { plainSuccessor } from './plain.ts';
import type { TransitionStep } from './stem.ts';
import { emptyTransitionBuffer } from './transition-buffer.ts';

/** A run by numbers: the initial state, then the transitions. */
export interface Run {
  readonly initial: number;
  readonly steps: readonly TransitionStep[];
}

/** A shortest run to a state: back through the predecessors, by the first instance that fits. */
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

/** A run as it really goes: with symmetry the search knows it up to renaming only. */
export interface RealRun<State> {
  /** The initial one first. */
  readonly states: readonly State[];
  /** Instance numbers; one fewer than states. */
  readonly actions: readonly number[];
  /** By state: a renaming that takes the state that the search has stored to this one. */
  readonly renamings: readonly number[];
}

/**
 * Executes a run through immer's own `produce`, from an initial state of the model and in its own
 * names. Throws `DefectError` (`auditMismatch`) if it does not come out as the search had it.
 */
export function replay<State>(
  engine: Engine<State>,
  question: Question<State>,
  { initial, steps }: Run,
): RealRun<State> {
  const { symmetry } = question;
  const first = realInitial(engine, question, initial);
  const states = [first.state];
  const actions: number[] = [];
  const renamings = [first.renaming];
  for (const { action, state } of steps) {
    const before = states[states.length - 1]!;
    const real = symmetry?.instance(renamings[renamings.length - 1]!, action) ?? action;
    const after = executed(question, before, real);
    const renaming = after === null ? null : renamingOf(question, engine.decode(state), after);
    if (after === null || renaming === null) throw mismatch(question, before, real);
    states.push(after);
    actions.push(real);
    renamings.push(renaming);
  }
  return { states, actions, renamings };
}

/** The initial state of the model that a stored one stands for. */
function realInitial<State>(
  engine: Engine<State>,
  question: Question<State>,
  stored: number,
): { readonly state: State; readonly renaming: number } {
  const representative = engine.decode(stored);
  if (question.symmetry === null) return { state: representative, renaming: 0 };
  for (const initial of question.model.initial) {
    const renaming = question.symmetry.between(representative, initial);
    if (renaming !== null) {
      return { state: question.symmetry.state(renaming, representative), renaming };
    }
  }
  throw new Error(`state ${stored} is not of the orbit of an initial state`);
}

/** A renaming that takes a stored state to a real one; null if they are not of one orbit. */
export function renamingOf<State>(
  { symmetry }: Question<State>,
  stored: State,
  real: State,
): number | null {
  if (symmetry !== null) return symmetry.between(stored, real);
  return canonicalText(stored) === canonicalText(real) ? 0 : null;
}

/** The defect that an instance does something else under `produce` than it did in the search. */
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
    message: `run again through produce in state ${canonicalText(before)}, it did something else`,
  });
}

/** The plain successor, or null if the instance is disabled. Throws `DefectError`. */
export function executed<State>(
  question: Question<State>,
  before: State,
  action: number,
): State | null {
  const instance = question.instances[action]!;
  try {
    const after = plainSuccessor(question.model, before, instance);
    return after === null || after.text === canonicalText(before) ? null : after.state;
  } catch (error) {
    throw defectOf(error, instance.identity.name, instance.identity.parameters);
  }
}
