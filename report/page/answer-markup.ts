import type { Trace } from '../../checker/index.ts';
import { plural } from '../../text/layout.ts';
import {
  aroundOf,
  FATES_WORST_FIRST,
  fateCounts,
  meaningFor,
  propertyCalled,
  reasonsOf,
  reasonWords,
  sentenceWords,
  settlingCommands,
} from '../answer/parts.ts';
import { LOOKS } from '../answer/words.ts';
import type { Answer, Outcome, Risk } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { answerTree } from './answer-tree.ts';
import { type Child, element, type Markup, together } from './markup.ts';
import { copyable } from './section-markup.ts';
import { linked } from './table.ts';

/** The answer at the top of the page: the sentence, the tree, and beside it what it rests on. */
export function answerMarkup(document: ResultDocument, answer: Answer, hasTrace: boolean): Markup {
  const { outcomes } = answer;
  return element(
    'section',
    { id: 'answer', 'aria-labelledby': 'answer//title' },
    element('h2', { id: 'answer//title' }, answer.title),
    ...outcomes.map((outcome) => outcomeMarkup(outcome, answer)),
    element(
      'div',
      { class: 'answer-body' },
      element('div', { class: 'answer-tree' }, answerTree(answer), legendMarkup(answer)),
      element(
        'div',
        { class: 'answer-beside' },
        ...outcomes.map((outcome) => reasonsMarkup(outcome, answer)),
        missingMarkup(answer),
        ...outcomes.map((outcome) => risksMarkup(outcome)),
        aroundMarkup(answer),
        sureMarkup(document, answer),
      ),
    ),
    part('The same again', copyable(document.command)),
    hasTrace ? element('h2', { class: 'lead-head' }, 'The trace that matters most') : null,
  );
}

function outcomeMarkup(outcome: Outcome, answer: Answer): Markup {
  return together(
    element('p', { class: 'sentence' }, sentenceWords(outcome, answer)),
    element(
      'p',
      { class: 'counts' },
      ...fateCounts(outcome).map(([fate, count]) =>
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

function list(items: readonly Child[]): Markup {
  return element('ul', {}, ...items.map((item) => element('li', {}, item)));
}

/** As many reasons are shown at once. */
const REASONS = 8;

function reasonsMarkup(outcome: Outcome, answer: Answer): Child {
  const reasons = reasonsOf(outcome, answer).map(reasonWords);
  const settles = settlingCommands(outcome, answer);
  if (reasons.length === 0 && settles.length === 0) return null;
  const more = reasons.slice(REASONS);
  return part(
    answer.outcomes.length > 1 ? `Why, with ${outcome.name}` : 'Why',
    list(reasons.slice(0, REASONS)),
    more.length === 0
      ? null
      : element(
          'details',
          {},
          element('summary', {}, `${plural(more.length, 'reason')} more`),
          list(more),
        ),
    ...(settles.length === 0 ? [] : [element('p', {}, 'Settle it with:')]),
    ...settles.map(copyable),
  );
}

function missingMarkup({ missing }: Answer): Child {
  if (missing.length === 0) return null;
  return part(
    'Unknown',
    ...missing.flatMap(({ text, settle }) => [
      element('p', { class: 'warn' }, `${text}. Settle it with:`),
      copyable(settle),
    ]),
  );
}

function risksMarkup({ risks }: Outcome): Child {
  if (risks.length === 0) return null;
  return part('Risks', list(risks.map(riskMarkup)));
}

function riskMarkup({ text, documented }: Risk): Child {
  if (documented === null) return element('span', { class: 'bad' }, text);
  return together(`${text} `, element('span', { class: 'dim' }, linked(`(${documented})`)));
}

function aroundMarkup(answer: Answer): Child {
  const items = aroundOf(answer);
  if (items.length === 0) return null;
  return part(
    'Around them',
    list(
      items.map(({ text, overrule }) =>
        together(
          text,
          element('span', { class: 'dim' }, '. To assume the opposite: '),
          element('code', {}, overrule),
        ),
      ),
    ),
  );
}

function sureMarkup(
  { checks, exitCode }: ResultDocument,
  { question, outcomes, protocol }: Answer,
): Markup {
  const named = (name: string): string => (outcomes.length > 1 ? `${name}: ` : '');
  const [first] = checks;
  return together(
    part(
      'How sure',
      list([
        ...outcomes.map(({ name, basis }) =>
          element(
            'span',
            { class: basis.kind === 'search' ? null : 'warn' },
            named(name) + basis.text,
          ),
        ),
        ...outcomes.map(({ name, invariants }) => `${named(name)}invariants: ${invariants.text}`),
        `exit code ${exitCode}: ${meaningFor(question, exitCode)}`,
      ]),
    ),
    element(
      'details',
      { class: 'part' },
      element('summary', {}, 'Assumptions'),
      list([
        `Kubernetes ${protocol}`,
        ...(first?.warnings ?? []),
        ...(first?.assumptions ?? []),
        ...(first?.cut ?? []),
      ]),
    ),
  );
}

/**
 * The trace that the page opens: of a risk of this cluster, else of what hangs or stays, else of a
 * documented risk, else of what goes. Null without one.
 */
export function leadingTrace({ checks }: ResultDocument, answer: Answer): Trace | null {
  const { objects, outcomes } = answer;
  const risks = outcomes.flatMap((outcome) => outcome.risks);
  const traceOf = ({ check, property }: Risk): Trace | null => {
    const report = checks[check];
    return report === undefined ? null : (propertyCalled(report, property)?.trace ?? null);
  };
  const asked = new Set(objects.flatMap(({ asked, uid }) => (asked ? [uid] : [])));
  const held = new Set(
    outcomes.flatMap(({ fates }) =>
      fates.flatMap(({ fate }, index) => {
        const { uid = '', asked = false } = objects[index] ?? {};
        return fate === 'hangs' || (fate !== 'goes' && asked) ? [uid] : [];
      }),
    ),
  );
  const fates = checks.flatMap((report) => report.fates);
  const candidates = [
    ...risks.filter(({ documented }) => documented === null).map(traceOf),
    ...fates.filter(({ uid }) => held.has(uid)).map(({ goes }) => goes.trace),
    ...risks.map(traceOf),
    ...fates.filter(({ uid }) => asked.has(uid)).map(({ mayGo }) => mayGo.trace),
    ...fates.map(({ goes, mayGo }) => goes.trace ?? mayGo.trace),
  ];
  return candidates.find((trace) => trace !== null) ?? null;
}
