import { canonicalText } from './canonical.ts';
import { differences, outline } from './differences.ts';
import type { Engine, Question } from './engine.ts';
import type { Describer } from './options.ts';
import type { ActionInstance } from './property.ts';
import { type RealRun, type Run, replay } from './replay.ts';
import type { Trace, TraceStep } from './result.ts';

/** A run executed through `produce`, and the trace that tells it. */
export interface ExecutedRun<State> extends RealRun<State> {
  readonly trace: Trace;
}

export interface TraceMaker<State> {
  /** `loopStart` only matters for a lasso. Throws `DefectError` if the run does not come out. */
  make(run: Run, shape: Trace['shape'], loopStart?: number): ExecutedRun<State>;
}

export function traceMaker<State>(
  engine: Engine<State>,
  question: Question<State>,
  describer: Describer<State> = plainWords,
): TraceMaker<State> {
  const initialTexts = question.model.initial.map((state) => canonicalText(state));
  const indexOf = (state: State) => initialTexts.indexOf(canonicalText(state));
  return {
    make(run, shape, loopStart) {
      const real = replay(engine, question, run);
      const { states } = real;
      const initial = states[0]!;
      const steps = real.actions.map((action, index): TraceStep => {
        const before = states[index]!;
        const after = states[index + 1]!;
        const { identity, fairness } = question.instances[action]!;
        return {
          action: identity.name,
          parameters: identity.parameters,
          fairness,
          sentence: describer.action(identity, before, after),
          changes: describer.changes(before, after),
          state: after,
        };
      });
      const trace: Trace = {
        shape,
        loopStart: shape === 'lasso' ? (loopStart ?? 0) : null,
        initialIndex: indexOf(initial),
        initial,
        initialLines: describer.state(initial),
        steps,
      };
      return { ...real, trace };
    },
  };
}

const plainWords: Describer<unknown> = {
  action: callText,
  changes: differences,
  state: outline,
};

function callText({ name, parameters }: ActionInstance): string {
  const values = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return values.length === 0 ? name : `${name}(${values.join(', ')})`;
}
