import type { Question } from '../engine/engine.ts';
import type { Claim } from '../traces/confirm.ts';
import { executed } from '../traces/replay.ts';
import { canonicalText } from '../values/canonical.ts';

/** The runs with two neighbours in the other order that lead to the same state all the same. */
export function turnedRuns<State>(
  question: Question<State>,
  claim: Claim<State>,
): readonly Claim<State>[] {
  const { actions, states, property, loopStart } = claim;
  if (loopStart !== null) return [];
  // Of a step rule the last step is the point.
  const last = property.kind === 'step' ? actions.length - 2 : actions.length - 1;
  return Array.from({ length: Math.max(0, last) }, (_, index) => index).flatMap((index) => {
    const [first, second] = [actions[index]!, actions[index + 1]!];
    const between = executed(question, states[index]!, second);
    const after = between === null ? null : executed(question, between, first);
    if (between === null || after === null) return [];
    if (canonicalText(after) !== canonicalText(states[index + 2])) return [];
    return [
      {
        ...claim,
        actions: actions.with(index, second).with(index + 1, first),
        states: states.with(index + 1, between),
      },
    ];
  });
}
