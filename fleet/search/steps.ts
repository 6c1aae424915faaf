import type { Redis } from 'ioredis';
import { DefectError, LimitHitError, PartitionHolder } from '../../checker/index.ts';
import { judgedBy, modelOf } from '../../run/assemble.ts';
import { type Hold, type Step, type StepAnswer, type StepDefect, stepSchema } from './messages.ts';
import type { SearchNames } from './names.ts';
import { StreamLog } from './stream-log.ts';

/** Does a step. What it throws is an error of that step. */
export type DoStep = (step: unknown) => Promise<StepAnswer>;

/** The steps of the partition that is to be held, one at a time. */
export function stepsOf(
  { plan, limits, reductions, partition, partitions }: Hold,
  redis: Redis,
  names: SearchNames,
): DoStep {
  const options = { model: modelOf(plan.setup), properties: judgedBy(plan), reductions };
  const place = { index: partition, count: partitions };
  const holder = new PartitionHolder(options, place, limits, new StreamLog(redis, names));
  return async (given) => {
    const read = stepSchema.safeParse(given);
    if (!read.success) throw new Error('a step does not fit its schema');
    try {
      return await done(holder, read.data);
    } catch (error) {
      if (error instanceof LimitHitError) return { kind: 'limit', limit: error.limit };
      if (!(error instanceof DefectError)) throw error;
      return { kind: 'defect', defect: error.defect as StepDefect };
    }
  };
}

async function done<State>(holder: PartitionHolder<State>, step: Step): Promise<StepAnswer> {
  switch (step.step) {
    case 'first':
      return { kind: 'first', tally: await holder.first(step) };
    case 'expand':
      return { kind: 'expanded', tally: await holder.expand(step) };
    case 'fold':
      return { kind: 'folded', tally: await holder.fold(step) };
    default:
      throw new Error(`unknown step ${JSON.stringify(step satisfies never)}`);
  }
}
