import { plural } from '../../text/layout.ts';
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
  const { hangs, open, unexpected, why, risks, goes, stays, basis, verdict } = row;
  return [
    ...(hangs.length > 0 ? [`hangs: ${named(hangs)}`] : []),
    ...(verdict === 'hangs' && hangs.length === 0 ? ['it stays'] : []),
    ...risks.map(({ text }) => text),
    ...unexpected,
    ...(open.length > 0 ? [`not certain: ${named(open)}`] : []),
    ...why.slice(0, NAMED),
    ...(why.length > NAMED ? [`and ${plural(why.length - NAMED, 'reason')} more`] : []),
    ...(Object.keys(goes).length > 0 ? [`goes: ${kinds(goes)}`] : []),
    ...(Object.keys(stays).length > 0 ? [`stays: ${kinds(stays)}`] : []),
    ...(verdict === 'open' && open.length === 0 ? [basis] : []),
  ];
}

export function kinds(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

function named(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
