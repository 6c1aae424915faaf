import type { Trouble } from '../../../input/manifests/leaving/troubles.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { ApiObject } from '../../../model/index.ts';
import { durationWords } from '../../../report/answer/explain.ts';
import type { Condition, Look, ObjectFate } from '../../../report/document/answer.ts';

/** What is being deleted, and how far that is. */
export interface Leaving {
  readonly object: ApiObject;
  /** It should have been gone for so many seconds; negative: its grace period has not ended. */
  readonly late: number;
  /** The end of that grace period. */
  readonly due: string;
  readonly troubles: readonly Trouble[];
}

/** A deletion that has been waiting for so many seconds is held by something. */
const LONG = 600;

/** That they go, and when their grace periods end. */
export function byItself(names: string, deleting: readonly Leaving[]): string {
  const isOne = deleting.length === 1;
  const goes = `${names} ${isOne ? 'goes by itself' : 'go by themselves'}`;
  const ends = deleting.filter(({ late }) => late < 0).map(({ due }) => due);
  const last = ends.sort().at(-1);
  return last === undefined
    ? `${goes}: the dump shows nothing that holds ${isOne ? 'it' : 'them'}`
    : `${goes}, once ${isOne ? 'the grace period' : 'each grace period'} has ended, at ${last} at the latest`;
}

/** That nothing in the dump holds it, though it should have gone. Null: it may well be on its way. */
export function overdueWords({ object, late, troubles: [trouble] }: Leaving): string | null {
  if (late <= LONG) return null;
  const why =
    trouble === undefined
      ? 'so something that the dump lacks does'
      : `and it reports: ${trouble.message.replace(/\.$/, '')}`;
  return `nothing in the dump holds ${displayName(object)}, but it should have been gone for ${durationWords(late)}, ${why}`;
}

/** Of what goes as far as the dump shows, the fate is unknown where the dump lacks something. */
export function doubted(fate: ObjectFate, lacking: readonly Look[]): ObjectFate {
  if (fate.fate !== 'goes' || lacking.length === 0) return fate;
  const on = lacking.map(
    ({ text, command }): Condition => ({ kind: 'dump', settle: command, text }),
  );
  return { ...fate, fate: 'unknown', on };
}
