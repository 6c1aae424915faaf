import type { ApiObject } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import type { Held } from './evidence.ts';

/** With more different reasons than this, what is known of one object stands for all. */
const MOST = 100;

interface Said {
  readonly evidence: string;
  readonly held?: Held | null;
  readonly runs?: boolean;
}

interface Part<J> {
  readonly objects: readonly ApiObject[];
  readonly judgement: J;
}

/** What holds one object need not hold the others: each reason with the objects that it holds. */
export function judgedApart<J extends Said>(
  objects: readonly ApiObject[],
  judge: (objects: readonly ApiObject[]) => J,
): readonly Part<J>[] {
  const whole = { objects, judgement: judge(objects) };
  const each = halvesOf(whole, judge);
  const groups = [...groupedBy(each, (one) => one.judgement.evidence).values()];
  if (groups.length > MOST && whole.judgement.held?.sure !== true) {
    const evidence = `${whole.judgement.evidence}; others are held by others like that`;
    return [{ objects, judgement: { ...whole.judgement, evidence } }];
  }
  return groups.flatMap((group) =>
    group[0] === undefined ? [] : [{ ...group[0], objects: group.flatMap((one) => one.objects) }],
  );
}

/** Where one of the objects may be held, each half by itself. */
function halvesOf<J extends Said>(
  whole: Part<J>,
  judge: (objects: readonly ApiObject[]) => J,
): readonly Part<J>[] {
  const { objects, judgement } = whole;
  const isOfOne = judgement.runs === true || (judgement.held ?? null) !== null;
  const half = Math.ceil(objects.length / 2);
  if (half === objects.length || !isOfOne) return [whole];
  return [objects.slice(0, half), objects.slice(half)].flatMap((part) =>
    halvesOf({ objects: part, judgement: judge(part) }, judge),
  );
}
