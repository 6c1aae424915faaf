import type { Trace, TraceDifference, TraceStep } from '../result.ts';
import { canonicalText } from '../values/canonical.ts';

/**
 * How a run differs from another one: steps that only one of them takes, and dependent steps that
 * they take in different orders. `depends` gets positions in the run.
 */
export function traceDifference(
  run: Trace,
  other: Trace,
  depends: (earlier: number, later: number) => boolean,
): TraceDifference {
  const positions = positionsIn(other.steps);
  const mine = positionsIn(run.steps);
  const added = onlyIn(run.steps, other.steps);
  const missing = onlyIn(other.steps, run.steps);
  const place = (step: TraceStep) => {
    const key = keyOf(step);
    const isSingle = positions.get(key)?.length === 1 && mine.get(key)?.length === 1;
    return isSingle ? positions.get(key)![0]! : null;
  };
  const reordered = run.steps.flatMap((then, later) =>
    run.steps.slice(0, later).flatMap((first, earlier) => {
      const one = place(first);
      const two = place(then);
      const isTurned = one !== null && two !== null && one > two;
      return isTurned && depends(earlier, later)
        ? [{ first: first.sentence, then: then.sentence }]
        : [];
    }),
  );
  return { added, missing, reordered };
}

/** The same action may have different outcomes, which its sentence tells apart. */
function keyOf({ action, parameters, sentence }: TraceStep): string {
  return canonicalText([action, { ...parameters }, sentence]);
}

function positionsIn(steps: readonly TraceStep[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  steps.forEach((step, index) => {
    const key = keyOf(step);
    positions.set(key, [...(positions.get(key) ?? []), index]);
  });
  return positions;
}

function onlyIn(steps: readonly TraceStep[], others: readonly TraceStep[]): readonly string[] {
  const left = new Map<string, number>();
  for (const step of others) left.set(keyOf(step), (left.get(keyOf(step)) ?? 0) + 1);
  return steps.flatMap((step) => {
    const key = keyOf(step);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [step.sentence];
  });
}
