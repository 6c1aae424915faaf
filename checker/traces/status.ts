import type { Parameters } from '../model.ts';
import type { ActionInstance, Eventually, Property } from '../property.ts';
import type { PropertyStatus } from '../result.ts';

/** A finite run as plain states, and the property (with parameters) that it is judged by. */
export interface JudgedRun<State> {
  readonly property: Property<State>;
  readonly parameters: Parameters;
  /** At least one. */
  readonly states: readonly State[];
  /** One fewer than states. */
  readonly actions: readonly ActionInstance[];
}

/**
 * The status of the property at each point of a run: in its initial state, then after each step.
 * `settled` is judged in terminal states. Only the end of a run can be one, and `endIsTerminal`
 * says whether it is.
 */
export function statusesOf<State>(
  { property, parameters, states, actions }: JudgedRun<State>,
  endIsTerminal: boolean,
): readonly PropertyStatus[] {
  switch (property.kind) {
    case 'invariant':
      return states.map((state) => {
        if (property.trigger !== undefined && !property.trigger(state, parameters)) return 'idle';
        return property.holds(state, parameters) ? 'holds' : 'broken';
      });
    case 'step':
      return states.map((after, index) => {
        const action = actions[index - 1];
        if (action === undefined) return 'idle';
        if (property.actions !== undefined && !property.actions.includes(action.name))
          return 'idle';
        const before = states[index - 1]!;
        const { trigger } = property;
        if (trigger !== undefined && !property.trigger!(before, action, after, parameters))
          return 'idle';
        return property.holds(before, action, after, parameters) ? 'holds' : 'broken';
      });
    case 'eventually':
      return leadsToStatuses(property, parameters, states, actions);
    case 'witness':
      return states.map((state) => (property.reached(state, parameters) ? 'reached' : 'idle'));
    case 'settled':
      return states.map((state, index) => {
        if (!endIsTerminal || index < states.length - 1) return 'idle';
        return property.settled(state, parameters) ? 'holds' : 'broken';
      });
    default:
      throw new Error(`unknown kind of property ${String(property satisfies never)}`);
  }
}

function leadsToStatuses<State>(
  property: Eventually<State>,
  parameters: Parameters,
  states: readonly State[],
  actions: readonly ActionInstance[],
): readonly PropertyStatus[] {
  // Without a trigger, only the initial state asks for the goal.
  const asks = (state: State, index: number): boolean =>
    property.trigger === undefined ? index === 0 : property.trigger(state, parameters);
  let pending = false;
  return states.map((state, index) => {
    const before = states[index - 1];
    const isMetByStep =
      before !== undefined &&
      pending &&
      property.metBy?.(before, actions[index - 1]!, state, parameters) === true;
    const isAsked = asks(state, index);
    const asked = isAsked || pending;
    const isMet = asked && property.goal(state, parameters);
    // A goal that must stay true is asked for until the end.
    pending = property.forever === true ? asked : !isMet && (isAsked || (pending && !isMetByStep));
    if (!asked) return 'idle';
    return isMet || isMetByStep ? 'met' : 'pending';
  });
}
