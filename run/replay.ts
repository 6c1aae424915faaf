import type {
  Action,
  ActionInstance,
  Model,
  Parameters,
  Property,
  PropertyResult,
  Trace,
} from '../checker/index.ts';
import type { Replay } from '../report/document/replay.ts';
import { canonical, sorted, successor } from './execution.ts';

/** The executed part of a run. */
export interface ExecutedRun<State> {
  /** At least the initial one. */
  readonly states: readonly State[];
  /** One fewer than states. */
  readonly actions: readonly ActionInstance[];
}

/**
 * Executes the trace step by step through immer's `produce`, from the model's own initial state,
 * compares every state with the recorded one and judges the property again at the end. Shares no
 * code with the search that found the trace.
 */
export function replayTrace<State>(
  model: Model<State>,
  property: Property<State>,
  { trace, parameters }: PropertyResult,
): Replay {
  if (trace === null) return { outcome: 'same', steps: 0 };
  const { run, different } = executeTrace(model, trace);
  if (different !== null) return different;
  const what = notShown(model, property, parameters ?? {}, { ...trace, ...run });
  return what === null
    ? { outcome: 'same', steps: trace.steps.length }
    : { outcome: 'notBroken', what };
}

/** Executes a recorded trace, or its first `until` steps, up to the first difference. */
export function executeTrace<State>(
  model: Model<State>,
  trace: Trace,
  until = trace.steps.length,
): {
  readonly run: ExecutedRun<State>;
  readonly different: Extract<Replay, { outcome: 'different' }> | null;
} {
  const start = model.initial[trace.initialIndex];
  const first: State = start ?? model.initial[0]!;
  const states = [sorted(first)];
  const actions: ActionInstance[] = [];
  const parted = (step: number, what: string) => ({
    run: { states, actions },
    different: { outcome: 'different' as const, step, what },
  });
  if (start === undefined || canonical(start) !== canonical(trace.initial)) {
    return parted(0, 'the initial state is another one');
  }
  for (const [index, step] of trace.steps.slice(0, until).entries()) {
    const action = { name: step.action, parameters: step.parameters };
    const after = successor(model, action, states[index]!);
    if (after === null) return parted(index + 1, `${step.action} cannot be done here`);
    if (canonical(after) !== canonical(step.state)) {
      const where = differingSections(after, step.state);
      return parted(index + 1, `${step.action} leads to another state (${where})`);
    }
    states.push(after);
    actions.push(action);
  }
  return { run: { states, actions }, different: null };
}

/** The names of the parts that differ. The recorded state may be any value. */
function differingSections(after: unknown, recorded: unknown): string {
  const now: Readonly<Record<string, unknown>> = {
    ...(after as Readonly<Record<string, unknown>>),
  };
  const then = { ...(recorded as Readonly<Record<string, unknown>> | null) };
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])].sort();
  return names.filter((name) => canonical(now[name]) !== canonical(then[name])).join(', ');
}

/** A whole run that a trace presents as a counterexample or example. */
export interface ShownRun<State> extends ExecutedRun<State> {
  readonly shape: Trace['shape'];
  readonly loopStart: number | null;
}

/** Why the run is no counterexample (or no example, of a witness); null if it is one. */
export function notShown<State>(
  model: Model<State>,
  property: Property<State>,
  parameters: Parameters,
  run: ShownRun<State>,
): string | null {
  const { states, actions, shape } = run;
  const last = states.at(-1)!;
  if ((property.kind === 'eventually') === (shape === 'path')) {
    return `a trace of this property has another shape than ${shape}`;
  }
  switch (property.kind) {
    case 'invariant':
      if (property.trigger?.(last, parameters) === false) return 'the last state is not judged';
      return property.holds(last, parameters) ? 'the last state satisfies the property' : null;
    case 'witness':
      return property.reached(last, parameters)
        ? null
        : 'the last state is not what was looked for';
    case 'settled':
      if (property.settled(last, parameters)) return 'the last state is settled';
      return someEnabled(model, last, () => true) ? 'the last state has a successor' : null;
    case 'step': {
      const action = actions.at(-1);
      const before = states.at(-2);
      if (action === undefined || before === undefined) return 'there is no step to judge';
      if (property.actions?.includes(action.name) === false) return 'the last step is not judged';
      const triggered = property.trigger?.(before, action, last, parameters) ?? true;
      if (!triggered) return 'the last step is not judged';
      return property.holds(before, action, last, parameters)
        ? 'the last step satisfies the property'
        : null;
    }
    case 'eventually': {
      const { trigger } = property;
      // Without a trigger, the obligation exists from the initial state only.
      const asking = states.flatMap((state, index) =>
        (trigger === undefined ? index === 0 : property.trigger!(state, parameters)) ? [index] : [],
      );
      if (asking.length === 0) return 'nothing triggers the property';
      const from = run.loopStart ?? actions.length;
      const metBy = (index: number): boolean =>
        property.metBy?.(states[index]!, actions[index]!, states[index + 1]!, parameters) === true;
      if (actions.some((_, index) => index >= from && metBy(index))) {
        return 'a step of the loop meets the goal';
      }
      const lacks = (state: State): boolean => !property.goal(state, parameters);
      if (property.forever === true) {
        return states.slice(from).some(lacks) ? endless(model, run) : 'the goal stays';
      }
      const reached = states.findLastIndex((state) => !lacks(state));
      // A goal within the loop is reached again and again, so it meets later obligations as well.
      const isMet = reached >= Math.min(asking.at(-1)!, run.loopStart ?? states.length);
      if (isMet) return 'the goal is reached';
      // A step leads to the state after it, which may ask anew.
      const done = actions.findLastIndex((_, index) => metBy(index));
      return done >= asking.at(-1)! ? 'a step meets the goal' : endless(model, run);
    }
    default:
      throw new Error(`unknown kind of property ${JSON.stringify(property satisfies never)}`);
  }
}

