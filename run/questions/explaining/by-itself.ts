import type { Trouble } from '../../../input/manifests/leaving/troubles.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { ApiObject } from '../../../model/index.ts';

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
export const LONG = 600;

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

/** That they should have gone, and why they have not as they say. */
export function lateWords(deleting: readonly Leaving[]): readonly string[] {
  const late = deleting.filter((one) => one.late > LONG);
  const [first] = late;
  if (first === undefined) return [];
  const waiting =
    deleting.length === 1
      ? 'but it has been waiting for long'
      : late.length === 1
        ? `but ${displayName(first.object)} has been waiting for long`
        : `but ${late.length} of them have been waiting for long`;
  const told = late.find(({ troubles }) => troubles.length > 0);
  const [trouble] = told?.troubles ?? [];
  return told === undefined || trouble === undefined
    ? [`${waiting}, so something that the dump lacks holds ${late.length === 1 ? 'it' : 'them'}`]
    : [`${waiting}, and ${displayName(told.object)} reports: ${trouble.message}`];
}
