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

/**
 * Executes a run through immer's own `produce` and returns its plain states, the initial one first.
 * Throws `DefectError` (`auditMismatch`) if it does not come out as the search had it.
 */
export function replay<State>(
  engine: Engine<State>,
  question: Question<State>,
  { initial, steps }: Run,
): readonly State[] {
  const states = [engine.decode(initial)];
  for (const { action, state } of steps) {
    const before = states[states.length - 1]!;
    const after = executed(question, before, action);
    if (after === null || canonicalText(after) !== canonicalText(engine.decode(state))) {
      throw mismatch(question, before, action);
    }
    states.push(after);
  }
  return states;
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