/** Why the run is not endless and fair; null if it is. */
function endless<State>(
  model: Model<State>,
  { states, actions, shape, loopStart }: ShownRun<State>,
): string | null {
  const last = states.at(-1)!;
  if (shape === 'lasso') {
    const back = loopStart === null || loopStart >= actions.length ? undefined : states[loopStart];
    if (loopStart === null || back === undefined) return 'the loop has no steps';
    if (canonical(back) !== canonical(last)) return 'the end does not lead back';
    return unfair(model, actions.slice(loopStart), states.slice(loopStart, -1));
  }
  const promised = new Set((model.fairness ?? []).flatMap((group) => group.weak ?? group.strong));
  const bound = someEnabled(
    model,
    last,
    ({ fairness = 'none' }, name) => fairness !== 'none' || promised.has(name),
  );
  return bound ? 'something is bound to happen in the last state' : null;
}

/** Which fairness assumption a run breaks that repeats these steps for ever; null if none. */
function unfair<State>(
  model: Model<State>,
  actions: readonly ActionInstance[],
  states: readonly State[],
): string | null {
  const taken = new Set(actions.map(({ name, parameters }) => canonical([name, parameters])));
  for (const [name, { fairness = 'none', parameters = [{}] }] of Object.entries(model.actions)) {
    if (fairness === 'none') continue;
    for (const chosen of parameters) {
      if (taken.has(canonical([name, chosen]))) continue;
      const enabled = (state: State) =>
        successor(model, { name, parameters: chosen }, state) !== null;
      const owed = fairness === 'weak' ? states.every(enabled) : states.some(enabled);
      if (owed) return `the loop never does ${name}, which is bound to happen`;
    }
  }
  return unfairToGroup(model, taken, states);
}

/** The same for what is promised to groups of actions. */
function unfairToGroup<State>(
  model: Model<State>,
  taken: ReadonlySet<string>,
  states: readonly State[],
): string | null {
  for (const group of model.fairness ?? []) {
    const { each } = group;
    const names = group.weak ?? group.strong;
    const members = names.flatMap((name) =>
      (model.actions[name]?.parameters ?? [{}]).map((parameters: Parameters) => ({
        ...{ name, parameters },
        ...{ value: each === undefined ? null : (parameters[each] ?? null) },
      })),
    );
    for (const value of new Set(members.map((member) => member.value))) {
      const some = members.filter((member) => member.value === value);
      if (some.some(({ name, parameters }) => taken.has(canonical([name, parameters])))) continue;
      const enabled = (state: State) =>
        some.some(({ name, parameters }) => successor(model, { name, parameters }, state) !== null);
      const owed = group.weak === undefined ? states.some(enabled) : states.every(enabled);
      if (owed) return `the loop does none of ${names.join(', ')}, one of which is bound to happen`;
    }
  }
  return null;
}

function someEnabled<State>(
  model: Model<State>,
  state: State,
  counts: (action: Action<State>, name: string) => boolean,
): boolean {
  return Object.entries(model.actions).some(
    ([name, action]) =>
      counts(action, name) &&
      (action.parameters ?? [{}]).some(
        (parameters) => successor(model, { name, parameters }, state) !== null,
      ),
  );
}
