import type { Gap } from '../../input/collections/collection.ts';
import type { Plan } from '../../input/plan.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';

/** Gaps of the input in which more can be that goes or hangs. */
export function gapsOf({ cluster }: Pick<Plan, 'cluster'>): readonly Gap[] {
  return cluster === null ? [] : [...cluster.incomplete, ...cluster.unread];
}

/** Nothing is certain about a cluster of which a part could not be read. */
export function unreadCode({ cluster }: Pick<Plan, 'cluster'>): ExitCode {
  return (cluster?.unread.length ?? 0) === 0 ? EXIT.asExpected : EXIT.inconclusive;
}

/** A sentence about all objects, with what it cannot know. */
export function withUnread(sentence: string, { cluster }: Pick<Plan, 'cluster'>): string {
  const [gap] = cluster?.unread ?? [];
  if (gap === undefined) return sentence;
  return `${sentence.replace(/\.$/, '')}; what else there is is unknown: ${gap.what}.`;
}
