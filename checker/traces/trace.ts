import { executedInstance } from '../engine/plain.ts';
import { instancesOf } from '../instances.ts';
import type { Model } from '../model.ts';
import type { Describer } from '../options.ts';
import type { ActionInstance } from '../property.ts';
import type { Trace, TraceStep } from '../result.ts';
import { canonicalText } from '../values/canonical.ts';
import { differences, outline } from './differences.ts';
import { fairnessMet } from './fairness-met.ts';
import { type JudgedRun, statusesOf } from './status.ts';

/** A run to make a trace of. Its states and actions are taken as they are; nothing is executed. */
export interface TracedRun<State> extends JudgedRun<State> {
  readonly shape: Trace['shape'];
  /** For a lasso: index of the first step of the loop. */
  readonly loopStart: number | null;
}

/** The trace of a run of the model, with the status of a property. */
export function traceOf<State>(
  model: Model<State>,
  run: TracedRun<State>,
  describer: Describer<State> = plainWords,
): Trace {
  const { states, actions, shape } = run;
  const initial = states[0]!;
  const initialText = canonicalText(initial);
  // To find out takes a run of every instance, and only this kind asks.
  const endIsTerminal = run.property.kind === 'settled' && isTerminal(model, states.at(-1)!);
  const [initialStatus, ...statuses] = statusesOf(run, endIsTerminal);
  const steps = actions.map((action, index): TraceStep => {
    const before = states[index]!;
    const after = states[index + 1]!;
    const step: TraceStep = {
      action: action.name,
      parameters: action.parameters,
      fairness: model.actions[action.name]?.fairness ?? 'none',
      get actor() {
        return kept(this, 'actor', describer.actor?.(action, before, after) ?? action.name);
      },
      get sentence() {
        return kept(this, 'sentence', describer.action(action, before, after));
      },
      get changes() {
        return kept(this, 'changes', describer.changes(before, after));
      },
      get beliefs() {
        return kept(this, 'beliefs', describer.beliefs?.(action, before, after) ?? []);
      },
      status: statuses[index]!,
      state: after,
      ...(describer.picture === undefined ? {} : { picture: describer.picture(after) }),
    };
    // A spread asks for all words at once.
    return describer.late === true ? step : { ...step };
  });
  const loopStart = shape === 'lasso' ? (run.loopStart ?? 0) : null;
  return {
    shape,
    loopStart,
    initialIndex: model.initial.findIndex((state) => canonicalText(state) === initialText),
    initial,
    initialLines: describer.state(initial),
    ...(describer.picture === undefined ? {} : { initialPicture: describer.picture(initial) }),
    initialStatus: initialStatus!,
    steps,
    fairness: loopStart === null ? [] : fairnessMet(model, run, loopStart, describer),
  };
}

/** The words that a getter has made, from now on as the value of its property. */
function kept<Words>(step: object, name: string, value: Words): Words {
  Object.defineProperty(step, name, { value, enumerable: true, configurable: true });
  return value;
}

function isTerminal<State>(model: Model<State>, state: State): boolean {
  return instancesOf(model).every((instance) => executedInstance(model, state, instance) === null);
}

/** Action names, JSON differences: the words of a model whose author gives none. */
export const plainWords: Describer<unknown> = {
  action: callText,
  changes: differences,
  state: outline,
};

function callText({ name, parameters }: ActionInstance): string {
  const values = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return values.length === 0 ? name : `${name}(${values.join(', ')})`;
}
