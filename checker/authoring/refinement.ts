import type { Immutable } from 'immer';
import type { Model } from '../model.ts';
import type { Invariant, StepRule } from '../property.ts';
import { checkedState, successors } from '../stepping/steps.ts';
import { canonicalText } from '../values/canonical.ts';
import type { AnyModel, StateOf } from './define.ts';

/**
 * Properties of a model that together say that it refines another one: `map` takes each of its states
 * to a state of the other model, so that initial states are taken to initial states, and each step
 * to a step or to no change at all. So whatever is true of all states and steps of `abstract` is true
 * of the mapped ones.
 *
 * This is safety. That the model keeps what `abstract` promises by fairness is not checked: write it
 * as an `eventually` of the model.
 */
export function refinement<M extends AnyModel, A extends AnyModel>(
  model: M,
  abstract: A,
  map: (state: Immutable<StateOf<M>>) => StateOf<A>,
): readonly [Invariant<StateOf<M>>, StepRule<StateOf<M>>] {
  const other = plain(abstract);
  const name = `${other.name}, which the model refines,`;
  // A copy: a part of the state that is judged must not outlive the call.
  const mapped = (state: StateOf<M>): StateOf<A> =>
    checkedState(other, JSON.parse(JSON.stringify(map(state as Immutable<StateOf<M>>))));
  const initial = new Set(other.initial.map((state) => canonicalText(checkedState(other, state))));
  const known = new Map<string, ReadonlySet<string>>();
  const after = (state: StateOf<A>): ReadonlySet<string> => {
    const text = canonicalText(state);
    const found = known.get(text) ?? successorTexts(other, state);
    known.set(text, found);
    return found;
  };
  const stray = model.initial.findIndex((state) => !initial.has(canonicalText(mapped(state))));
  return [
    {
      kind: 'invariant',
      name: `${name} starts in the same way`,
      holds: () => stray === -1,
      explain: () => [`initial state ${stray} is mapped to a state that is not initial`],
    },
    {
      kind: 'step',
      name: `${name} allows each step`,
      holds(before, _action, next) {
        const from = mapped(before);
        const to = canonicalText(mapped(next));
        return to === canonicalText(from) || after(from).has(to);
      },
      explain(before, { name: step }, next) {
        const from = canonicalText(mapped(before));
        return [`${step} is mapped to no step: from ${from} to ${canonicalText(mapped(next))}`];
      },
    },
  ];
}

function successorTexts<State>(model: Model<State>, state: State): ReadonlySet<string> {
  return new Set(successors(model, state).map((step) => canonicalText(step.state)));
}

function plain<M extends AnyModel>(model: M): Model<StateOf<M>> {
  const same: unknown = model;
  return same as Model<StateOf<M>>;
}
