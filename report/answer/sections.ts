import { EXIT } from '../../text/exit-codes.ts';
import { groupedBy } from '../../text/layout.ts';
import type { Answer, Outcome } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import { reductionsUsed } from '../text/reductions.ts';
import { explainSections } from './explain.ts';
import { aroundOf, meaningFor, settlingCommands } from './parts.ts';
import { reasonsOf, reasonWords } from './reasons.ts';
import { type AnswerItem, type AnswerSection, foldedAfter, type SectionTone } from './section.ts';
import { uninstallSections } from './uninstall.ts';

/**
 * The sections of an answer that have something to say.
 *
 * @param details whether to include what few people ask for, such as all assumptions.
 */
export function answerSections(
  document: ResultDocument,
  answer: Answer,
  { details }: { readonly details: boolean },
): readonly AnswerSection[] {
  return sectionsIn(document, answer)
    .map((section) => ({
      ...section,
      items: section.items.filter(({ isDetail }) => details || isDetail !== true),
    }))
    .filter(({ items, commands = [] }) => items.length + commands.length > 0);
}

function sectionsIn(document: ResultDocument, answer: Answer): readonly AnswerSection[] {
  const foot = footSections(document, answer);
  switch (answer.question) {
    case 'explain':
      return [
        ...explainSections(answer),
        missingSection(answer),
        smallerSection(answer),
        ...riskSections(answer),
        aroundSection(answer),
        // Without objects nothing was searched.
        ...(answer.objects.length === 0 ? [] : basisSections(answer)),
        ...foot,
      ];
    case 'uninstall':
      return [
        ...uninstallSections(answer),
        missingSection(answer),
        ...basisSections(answer).filter(({ kind }) => kind === 'sure'),
        ...foot,
      ];
    case 'delete':
    case 'compare':
    case 'collect':
    case 'survey':
      return [
        ...answer.outcomes.map((outcome) => whySection(outcome, answer)),
        missingSection(answer),
        smallerSection(answer),
        ...riskSections(answer),
        expectedSection(answer),
        aroundSection(answer),
        ...basisSections(answer),
        ...foot,
      ];
    default:
      throw new Error(`unknown question ${answer.question satisfies never}`);
  }
}

const REASONS = 6;
/** The reasons are the answer to `collect`. */
const REASONS_OF_COLLECT = 12;

/** Each reason once, with the objects that it is the reason for. */
function whySection(outcome: Outcome, answer: Answer): AnswerSection {
  const items = reasonsOf(outcome, answer).map((reason) => ({ text: reasonWords(reason) }));
  return {
    kind: 'why',
    head: answer.outcomes.length > 1 ? outcome.name : 'Why',
    items: foldedAfter(items, answer.question === 'collect' ? REASONS_OF_COLLECT : REASONS),
    noun: 'reason',
    commands: settlingCommands(outcome, answer),
  };
}

/** A reader does not settle more of them one by one. */
const GAPS = 50;

function missingSection({ missing }: Answer): AnswerSection {
  const items = missing.map(
    ({ text, settle }): AnswerItem => ({
      text: `${text}. Settle it with:`,
      tone: 'warn',
      commands: [settle],
    }),
  );
  return { kind: 'missing', head: 'Unknown', items: foldedAfter(items, GAPS), noun: 'gap' };
}

/** Policies mostly hit the same limit for the same reason. */
function smallerSection({ outcomes }: Answer): AnswerSection {
  const texts = new Set(outcomes.flatMap(({ smaller = [] }) => smaller));
  return {
    kind: 'smaller',
    head: 'Too large',
    items: [...texts].map((text) => ({ text, tone: 'warn' })),
  };
}

function riskSections({ outcomes }: Answer): readonly AnswerSection[] {
  return outcomes.flatMap(({ risks, name }) =>
    risks.map((risk): AnswerSection => {
      const { text, documented } = risk;
      const tone: SectionTone = documented === null ? 'bad' : 'dim';
      const of = outcomes.length > 1 ? `${name}: ` : '';
      return {
        kind: 'risk',
        head: documented === null ? 'Risk' : 'Documented',
        items: [
          { text: `${of}${text}`, tone, risk },
          ...(documented === null ? [] : [{ text: documented, tone }]),
        ],
      };
    }),
  );
}

