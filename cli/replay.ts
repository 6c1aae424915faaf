import type { Action, Model, Property, PropertyResult } from '../checker/index.ts';
import type { Cluster } from '../model/state.ts';
import { canonical, sorted, successor } from './execution.ts';

/** What came of executing a recorded trace again. */
export type Replay =
  | { readonly outcome: 'same'; readonly steps: number }
  /** `step` counts from 1; 0 is the initial state. */
  | { readonly outcome: 'different'; readonly step: number; readonly what: string }
  /** The steps are possible as recorded, but they break nothing any more. */
  | { readonly outcome: 'notBroken'; readonly what: string };

type Run = readonly Cluster[];

/**
 * Executes the trace step by step through immer's `produce`, from the model's own initial state,
 * compares every state with the recorded one and judges the property again at the end. Shares no
 * code with the search that has found the trace.
 */
export function replayTrace(
  model: Model<Cluster>,
  property: Property<Cluster>,
  result: PropertyResult,
): Replay {
  const { trace } = result;
  if (trace === null) return { outcome: 'same', steps: 0 };
  const initial = model.initial[trace.initialIndex];
  if (initial === undefined || canonical(initial) !== canonical(trace.initial)) {
    return { outcome: 'different', step: 0, what: 'the initial state is another one' };
  }
  const run: Cluster[] = [sorted(initial)];
  for (const [index, step] of trace.steps.entries()) {
    const before = run[index]!;
    const after = successor(model, { name: step.action, parameters: step.parameters }, before);
    const different = (what: string): Replay => ({ outcome: 'different', step: index + 1, what });
    if (after === null) return different(`${step.action} cannot be done here`);
    if (canonical(after) !== canonical(step.state)) {
      return different(`${step.action} leads to another state`);
    }
    run.push(after);
  }
  const what = notBroken(model, property, result, run);
  return what === null
    ? { outcome: 'same', steps: trace.steps.length }
    : { outcome: 'notBroken', what };
}

/** Why the run is no counterexample (or no example, of a witness); null if it is one. */
function notBroken(
  model: Model<Cluster>,
  property: Property<Cluster>,
  result: PropertyResult,
  run: Run,
): string | null {
  const parameters = result.parameters ?? {};
  const last = run.at(-1)!;
  if ((property.kind === 'eventually') === (result.trace?.shape === 'path')) {
    return `a trace of this property has another shape than ${result.trace?.shape}`;
  }
  switch (property.kind) {
    case 'invariant':
      return property.holds(last, parameters) ? 'the last state satisfies the property' : null;
    case 'witness':
      return property.reached(last, parameters)
        ? null
        : 'the last state is not what was looked for';
    case 'settled':
      if (property.settled(last, parameters)) return 'the last state is settled';
      return someEnabled(model, last, () => true) ? 'the last state has a successor' : null;
    case 'step': {
      const step = result.trace?.steps.at(-1);
      const before = run.at(-2);
      if (step === undefined || before === undefined) return 'there is no step to judge';
      const action = { name: step.action, parameters: step.parameters };
      return property.holds(before, action, last, parameters)
        ? 'the last step satisfies the property'
        : null;
    }
    case 'eventually': {
      const start = run.findIndex((state) => property.trigger?.(state, parameters) ?? true);
      if (start < 0) return 'nothing triggers the property';
      const missed = run.some((_, index) => index >= start && !run.slice(index).some(goal));
      if (!missed) return 'the goal is reached';
      return endless(model, result, run);
    }
    default:
      throw new Error(`unknown kind of property ${JSON.stringify(property satisfies never)}`);
  }

  function goal(state: Cluster): boolean {
    return property.kind === 'eventually' && property.goal(state, parameters);
  }
}

/** Why the run cannot go on for ever like this; null if it can. */
function endless(model: Model<Cluster>, { trace }: PropertyResult, run: Run): string | null {
  const last = run.at(-1)!;
  if (trace?.shape === 'lasso') {
    const { loopStart } = trace;
    const back = loopStart === null || loopStart >= trace.steps.length ? undefined : run[loopStart];
    if (loopStart === null || back === undefined) return 'the loop has no steps';
    if (canonical(back) !== canonical(last)) return 'the end does not lead back';
    return unfair(model, trace.steps.slice(loopStart), run.slice(loopStart, -1));
  }
  const bound = someEnabled(model, last, (action) => (action.fairness ?? 'none') !== 'none');
  return bound ? 'something is bound to happen in the last state' : null;
}

/** What a run that repeats these steps for ever owes to fairness; null if it owes nothing. */
function unfair(
  model: Model<Cluster>,
  steps: readonly { readonly action: string; readonly parameters: unknown }[],
  states: Run,
): string | null {
  const taken = new Set(steps.map(({ action, parameters }) => canonical([action, parameters])));
  for (const [name, { fairness = 'none', parameters = [{}] }] of Object.entries(model.actions)) {
    if (fairness === 'none') continue;
    for (const chosen of parameters) {
      if (taken.has(canonical([name, chosen]))) continue;
      const enabled = (state: Cluster) =>
        successor(model, { name, parameters: chosen }, state) !== null;
      const owed = fairness === 'weak' ? states.every(enabled) : states.some(enabled);
      if (owed) return `the loop never does ${name}, which is bound to happen`;
    }
  }
  return null;
}

function someEnabled(
  model: Model<Cluster>,
  state: Cluster,
  counts: (action: Action<Cluster>) => boolean,
): boolean {
  return Object.entries(model.actions).some(
    ([name, action]) =>
      counts(action) &&
      (action.parameters ?? [{}]).some(
        (parameters) => successor(model, { name, parameters }, state) !== null,
      ),
  );
}
