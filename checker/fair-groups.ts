import type { Instance } from './instances.ts';
import { type Obligations, obligationsOf } from './liveness/obligations.ts';
import type { GroupFairness, Model, ParameterValue } from './model.ts';

/** A promise to several action instances together, as the model declares it. */
export interface FairGroup<State> {
  readonly kind: 'weak' | 'strong';
  /** What it is promised to, for people: `give or take, for client=ann`. */
  readonly name: string;
  readonly members: readonly Instance<State>[];
}

/** The kind of a promise, and the actions that it is made to. */
export function promiseOf(group: GroupFairness): {
  readonly kind: 'weak' | 'strong';
  readonly actions: readonly string[];
} {
  return group.weak === undefined
    ? { kind: 'strong', actions: group.strong }
    : { kind: 'weak', actions: group.weak };
}

/** The groups of a model: with `each`, one for each value of that parameter. */
export function fairGroupsOf<State>(
  { fairness = [] }: Model<State>,
  instances: readonly Instance<State>[],
): readonly FairGroup<State>[] {
  return fairness.flatMap((group) => {
    const { kind, actions } = promiseOf(group);
    const { each } = group;
    const some = instances.filter(({ identity }) => actions.includes(identity.name));
    const name = actions.join(' or ');
    if (each === undefined) return [{ kind, name, members: some }];
    const byValue = new Map<ParameterValue, Instance<State>[]>();
    for (const instance of some) {
      const value = instance.identity.parameters[each]!;
      const known = byValue.get(value);
      if (known === undefined) byValue.set(value, [instance]);
      else known.push(instance);
    }
    return [...byValue].map(([value, members]) => ({
      ...{ kind, members },
      name: `${name}, for ${each}=${value}`,
    }));
  });
}

/** All that fairness promises in a model, to instances and to groups. */
export function obligationsIn<State>(
  model: Model<State>,
  instances: readonly Instance<State>[],
): Obligations {
  const groups = fairGroupsOf(model, instances).map(({ kind, members }) => ({
    ...{ kind, members: members.map(({ number }) => number) },
  }));
  return obligationsOf(
    instances.map(({ fairness }) => fairness),
    groups,
  );
}
