import type { PropertyResult } from '../../checker/index.ts';
import { EXIT } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Answer, Outcome, OutcomeWord } from '../document/answer.ts';
import type { ReportDocument } from '../document/documents.ts';
import type { CheckReport, ResultDocument } from '../document/result-document.ts';
import type { TraceChoice } from '../document/traces.ts';
import { LOOKS } from './words.ts';

/** The parts of an answer that every format shows, in words. */

/** The commands that decide the fates, without those that `missing` has. */
export function settlingCommands({ fates }: Outcome, { missing }: Answer): readonly string[] {
  const known = new Set(missing.map(({ settle }) => settle));
  const settles = fates.flatMap(({ on }) =>
    on.flatMap((condition) => ('settle' in condition ? [condition.settle] : [])),
  );
  return [...new Set(settles)].filter((settle) => !known.has(settle));
}

/** An actor or a finalizer around the objects. */
export interface Around {
  /** What it does, with the evidence. */
  readonly text: string;
  /** The option that says the opposite. */
  readonly overrule: string;
}

export function aroundOf({ actors, finalizers }: Answer): readonly Around[] {
  return [
    ...actors.map(({ name, runs, evidence, overrule }) => ({
      text: `${name}${runs ? '' : ' (not running)'}: ${evidence}`,
      overrule,
    })),
    ...finalizers.map(({ finalizer, judgement, owner, evidence, overrule }) => ({
      text: `finalizer ${finalizer} is ${JUDGED[judgement]}${owner === null ? '' : ` by ${owner}`}: ${evidence}`,
      overrule,
    })),
  ];
}

const JUDGED = {
  cooperative: 'removed',
  stuck: 'never removed',
  unknown: 'perhaps removed',
} as const;

/** What an exit code means for a question. */
export function meaningFor(question: Answer['question'], code: number): string {
  return MEANINGS[question]?.[code] ?? MEANING[code] ?? '';
}

const MEANING: Readonly<Record<number, string>> = {
  [EXIT.asExpected]: 'what is asked to go goes, and nothing hangs',
  [EXIT.violated]: 'something stays or hangs that should go, or there is a risk',
  [EXIT.inconclusive]: 'not certain: the dump or the time leaves something open',
  [EXIT.vacuous]: 'what was expected was never put to the test',
  [EXIT.defect]: 'a defect of reapcheck',
  [EXIT.interrupted]: 'interrupted',
};

/** Where a question differs. */
const MEANINGS: Partial<Record<Answer['question'], Readonly<Record<number, string>>>> = {
  collect: {
    [EXIT.asExpected]: 'nothing goes that nobody asked for, and nothing hangs',
    [EXIT.violated]: 'something goes or hangs that nobody asked for',
  },
  explain: {
    [EXIT.asExpected]: 'nothing is being deleted, or all of it goes by itself',
    [EXIT.violated]: 'something hangs',
    [EXIT.inconclusive]: 'not certain: a controller, the dump or the time leaves something open',
  },
  uninstall: {
    [EXIT.asExpected]: 'the order ends clean',
    [EXIT.violated]: 'every order that was tried gets stuck',
    [EXIT.inconclusive]: 'no order is certain to end clean',
  },
  survey: {
    [EXIT.asExpected]: 'every deletion ends, and nothing hangs',
    [EXIT.violated]: 'something hangs, or there is a risk',
    [EXIT.inconclusive]: 'not certain: the dump or the time leaves something open',
    [EXIT.interrupted]: 'interrupted',
  },
};

/** The result of a property or a fate, by its name. */
export function propertyCalled(report: CheckReport, name: string): PropertyResult | undefined {
  const { result, fates } = report;
  const all = [...result.properties, ...fates.flatMap(({ goes, mayGo }) => [goes, mayGo])];
  return all.find((property) => property.name === name);
}

/**
 * The answer that a picture of the document shows; null: it shows a trace. Throws `InputError` for
 * a survey, which has neither.
 */
export function answerShown(document: ReportDocument, choice: TraceChoice): Drawn | null {
  if (document.schema !== 'reapcheck.result/v1') return null;
  if (choice.check !== null || choice.property !== null) return null;
  const { answer } = document;
  if (answer?.survey !== undefined) throw MESSAGES.noTreeOfSurvey();
  return answer === null ? null : { document, answer };
}

/** An answer, and the document that has its evidence. */
export interface Drawn {
  readonly document: ResultDocument;
  readonly answer: Answer;
}

/** All fates, the worst first. */
export const FATES_WORST_FIRST: readonly OutcomeWord[] = [
  'hangs',
  'unknown',
  'depends',
  'goes',
  'stays',
];

/** How many objects have each fate: `1 hangs`, `2 depend`. Fates that nothing has are left out. */
export function fateCounts({ fates }: Outcome): readonly (readonly [OutcomeWord, number])[] {
  return FATES_WORST_FIRST.map(
    (word) => [word, fates.filter(({ fate }) => fate === word).length] as const,
  ).filter(([, count]) => count > 0);
}

/** A sentence with a capital and, for one of several outcomes, its name. */
export function sentenceWords({ name, sentence }: Outcome, { outcomes }: Answer): string {
  return `${outcomes.length > 1 ? `${name}: ` : ''}${capitalized(sentence)}`;
}

export function capitalized(sentence: string): string {
  return `${sentence[0]?.toUpperCase() ?? ''}${sentence.slice(1)}`;
}

/** A sign and a word for each fate, with its meaning. */
export function legendWords(words: readonly OutcomeWord[]): readonly string[] {
  return words.map((word) => `${LOOKS[word].sign} ${LOOKS[word].word}: ${LOOKS[word].meaning}`);
}
