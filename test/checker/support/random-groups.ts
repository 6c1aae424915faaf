import fc from 'fast-check';
import type { GroupFairness, Model } from '../../../checker/model.ts';

/**
 * Groups of the actions of a random model; where all have the same parameter, for each value. What
 * is in a group is promised nothing for itself, but for the actions in `alsoFair`.
 */
export const randomGroups = fc.array(
  fc.record({
    strong: fc.boolean(),
    each: fc.boolean(),
    members: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3, size: 'max' }),
  }),
  { minLength: 1, maxLength: 3 },
);
export type RandomGroup =
  typeof randomGroups extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

export function grouped<State>(
  model: Model<State>,
  groups: readonly RandomGroup[],
  parameter: string,
  alsoFair: readonly string[] = [],
): Model<State> {
  const names = Object.keys(model.actions);
  const fairness = groups.map(({ strong, each, members }): GroupFairness => {
    const some = [...new Set(members.map((member) => names[member % names.length]!))];
    const all = some.every((name) =>
      (model.actions[name]!.parameters ?? [{}]).every((choice) => parameter in choice),
    );
    return {
      ...(strong ? { strong: some } : { weak: some }),
      ...(each && all ? { each: parameter } : {}),
    };
  });
  const members = new Set(fairness.flatMap(({ weak, strong }) => weak ?? strong));
  const actions = Object.fromEntries(
    Object.entries(model.actions).map(([name, action]) => [
      name,
      members.has(name) && !alsoFair.includes(name)
        ? { ...action, fairness: 'none' as const }
        : action,
    ]),
  );
  return { ...model, actions, fairness };
}
