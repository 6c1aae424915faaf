import type { HiddenStep } from '../../../checker/index.ts';
import type { TraceContext } from './context.ts';
import type { ModelStep } from './history.ts';
import type { TraceState } from './trace-state.ts';

/** Takes a step of the model and records it in the history of the next state. */
export function recorded(
  context: TraceContext,
  before: TraceState,
  { action, step, subject }: ModelStep,
  take: () => TraceState,
): TraceState {
  context.reads?.taken();
  const after = take();
  const rules = context.reads?.taken() ?? [];
  return { ...after, history: { action, step, subject, rules, previous: before.history } };
}

/** Caches the results of a hidden step: the search tries it several times from the same state. */
export function memoised(step: HiddenStep<TraceState>): HiddenStep<TraceState> {
  const results = new WeakMap<TraceState, { readonly state: TraceState | null }>();
  return {
    label: step.label,
    take: (from) => {
      const before = results.get(from);
      if (before !== undefined) return before.state;
      const state = step.take(from);
      results.set(from, { state });
      return state;
    },
  };
}
