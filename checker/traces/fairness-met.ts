import { executedInstance } from '../engine/plain.ts';
import { type Instance, instancesOf } from '../instances.ts';
import type { Model } from '../model.ts';
import type { Describer } from '../options.ts';
import type { FairnessMet } from '../result.ts';
import { canonicalText } from '../values/canonical.ts';
import type { JudgedRun } from './status.ts';

/**
 * Why a loop is fair: for each fair action instance that is enabled somewhere in the loop, the step
 * that takes it, or the step after which it is disabled. The loop was confirmed to be fair before.
 * Instances without such a step are left out.
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
    if (step >= loopStart && !taken.has(text)) taken.set(text, step);
  });
  const loop = run.states.slice(loopStart, -1);
  return instancesOf(model).flatMap((instance): FairnessMet[] => {
    const { identity, fairness } = instance;
    if (fairness === 'none') return [];
    const step = taken.get(canonicalText(identity));
    const met =
      step === undefined
        ? disabledOnTheWay(model, instance, loop)
        : { by: 'taken' as const, step: step - loopStart, before: run.states[step]! };
    if (met === null) return [];
    const { by, before } = met;
    const after = executedInstance(model, before, instance) ?? before;
    return [
      {
        action: identity.name,
        parameters: identity.parameters,
        fairness,
        actor: describer.actor?.(identity, before, after) ?? identity.name,
        sentence: describer.action(identity, before, after),
        by,
        step: loopStart + met.step,
      },
    ];
  });
}

/** Null if it is enabled nowhere in the loop, which is no obligation, or everywhere. */
function disabledOnTheWay<State>(
  model: Model<State>,
  instance: Instance<State>,
  loop: readonly State[],
): { readonly by: 'disabled'; readonly step: number; readonly before: State } | null {
  const enabled = loop.map((state) => executedInstance(model, state, instance) !== null);
  const possible = enabled.indexOf(true);
  const not = enabled.indexOf(false);
  if (possible < 0 || not < 0) return null;
  // The first state of the loop is the one after its last step.
  const step = not === 0 ? loop.length - 1 : not - 1;
  return { by: 'disabled', step, before: loop[possible]! };
}
