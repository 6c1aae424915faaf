import { executed } from '../../engine/plain.ts';
import { DefectError } from '../../errors.ts';
import type { Instance } from '../../instances.ts';
import type { Model } from '../../model.ts';
import { canonicalText } from '../../values/canonical.ts';

export interface IndependentSteps<State> {
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
}

/**
 * Executes plain `produce` to find out whether the expanded steps of a state are independent of
 * those that were left out: each of the two is still enabled after the other, and both orders lead
 * to the same state. Throws `DefectError` if not.
 */
export function auditIndependence<State>(
  steps: IndependentSteps<State>,
  before: State,
  isExpanded: (instance: number) => boolean,
): void {
  const enabled = steps.instances.flatMap(({ number }) => {
    const after = executed(steps, before, number);
    return after === null ? [] : [{ number, after }];
  });
  const [expanded, rest] = [true, false].map((wanted) =>
    enabled.filter(({ number }) => isExpanded(number) === wanted),
  ) as [typeof enabled, typeof enabled];
  for (const one of expanded) {
    for (const other of rest) {
      const first = executed(steps, one.after, other.number);
      const second = executed(steps, other.after, one.number);
      if (first !== null && second !== null && canonicalText(first) === canonicalText(second)) {
        continue;
      }
      const { name, parameters } = steps.instances[other.number]!.identity;
      throw new DefectError({
        kind: 'auditMismatch',
        culprit: name,
        parameters,
        message:
          `it depends on ${steps.instances[one.number]!.identity.name}, though neither reads what the other ` +
          `writes, in state ${canonicalText(before)}; reducers must depend on their arguments only`,
      });
    }
  }
}
