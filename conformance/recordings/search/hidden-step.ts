import type { HiddenStep } from '../../../checker/index.ts';
import type { TraceState } from './trace-state.ts';

/** A hidden step is tried from the same state by several considerations: once is enough. */
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
