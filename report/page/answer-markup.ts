import { plural } from '../../text/layout.ts';
import { capitalized, FATES_WORST_FIRST, fateCounts, sentenceWords } from '../answer/parts.ts';
import type { AnswerItem, AnswerSection, SectionKind } from '../answer/section.ts';
import { answerSections } from '../answer/sections.ts';
import { LOOKS } from '../answer/words.ts';
import type { Answer, Outcome } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { answerTree } from './answer-tree.ts';
import { type Child, element, type Markup, together } from './markup.ts';
import { copyable } from './section-markup.ts';
import { surveyMarkup } from './survey-markup.ts';
import { linked } from './table.ts';

/** The answer at the top of the page: the sentence, the tree, and beside it what it rests on. */
export function answerMarkup(document: ResultDocument, answer: Answer, hasTrace: boolean): Markup {
  const { survey, question } = answer;
  return element(
    'section',
    { id: 'answer', 'aria-labelledby': 'answer//title' },
    element('h2', { id: 'answer//title' }, answer.title),
    survey === undefined ? questionMarkup(document, answer) : surveyMarkup(document, survey),
    part('The same again', copyable(document.command)),
    hasTrace
      ? element(
          'h2',
          { class: 'lead-head' },
          question === 'uninstall'
            ? 'A run of an order that gets stuck'
            : 'The trace that matters most',
        )
      : null,
  );
}

function questionMarkup(document: ResultDocument, answer: Answer): Markup {
  const { outcomes, sentence, objects } = answer;
  const sections = answerSections(document, answer, { details: true });
  const isMain = ({ kind }: AnswerSection): boolean =>
    MAIN.includes(kind) || (answer.question === 'explain' && CAUSES.includes(kind));
  return together(
    sentence === undefined ? null : element('p', { class: 'sentence' }, capitalized(sentence)),
    ...outcomes.map((outcome) => outcomeMarkup(outcome, answer)),
    element(
      'div',
      { class: 'answer-body' },
      element(
        'div',
        { class: 'answer-main' },
        objects.length === 0
          ? null
          : element('div', { class: 'answer-tree' }, answerTree(answer), legendMarkup(answer)),
        ...sections.filter(isMain).map(sectionMarkup),
      ),
      element(
        'div',
        { class: 'answer-beside' },
        ...sections
          .filter((section) => !isMain(section) && !FOLDED.includes(section.kind))
          .map(sectionMarkup),
        assumptionsMarkup(sections),
      ),
    ),
  );
}

/** What to do, below the tree. The rest is beside it. */
const MAIN: readonly SectionKind[] = ['remedy', 'look', 'step', 'stuck-orders'];
/** The answer to `explain`. */
const CAUSES: readonly SectionKind[] = ['reported', 'why', 'since'];
const FOLDED: readonly SectionKind[] = ['protocol', 'cut'];

function outcomeMarkup(outcome: Outcome, answer: Answer): Markup {
  const counts = fateCounts(outcome);
  const isOne = answer.sentence === undefined;
  return element(
    'div',
    { class: isOne ? null : 'outcome' },
    element('p', { class: isOne ? 'sentence' : null }, sentenceWords(outcome, answer)),
    counts.length === 0
      ? null
      : element(
          'p',
          { class: 'counts' },
          ...counts.map(([fate, count]) =>
            element(
              'span',
              { class: `fate ${fate}` },
              `${LOOKS[fate].sign} ${count} ${LOOKS[fate].word}`,
            ),
          ),
        ),
  );
}

function legendMarkup({ outcomes }: Answer): Markup {
  const found = new Set(outcomes.flatMap(({ fates }) => fates.map(({ fate }) => fate)));
  return element(
    'ul',
    { class: 'fate-legend', 'aria-label': 'What the signs mean' },
    ...FATES_WORST_FIRST.filter((fate) => found.has(fate)).map((fate) =>
      element(
        'li',
        {},
        element('span', { class: `fate ${fate}` }, `${LOOKS[fate].sign} ${LOOKS[fate].word}`),
        ` ${LOOKS[fate].meaning}`,
      ),
    ),
  );
}

function part(head: string, ...content: readonly Child[]): Markup {
  return element('section', { class: 'part' }, element('h3', {}, head), ...content);
}

function sectionMarkup({ kind, head, items, noun = 'item', commands = [] }: AnswerSection): Markup {
  const shown = items.filter(({ folded }) => folded !== true);
  const rest = items.filter(({ folded }) => folded === true);
  return element(
    'section',
    { class: `part of-${kind}` },
    element('h3', {}, head),
    element('ul', {}, ...shown.map(itemMarkup)),
    rest.length === 0
      ? null
      : element(
          'details',
          {},
          element('summary', {}, `${plural(rest.length, noun)} more`),
          element('ul', {}, ...rest.map(itemMarkup)),
        ),
    ...(commands.length === 0 ? [] : [element('p', {}, 'Settle it with:')]),
    ...commands.map(copyable),
  );
}

function itemMarkup({ text, tone, number, option, commands = [] }: AnswerItem): Markup {
  return element(
    'li',
    { class: tone ?? null },
    linked(number === undefined ? text : `${number}. ${text}`),
    option === undefined
      ? null
      : together(element('span', {}, '. To assume the opposite: '), element('code', {}, option)),
    // One block, so that one click copies all.
    commands.length === 0 ? null : copyable(commands.join('\n')),
  );
}

function assumptionsMarkup(sections: readonly AnswerSection[]): Markup {
  const texts = (kind: SectionKind): readonly string[] =>
    sections
      .filter((section) => section.kind === kind)
      .flatMap(({ items }) => items.map(({ text }) => text));
  const all = [...texts('protocol'), ...texts('cut')];
  return element(
    'details',
    { class: 'part' },
    element('summary', {}, 'Assumptions'),
    element('ul', {}, ...all.map((text) => element('li', {}, linked(text)))),
  );
}
