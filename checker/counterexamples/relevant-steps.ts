import type { Question } from '../engine/engine.ts';
import { executed } from '../engine/plain.ts';
import { obligationsIn } from '../fair-groups.ts';
import { type Claim, shows } from '../traces/confirm.ts';
import type { Footprints, Part } from './footprint.ts';
import { RunOrder } from './run-order.ts';

/** Every step is compared with all earlier ones. */
const MOST_STEPS = 1000;
const NOTHING: ReadonlySet<Part> = new Set();

/** The order of a run that is given by its states. */
export function orderOf<State>(
  { instances }: Question<State>,
  footprints: Footprints<State>,
  { states, actions }: Pick<Claim<State>, 'states' | 'actions'>,
): RunOrder {
  return actions.reduce(
    (order, action, index) => order.with(footprints, states[index]!, instances[action]!),
    RunOrder.empty,
  );
}

/**
 * The positions of the relevant steps of a run: those whose changes the property reads where it is
 * judged, directly or through other relevant steps.
 */
function relevantSteps<State>(
  question: Question<State>,
  footprints: Footprints<State>,
  claim: Claim<State>,
  order: RunOrder,
): readonly number[] {
  const dependencies = dependenciesOf(question, claim);
  const readAt = (steps: number): ReadonlySet<Part> => {
    const some = dependencies.get(steps);
    if (some === undefined) return NOTHING;
    const state = claim.states[steps]!;
    const dropped = order.droppedBefore(steps);
    const parts = new Set<Part>();
    for (const evaluate of some.predicates) {
      const { reads } = footprints.ofPredicate(state, evaluate, dropped);
      for (const part of reads) parts.add(part);
    }
    for (const instance of some.disabled) {
      const { reads } = footprints.ofStep(state, question.instances[instance]!, dropped);
      for (const part of reads) parts.add(part);
    }
    return parts;
  };
  const last = claim.property.kind === 'step' ? [claim.actions.length - 1] : [];
  return order.relevant(readAt, new Set(last));
}

/**
 * The run of these actions by plain `produce`; null if it is not possible, or does not show the
 * claim.
 */
export function shownBy<State>(
  question: Question<State>,
  { property, parameters, states, loopStart }: Claim<State>,
  actions: readonly number[],
): Claim<State> | null {
  const run: State[] = [states[0]!];
  for (const action of actions) {
    const after = executed(question, run[run.length - 1]!, action);
    if (after === null) return null;
    run.push(after);
  }
  const claim = { property, parameters, states: run, actions, loopStart };
  return shows(question, claim) ? claim : null;
}

/** The run of the relevant steps only, if it shows the same claim; for a lasso, the whole run. */
export function relevantRun<State>(
  question: Question<State>,
  footprints: Footprints<State>,
  claim: Claim<State>,
): Claim<State> {
  if (claim.loopStart !== null || claim.actions.length > MOST_STEPS) return claim;
  const order = orderOf(question, footprints, claim);
  const positions = relevantSteps(question, footprints, claim, order);
  if (positions.length === claim.actions.length) return claim;
  const actions = positions.map((position) => claim.actions[position]!);
  return shownBy(question, claim, actions) ?? claim;
}

interface ClaimDependencies<State> {
  readonly predicates: readonly ((state: State) => unknown)[];
  /** Instances that must be disabled here. */
  readonly disabled: readonly number[];
}

/** By number of steps taken: what the claim depends on in that state. */
function dependenciesOf<State>(
  { model, instances }: Question<State>,
  { property, parameters, states, actions }: Claim<State>,
): ReadonlyMap<number, ClaimDependencies<State>> {
  const end = states.length - 1;
  switch (property.kind) {
    case 'invariant': {
      const predicates = [
        (state: State) => property.trigger?.(state, parameters),
        (state: State) => property.holds(state, parameters),
      ];
      return new Map([[end, { predicates, disabled: [] }]]);
    }
    case 'witness': {
      const predicates = [(state: State) => property.reached(state, parameters)];
      return new Map([[end, { predicates, disabled: [] }]]);
    }
    case 'settled': {
      const predicates = [(state: State) => property.settled(state, parameters)];
      return new Map([[end, { predicates, disabled: instances.map(({ number }) => number) }]]);
    }
    case 'step': {
      const { identity } = instances[actions[end - 1]!]!;
      const judge = (before: State, after: State) => {
        property.trigger?.(before, identity, after, parameters);
        return property.holds(before, identity, after, parameters);
      };
      const before = (state: State) => judge(state, states[end]!);
      const after = (state: State) => judge(states[end - 1]!, state);
      return new Map([
        [end, { predicates: [after], disabled: [] }],
        [end - 1, { predicates: [before], disabled: [] }],
      ]);
    }
    case 'eventually': {
      const lastGoal = states.findLastIndex((state) => property.goal(state, parameters));
      const asked = states.findIndex(
        (state, index) => index > lastGoal && (property.trigger?.(state, parameters) ?? true),
      );
      const goal = (state: State) => property.goal(state, parameters);
      const trigger = (state: State) => property.trigger?.(state, parameters);
      const disabled = [...new Set(obligationsIn(model, instances).members.flat())];
      const dependencies = new Map([[asked, { predicates: [trigger], disabled: [] as number[] }]]);
      const predicates = asked === end ? [trigger, goal] : [goal];
      return dependencies.set(end, { predicates, disabled });
    }
    default:
      throw new Error(`unknown kind of property ${String(property satisfies never)}`);
  }
}
