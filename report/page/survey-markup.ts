import { meaningFor } from '../answer/parts.ts';
import {
  type MergedRow,
  mergedRows,
  surveyDetails,
  surveySentence,
  VERDICTS,
} from '../answer/survey-words.ts';
import type { ResultDocument } from '../document/result-document.ts';
import type { SurveyRow } from '../document/survey.ts';
import { type Child, element, type Markup, together } from './markup.ts';
import { copyable } from './section-markup.ts';
import { linked } from './table.ts';

/** A survey: the sentence, a table of the rows, the worst first; plain rows are folded. */
export function surveyMarkup({ exitCode }: ResultDocument, rows: readonly SurveyRow[]): Markup {
  const all = mergedRows(rows);
  const told = all.filter(({ verdict }) => verdict !== 'plain');
  const plain = all.filter(({ verdict }) => verdict === 'plain');
  return together(
    element('p', { class: 'sentence' }, surveySentence(rows)),
    told.length === 0 ? null : tableMarkup('What is worth a look', told),
    plain.length === 0
      ? null
      : element(
          'details',
          { class: 'plain-rows', open: told.length === 0 },
          element('summary', {}, `As expected: ${plain.length}`),
          tableMarkup('What goes as expected', plain),
        ),
    element('p', { class: 'dim exit' }, `Exit code ${exitCode}: ${meaningFor('survey', exitCode)}`),
  );
}

const COLUMNS = ['', 'object', 'policies', 'what'];

function tableMarkup(caption: string, rows: readonly MergedRow[]): Markup {
  return element(
    'div',
    { class: 'survey' },
    element(
      'table',
      {},
      element('caption', { class: 'unseen' }, caption),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...COLUMNS.map((head) =>
            head === '' ? element('td', {}) : element('th', { scope: 'col' }, head),
          ),
        ),
      ),
      element('tbody', {}, ...rows.map(rowMarkup)),
    ),
  );
}

const LOOK: Readonly<Record<SurveyRow['verdict'], string>> = {
  hangs: 'hangs',
  risky: 'hangs',
  unexpected: 'goes',
  open: 'unknown',
  plain: 'plain',
};

function rowMarkup(row: MergedRow): Markup {
  const { sign, word } = VERDICTS[row.verdict];
  const details: Child[] = surveyDetails(row).map((text) => element('li', {}, linked(text)));
  return element(
    'tr',
    {},
    element('td', {}, element('span', { class: `fate ${LOOK[row.verdict]}` }, `${sign} ${word}`)),
    element('th', { scope: 'row' }, row.object),
    element('td', {}, row.cascades.join(', ')),
    element('td', {}, element('ul', {}, ...details), copyable(row.command)),
  );
}
