import type { ObjectFate, Outcome, OutcomeWord } from '../../report/document/answer.ts';
import { listed, plural } from '../../text/layout.ts';

/**
 * Where the outcomes of a comparison differ, in one sentence: "background and foreground agree;
 * orphan leaves 5 objects." The others are compared with the first one.
 */
export function comparisonOf(outcomes: readonly Pick<Outcome, 'name' | 'fates'>[]): string {
  const groups = new Map<string, Pick<Outcome, 'name' | 'fates'>[]>();
  for (const outcome of outcomes) {
    const look = JSON.stringify(outcome.fates.map(lookOf));
    groups.set(look, [...(groups.get(look) ?? []), outcome]);
  }
  const [first = [], ...others] = groups.values();
  const names = listed(first.map(({ name }) => name));
  const same = agreement(names, first[0]?.fates ?? []);
  if (others.length === 0) return `${same}.`;
  const parts = others.map(([one, ...more]) => {
    const group = listed([one, ...more].map((outcome) => outcome?.name ?? ''));
    return `${group} ${differences(first[0]?.fates ?? [], one?.fates ?? [], more.length > 0)}`;
  });
  const head = first.length > 1 ? `${same};` : `compared with ${names}:`;
  return `${head} ${parts.join('; ')}.`;
}

/** What is unknown may differ. */
function agreement(names: string, fates: readonly ObjectFate[]): string {
  const unknown = fates.filter(({ fate }) => fate === 'unknown').length;
  if (unknown === 0) return `${names} agree`;
  const what = `${plural(unknown, 'object')} ${unknown === 1 ? 'is' : 'are'} unknown`;
  return `${names} agree in what is known, but ${what}`;
}

/** Two fates with the same look are one for a reader of the table. */
export function lookOf({ fate, replaced }: ObjectFate): string {
  return replaced ? `${fate}, replaced` : fate;
}

const ORDER: readonly OutcomeWord[] = ['hangs', 'unknown', 'depends', 'stays', 'goes'];

function differences(
  base: readonly ObjectFate[],
  other: readonly ObjectFate[],
  isPlural: boolean,
): string {
  const changed = other.filter((fate, index) => fate.fate !== base[index]?.fate);
  const verbs: Readonly<Record<OutcomeWord, readonly [string, string]>> = {
    hangs: ['lets', 'hang'],
    unknown: ['leaves', 'unknown'],
    depends: ['lets', 'go or stay'],
    stays: ['leaves', ''],
    goes: ['takes', 'along'],
  };
  const parts = ORDER.flatMap((word) => {
    const count = changed.filter(({ fate }) => fate === word).length;
    if (count === 0) return [];
    const [verb, rest] = verbs[word];
    const plain = isPlural ? verb.slice(0, -1) : verb;
    return [`${plain} ${plural(count, 'object')} ${rest}`.trim()];
  });
  if (parts.length === 0)
    return isPlural ? 'differ in what is replaced' : 'differs in what is replaced';
  return listed(parts);
}
