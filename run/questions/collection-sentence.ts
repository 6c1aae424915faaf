import type { AnswerObject, ObjectFate } from '../../report/document/answer.ts';
import { plural } from '../../text/layout.ts';
import type { Cause } from './because.ts';

/** An object, what becomes of it without any deletion, and why. */
export interface Collected {
  readonly shown: AnswerObject;
  readonly fate: ObjectFate;
  readonly cause: Cause;
}

/**
 * What the collector does to the objects as they are, in one sentence.
 *
 * @param others on how many of them other controllers act, as nobody asked for, or as they say
 *   themselves.
 */
export function collectionSentence(
  rows: readonly Collected[],
  total: number,
  isProved: boolean,
  { unasked, expected }: { readonly unasked: number; readonly expected: number },
): string {
  const of = (wanted: (row: Collected) => boolean): readonly Collected[] => rows.filter(wanted);
  const hang = of(({ fate }) => fate.fate === 'hangs');
  const doomed = of(({ fate, cause }) => fate.fate === 'goes' && cause.kind === 'owner');
  const doubtful = of(({ fate }) => fate.fate === 'depends');
  const going = of(({ fate, cause }) => fate.fate === 'goes' && cause.kind !== 'owner');
  const unknown = of(({ fate }) => fate.fate === 'unknown');
  const parts = [
    ...counted(hang, 'hangs', 'hang'),
    ...counted(doomed, 'goes although nobody asked for it', 'go although nobody asked for it'),
    ...counted(doubtful, 'goes or stays', 'go or stay'),
    ...counted(unknown, 'is unknown', 'are unknown'),
    ...counted(going, 'goes, as its deletion goes on', 'go, as deletions go on'),
  ];
  const rest =
    total - hang.length - doomed.length - doubtful.length - going.length - unknown.length;
  const objects = total === 1 ? 'the only object' : `any of ${plural(total, 'object')}`;
  const acts = [
    ...(unasked === 0
      ? []
      : [`another controller acts on ${plural(unasked, 'object')} that nobody deletes`]),
    ...(expected === 0
      ? []
      : [`other controllers delete ${plural(expected, 'object')} by themselves`]),
  ];
  if (parts.length === 0) {
    return acts.length === 0
      ? `nothing happens to ${objects}.`
      : `the collector does nothing to ${objects}; ${acts.join('; ')} (see below).`;
  }
  const others =
    rest === 0 ? [] : [`${plural(rest, 'other object')} ${rest === 1 ? 'stays' : 'stay'}`];
  return `${[...parts, ...others, ...acts].join('; ')}${isProved ? '' : ' (not proved: see below)'}.`;
}

function counted(rows: readonly Collected[], one: string, many: string): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  return [
    rows.length === 1 ? `${first.shown.name} ${one}` : `${plural(rows.length, 'object')} ${many}`,
  ];
}
