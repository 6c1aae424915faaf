import type { CheckOptions } from '../../../checker/options.ts';
import type { OwnerRule } from '../../../checker/partitions/owners/owners.ts';
import { sampled } from '../../../checker/partitions/owners/sample.ts';
import { prepareForPartitions } from '../../../checker/partitions/question.ts';
import { Clock, type SearchProgress } from '../../../checker/progress.ts';
import type { Dice } from './same-search.ts';

const NO_PROGRESS: SearchProgress = {
  ...{ phase: 'search', layer: 0, frontier: 0, previousFrontier: 0, states: 0, transitions: 0 },
};

/** A rule by some of the slots of a small model. */
export async function anyRule<State>(options: CheckOptions<State>, dice: Dice): Promise<OwnerRule> {
  const clock = new Clock({ limits: {} });
  const sample = await sampled(prepareForPartitions(options, clock), clock, NO_PROGRESS);
  const slots = sample!.slots.filter(() => dice(3) === 0);
  const names = slots.map(({ section, key }) => ({ section: section.key, key }));
  return { slots: names, salt: dice(1 << 15) };
}