/** What was expected. What is violated is among the risks, with its trace. */
function expectedSection({ outcomes }: Answer): AnswerSection {
  return {
    kind: 'expected',
    head: 'Expected',
    items: outcomes.flatMap(({ name, expected = [] }) =>
      expected
        .filter(({ verdict }) => verdict !== 'violated')
        .map(({ verdict, text }): AnswerItem => {
          const of = outcomes.length > 1 ? `${name}: ` : '';
          return { text: `${of}${text}`, tone: verdict === 'holds' ? 'strong' : 'warn' };
        }),
    ),
  };
}

function aroundSection(answer: Answer): AnswerSection {
  return {
    kind: 'around',
    head: 'Around them',
    items: aroundOf(answer).map(({ text, overrule }) => ({ text, tone: 'dim', option: overrule })),
  };
}

/** What several outcomes share is said once. */
function basisSections({ outcomes }: Answer): readonly AnswerSection[] {
  const shared = (
    text: (outcome: Outcome) => string,
    tone: (group: readonly Outcome[]) => SectionTone,
  ): readonly AnswerItem[] => {
    const groups = [...groupedBy(outcomes, text)];
    return groups.map(([words, group]) => {
      const names = group.map(({ name }) => name).join(', ');
      return { text: groups.length > 1 ? `${names}: ${words}` : words, tone: tone(group) };
    });
  };
  const isProved = (group: readonly Outcome[]): boolean =>
    group.every(({ basis }) => basis.kind === 'search');
  return [
    {
      kind: 'sure',
      head: 'How sure',
      items: shared(
        ({ basis }) => basis.text,
        (group) => (isProved(group) ? 'dim' : 'warn'),
      ),
    },
    {
      kind: 'invariants',
      head: 'Invariants',
      items: shared(
        ({ invariants }) => invariants.text,
        () => 'dim',
      ).map((item) => ({ ...item, isDetail: outcomes.every(areInvariantsKept) })),
    },
  ];
}

/** What is violated is among the risks. That all is well with the collector is no news. */
function areInvariantsKept({ invariants }: Outcome): boolean {
  return invariants.violated.length === 0 && invariants.undecided === 0;
}

function footSections(
  { checks, exitCode }: ResultDocument,
  answer: Answer,
): readonly AnswerSection[] {
  const { protocol, question, besides } = answer;
  const [first] = checks;
  const acceptance = exitCode === EXIT.inconclusive && isOnlyBounded(answer) ? ACCEPTANCE : '';
  const dim = (text: string): AnswerItem => ({ text, tone: 'dim' });
  const details = (...texts: readonly (string | undefined)[]): readonly AnswerItem[] =>
    texts.flatMap((text) => (text === undefined ? [] : [{ ...dim(text), isDetail: true }]));
  return [
    {
      ...{ kind: 'besides', head: 'Not judged', noun: 'note' },
      items: foldedAfter(besides.map(dim), NOTES),
    },
    {
      kind: 'warning',
      head: 'Warning',
      items: (first?.warnings ?? []).map((text) => ({ text, tone: 'warn' })),
    },
    { kind: 'reductions', head: 'Reductions', items: details(...reductionsUsed(checks)) },
    {
      kind: 'protocol',
      head: 'Assumed',
      items: [dim(`Kubernetes ${protocol}`), ...details(...(first?.assumptions ?? []))],
    },
    {
      kind: 'cut',
      head: 'Left out',
      items: [...(first?.cut ?? []).map(dim), ...details(first?.unread)],
    },
    {
      kind: 'exit',
      head: 'Exit code',
      items: [dim(`${exitCode}: ${meaningFor(question, exitCode)}${acceptance}`)],
    },
  ];
}

/** A large namespace has one for each volume. */
const NOTES = 20;
const ACCEPTANCE = ' (0 with --accept-bounded)';

/** Whether nothing but the number of alike objects is left open. */
function isOnlyBounded({ outcomes, missing }: Answer): boolean {
  return (
    missing.length === 0 &&
    outcomes.some(({ basis }) => basis.kind === 'bounded') &&
    outcomes.every(
      ({ basis, fates }) =>
        (basis.kind === 'bounded' || basis.kind === 'search') &&
        fates.every(({ fate }) => fate !== 'unknown' && fate !== 'depends'),
    )
  );
}
