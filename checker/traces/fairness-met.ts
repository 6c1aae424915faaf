import { executedInstance } from '../engine/plain.ts';
import { fairGroupsOf } from '../fair-groups.ts';
import { type Instance, instancesOf } from '../instances.ts';
import type { Model } from '../model.ts';
import type { Describer } from '../options.ts';
import type { FairnessMet } from '../result.ts';
import { canonicalText } from '../values/canonical.ts';
import type { JudgedRun } from './status.ts';

/** A promise to one action instance, or to a group of them. */
interface Promised<State> {
  readonly kind: 'weak' | 'strong';
  readonly members: readonly Instance<State>[];
  readonly group?: string;
}

/** Where in the loop a promise is kept, and a member that is taken, or possible somewhere. */
interface Met<State> {
  readonly by: 'taken' | 'disabled';
  /** Counted from the first step of the loop. */
  readonly step: number;
  readonly member: Instance<State>;
  /** A state in which it is possible. */
  readonly before: State;
}

/**
 * Why a loop is fair: for each fair action instance and each group that is enabled somewhere in the
 * loop, the step that takes it, or the step after which it is disabled. The loop was confirmed to
 * be fair before. What has no such step is left out.
 */
export function fairnessMet<State>(
  model: Model<State>,
  run: JudgedRun<State>,
  loopStart: number,
  describer: Describer<State>,
): readonly FairnessMet[] {
  const taken = new Map<string, number>();
  run.actions.forEach((action, step) => {
    const text = canonicalText(action);
    if (step >= loopStart && !taken.has(text)) taken.set(text, step - loopStart);
  });
  const loop = run.states.slice(loopStart, -1);
  return promisesOf(model).flatMap(({ kind, members, group }): FairnessMet[] => {
    const met = takenFirst(members, taken, loop) ?? disabledOnTheWay(model, members, loop);
    if (met === null) return [];
    const { by, member, before } = met;
    const { identity } = member;
    const after = executedInstance(model, before, member) ?? before;
    return [
      {
        action: identity.name,
        parameters: identity.parameters,
        ...(group === undefined ? {} : { group }),
        fairness: kind,
        actor: describer.actor?.(identity, before, after) ?? identity.name,
        sentence: describer.action(identity, before, after),
        by,
        step: loopStart + met.step,
      },
    ];
  });
}

function promisesOf<State>(model: Model<State>): readonly Promised<State>[] {
  const instances = instancesOf(model);
  const alone = instances.flatMap((instance): Promised<State>[] =>
    instance.fairness === 'none' ? [] : [{ kind: instance.fairness, members: [instance] }],
  );
  const groups = fairGroupsOf(model, instances).map(({ name, ...group }) => ({
    ...group,
    group: name,
  }));
  return [...alone, ...groups];
}

/** The member that the loop takes first; null if it takes none. */
function takenFirst<State>(
  members: readonly Instance<State>[],
  taken: ReadonlyMap<string, number>,
  loop: readonly State[],
): Met<State> | null {
  let first: Met<State> | null = null;
  for (const member of members) {
    const step = taken.get(canonicalText(member.identity));
    if (step === undefined || (first !== null && first.step <= step)) continue;
    first = { by: 'taken', step, member, before: loop[step]! };
  }
  return first;
}

/** Null if none is enabled in the loop, which is no obligation, or some member everywhere. */
function disabledOnTheWay<State>(
  model: Model<State>,
  members: readonly Instance<State>[],
  loop: readonly State[],
): Met<State> | null {
  const enabled = loop.map(
    (state) => members.find((one) => executedInstance(model, state, one) !== null) ?? null,
  );
  const possible = enabled.findIndex((one) => one !== null);
  const not = enabled.indexOf(null);
  if (possible < 0 || not < 0) return null;
  // The first state of the loop is the one after its last step.
  const step = not === 0 ? loop.length - 1 : not - 1;
  return { by: 'disabled', step, member: enabled[possible]!, before: loop[possible]! };
}
