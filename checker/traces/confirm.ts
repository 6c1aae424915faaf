import type { Question } from '../engine/engine.ts';
import { executed } from '../engine/plain.ts';
import { DefectError, defectOf } from '../errors.ts';
import { fairGroupsOf } from '../fair-groups.ts';
import type { Fairness, Parameters } from '../model.ts';
import type { ActionInstance, Eventually, Property } from '../property.ts';
import type { Trace } from '../result.ts';
import { canonicalText } from '../values/canonical.ts';
import type { JudgedRun } from './status.ts';

/** A counterexample or witness as plain states, to be judged again without the engine. */
export interface Claim<State> {
  readonly property: Property<State>;
  readonly parameters: Parameters;
  /** At least one. */
  readonly states: readonly State[];
  /** Instance numbers; one fewer than states. */
  readonly actions: readonly number[];
  /**
   * Index of the state that equals the last one, where the loop starts; null if there is no loop.
   */
  readonly loopStart: number | null;
}

/** A leads-to without a loop is violated because the run may stutter in its last state. */
export function shapeOf<State>({ property, loopStart }: Claim<State>): Trace['shape'] {
  if (loopStart !== null) return 'lasso';
  return property.kind === 'eventually' ? 'stutter' : 'path';
}

/**
 * Evaluates the property on the plain states of a run, without the engine. Returns the broken
 * clauses. Throws `DefectError` if the run does not show what is claimed.
 */
export function confirm<State>(question: Question<State>, claim: Claim<State>): readonly string[] {
  const { property, parameters, states } = claim;
  const last = states[states.length - 1]!;
  try {
    if (!shows(question, claim)) {
      throw new DefectError({
        kind: 'auditMismatch',
        culprit: property.name,
        parameters,
        message: `judged again on plain states, it has another result in state ${canonicalText(last)}`,
      });
    }
    const actions = claim.actions.map((action) => question.instances[action]!.identity);
    return brokenClauses({ property, parameters, states, actions });
  } catch (error) {
    throw defectOf(error, property.name, parameters);
  }
}

/** Whether the run shows what is claimed. Throws what predicates and reducers throw. */
export function shows<State>(question: Question<State>, claim: Claim<State>): boolean {
  const { property, parameters, states } = claim;
  const last = states[states.length - 1]!;
  switch (property.kind) {
    case 'invariant':
      return isTriggered(property, last, parameters) && !property.holds(last, parameters);
    case 'witness':
      return property.reached(last, parameters);
    case 'settled':
      return (
        !property.settled(last, parameters) &&
        question.instances.every(({ number }) => executed(question, last, number) === null)
      );
    case 'step': {
      const { before, action, after } = lastStep(question, claim);
      const triggered = property.trigger?.(before, action, after, parameters) ?? true;
      const isJudged = property.actions?.includes(action.name) ?? true;
      return isJudged && triggered && !property.holds(before, action, after, parameters);
    }
    case 'eventually':
      return isPending(question, property, claim) && mayGoOnForEver(question, claim);
    default: {
      const never: never = property;
      throw new Error(`unknown property kind ${String(never)}`);
    }
  }
}

function isTriggered<State>(
  property: { trigger?(state: State, parameters: Parameters): boolean },
  state: State,
  parameters: Parameters,
): boolean {
  return property.trigger?.(state, parameters) ?? true;
}

function lastStep<State>(
  question: Question<State>,
  { states, actions }: Claim<State>,
): { readonly before: State; readonly action: ActionInstance; readonly after: State } {
  const { identity } = question.instances[actions[actions.length - 1]!]!;
  return {
    before: states[states.length - 2]!,
    action: identity,
    after: states[states.length - 1]!,
  };
}

/**
 * Whether the trigger is met on the run, and the goal neither after it nor in the loop. A goal that
 * must stay true need only be missing somewhere in what is repeated for ever.
 */
function isPending<State>(
  { instances }: Question<State>,
  property: Eventually<State>,
  { states, actions, parameters, loopStart }: Claim<State>,
): boolean {
  /** Whether the step that leads to this state meets the goal. */
  const isMetBefore = (index: number): boolean =>
    index > 0 &&
    property.metBy?.(
      states[index - 1]!,
      instances[actions[index - 1]!]!.identity,
      states[index]!,
      parameters,
    ) === true;
  const start = loopStart ?? states.length - 1;
  for (let index = start + 1; index < states.length; index++) if (isMetBefore(index)) return false;
  if (property.forever) {
    const asks = (state: State) => isTriggered(property, state, parameters);
    const endless = states.slice(start);
    return states.some(asks) && endless.some((state) => !property.goal(state, parameters));
  }
  const lastGoal = states.findLastIndex((state) => property.goal(state, parameters));
  if (loopStart !== null && lastGoal >= loopStart) return false;
  let lastMet = states.length - 1;
  while (lastMet > lastGoal && !isMetBefore(lastMet)) lastMet--;
  return property.trigger === undefined
    ? lastGoal < 0 && lastMet < 0
    : states.some(
        (state, index) =>
          index > lastGoal && index >= lastMet && isTriggered(property, state, parameters),
      );
}

/** Whether a fair run may stay in the last state, or in the loop, for ever. */
function mayGoOnForEver<State>(
  question: Question<State>,
  { states, actions, loopStart }: Claim<State>,
): boolean {
  const start = loopStart ?? states.length - 1;
  const loop = states.slice(start);
  if (loopStart !== null && canonicalText(loop[0]) !== canonicalText(loop[loop.length - 1])) {
    return false;
  }
  const taken = new Set(actions.slice(start));
  const keeps = (kind: Fairness, members: readonly number[]): boolean => {
    if (kind === 'none' || members.some((member) => taken.has(member))) return true;
    const enabled = (state: State) =>
      members.some((member) => executed(question, state, member) !== null);
    return kind === 'weak' ? !loop.every(enabled) : !loop.some(enabled);
  };
  const { model, instances } = question;
  return (
    instances.every(({ number, fairness }) => keeps(fairness, [number])) &&
    fairGroupsOf(model, instances).every(({ kind, members }) =>
      keeps(
        kind,
        members.map(({ number }) => number),
      ),
    )
  );
}

/** The false clauses at the end of a run that violates the property. */
export function brokenClauses<State>({
  property,
  parameters,
  states,
  actions,
}: JudgedRun<State>): readonly string[] {
  const last = states[states.length - 1]!;
  switch (property.kind) {
    case 'invariant':
      return property.explain?.(last, parameters) ?? [`false here: ${property.name}`];
    case 'settled':
      return (
        property.explain?.(last, parameters) ?? [
          `no step is possible, and this is false: ${property.name}`,
        ]
      );
    case 'eventually':
      return (
        property.explain?.(last, parameters) ?? [
          `${property.forever ? 'never stays' : 'never comes'}: ${property.name}`,
        ]
      );
    case 'step': {
      const action = actions[actions.length - 1]!;
      const before = states[states.length - 2]!;
      return (
        property.explain?.(before, action, last, parameters) ?? [
          `broken by ${action.name}: ${property.name}`,
        ]
      );
    }
    case 'witness':
      return [];
    default: {
      const never: never = property;
      throw new Error(`unknown property kind ${String(never)}`);
    }
  }
}
