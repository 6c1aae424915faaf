import { groupedBy, plural, someNames } from '../../text/layout.ts';
import type { SurveyRow } from '../document/survey.ts';

/** What each verdict of a row says, for a heading. */
export const VERDICTS: Readonly<
  Record<
    SurveyRow['verdict'],
    {
      readonly word: string;
      readonly sign: string;
      readonly color: 'red' | 'yellow' | 'magenta' | 'dim';
    }
  >
> = {
  hangs: { word: 'hangs', sign: '!', color: 'red' },
  risky: { word: 'risk', sign: '!', color: 'red' },
  unexpected: { word: 'takes more', sign: '+', color: 'magenta' },
  open: { word: 'open', sign: '?', color: 'yellow' },
  plain: { word: 'plain', sign: '-', color: 'dim' },
};

const NAMED = 3;

/** What a row says, most important first, one sentence each. */
export function surveyDetails(row: SurveyRow): readonly string[] {
  const { hangs, open, unexpected, why, risks, goes, stays, basis, verdict, admitted = [] } = row;
  return [
    ...(hangs.length > 0 ? [`hangs: ${someNames(hangs)}`] : []),
    ...(verdict === 'hangs' && hangs.length === 0 ? ['it stays'] : []),
    ...risks.map(({ text }) => text),
    ...unexpected,
    ...(open.length > 0 ? [`not certain: ${someNames(open)}`] : []),
    ...why.slice(0, NAMED),
    ...(why.length > NAMED ? [`and ${plural(why.length - NAMED, 'reason')} more`] : []),
    ...(Object.keys(goes).length > 0 ? [`goes: ${kinds(goes)}`] : []),
    ...(Object.keys(stays).length > 0 ? [`stays: ${kinds(stays)}`] : []),
    ...(verdict === 'open' && open.length === 0 ? [basis] : []),
    ...admitted.map((word) => `rests on --admitted ${word}`),
  ];
}

export function kinds(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

/** How many objects have which verdict with some policy. */
export function surveySentence(rows: readonly SurveyRow[]): string {
  const of = (...verdicts: readonly SurveyRow['verdict'][]): number =>
    new Set(rows.filter(({ verdict }) => verdicts.includes(verdict)).map(({ uid }) => uid)).size;
  const all = new Set(rows.map(({ uid }) => uid)).size;
  const odd = of('hangs', 'risky', 'unexpected', 'open');
  const parts = [
    { count: of('hangs'), one: 'hangs', many: 'hang' },
    { count: of('risky'), one: 'has a risk', many: 'have a risk' },
    {
      count: of('unexpected'),
      one: 'takes unexpected objects along',
      many: 'take unexpected objects along',
    },
    { count: of('open'), one: 'is not certain', many: 'are not certain' },
  ].flatMap(({ count, one, many }) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`],
  );
  const rest = all - odd;
  const plain = `${plural(rest, odd === 0 ? 'object' : 'other object')} ${rest === 1 ? 'goes' : 'go'} as expected`;
  if (all === 0) return 'There is no root object here.';
  const what = all === 1 ? 'the only root object' : `each of ${plural(all, 'root object')}`;
  return `If ${what} is deleted by itself: ${[...parts, ...(rest > 0 ? [plain] : [])].join('; ')}.`;
}

/** Rows of one object that say the same, with all of their policies. */
export interface MergedRow extends SurveyRow {
  readonly cascades: readonly string[];
}

const ORDER: readonly SurveyRow['verdict'][] = ['hangs', 'risky', 'unexpected', 'open', 'plain'];

/** The worst first. */
export function mergedRows(rows: readonly SurveyRow[]): readonly MergedRow[] {
  const groups = groupedBy(rows, (row) => {
    const { cascade: _cascade, command: _command, basis: _basis, risks, ...same } = row;
    return JSON.stringify([same, risks.map(({ text }) => text)]);
  });
  const merged = [...groups.values()].flatMap((group): MergedRow[] => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, cascades: group.map(({ cascade }) => cascade) }];
  });
  return alikeTogether(merged).sort(
    (one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict),
  );
}

/** Whether the row says nothing but why nothing is known, such as that the time was up. */
function isUnknown({ verdict, object, open, why, basis }: SurveyRow): boolean {
  const [reason, ...others] = why;
  const isAlone = open.length === 1 && open[0] === object;
  return verdict === 'open' && isAlone && reason === basis && others.length === 0;
}

/**
 * Objects of which the same webhooks and policies are asked, and nothing else is open, take one
 * row, and so do those of which nothing is known for the same reason.
 */
function alikeTogether(rows: readonly MergedRow[]): MergedRow[] {
  const groups = groupedBy(rows, (row): MergedRow | string => {
    const { admission, why, cascades, verdict } = row;
    const isAlike = (admission === true && verdict === 'open') || isUnknown(row);
    return isAlike ? JSON.stringify([why, cascades]) : row;
  });
  return [...groups.values()].flatMap((group): MergedRow[] => {
    const [first] = group;
    if (first === undefined || group.length === 1) return [...group];
    return [
      {
        ...first,
        object: `${plural(group.length, 'root object')}: ${someNames(group.map(({ object }) => object))}`,
        open: group.flatMap(({ open }) => open),
        goes: summed(group.map(({ goes }) => goes)),
        stays: summed(group.map(({ stays }) => stays)),
      },
    ];
  });
}

function summed(counts: readonly SurveyRow['goes'][]): SurveyRow['goes'] {
  const sums: Record<string, number> = {};
  for (const [kind, count] of counts.flatMap((one) => Object.entries(one))) {
    sums[kind] = (sums[kind] ?? 0) + count;
  }
  return sums;
}

/**
 * How many objects of each kind have only plain rows: `3 ConfigMap, 1 StatefulSet`, and how many of
 * them rest on what a person says of admission.
 */
export function plainCounts(rows: readonly SurveyRow[]): string {
  const plain = rows.filter(({ verdict }) => verdict === 'plain');
  const kindOf = ({ object }: SurveyRow): string =>
    object.slice(0, object.indexOf('/')).split('.')[0] ?? '';
  const sizeOf = (group: readonly SurveyRow[]): number => new Set(group.map(({ uid }) => uid)).size;
  const counts = [...groupedBy(plain, kindOf)].map(([kind, group]) => `${sizeOf(group)} ${kind}`);
  const words = new Set(plain.flatMap(({ admitted = [] }) => admitted));
  const resting = [...words].map((word) => {
    const count = sizeOf(plain.filter(({ admitted }) => admitted?.includes(word)));
    return `; ${count} of them ${count === 1 ? 'rests' : 'rest'} on --admitted ${word}`;
  });
  return `${counts.join(', ')}${resting.join('')}`;
}
