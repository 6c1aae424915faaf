import type { Risk } from '../document/answer.ts';

/**
 * What an answer says after its tree, in the order in which people need it. Each format shows these
 * sections in its own way, so none of them lacks what another one says.
 */
export interface AnswerSection {
  readonly kind: SectionKind;
  readonly head: string;
  readonly items: readonly AnswerItem[];
  /** What the items are, for "and 3 reasons more". */
  readonly noun?: string;
  /** Commands that belong to all of the items. */
  readonly commands?: readonly string[];
}

export type SectionKind =
  | 'reported'
  | 'why'
  | 'since'
  | 'remedy'
  | 'look'
  | 'step'
  | 'stuck-orders'
  | 'missing'
  | 'smaller'
  | 'risk'
  | 'expected'
  | 'around'
  | 'sure'
  | 'invariants'
  | 'besides'
  | 'warning'
  | 'premise'
  | 'reductions'
  | 'protocol'
  | 'cut'
  | 'exit';

/** How loud an item is; none: as all text. */
export type SectionTone = 'strong' | 'bad' | 'warn' | 'dim';

export interface AnswerItem {
  readonly text: string;
  readonly tone?: SectionTone;
  /** Its number among the steps of a remedy. */
  readonly number?: number;
  /** Not wrapped, so that they can be copied. */
  readonly commands?: readonly string[];
  /** The option that says the opposite. */
  readonly option?: string;
  /** The risk whose trace shows it. */
  readonly risk?: Risk;
  /** Where there is little room, such items are only counted. */
  readonly folded?: true;
  /** Whether few people ask for it: pages and JSON have it, and a text has it with `--full`. */
  readonly isDetail?: boolean;
}

/** Items from this many on are counted where there is little room. */
export function foldedAfter(items: readonly AnswerItem[], most: number): readonly AnswerItem[] {
  return items.map((item, index) => (index < most ? item : { ...item, folded: true }));
}

/** Whether a section says what an answer rests on, and not the answer itself. */
export function isEvidence({ kind }: AnswerSection): boolean {
  return EVIDENCE.includes(kind);
}

const EVIDENCE: readonly SectionKind[] = [
  'around',
  'sure',
  'invariants',
  'premise',
  'protocol',
  'cut',
  'exit',
];

/** The text of an item, with the option that says the opposite. */
export function itemWords({ text, option, number }: AnswerItem): string {
  const numbered = number === undefined ? text : `${number}. ${text}`;
  return option === undefined ? numbered : `${numbered} (${option})`;
}

/** The text of an item behind the head of its section; a step has its number instead. */
export function headedWords(head: string, item: AnswerItem): string {
  return item.number === undefined ? `${head}: ${itemWords(item)}` : itemWords(item);
}

/** A section in lines, for formats that show plain text. */
export function sectionWords({ head, items, commands = [] }: AnswerSection): readonly string[] {
  return [
    ...items.flatMap((item) => [headedWords(head, item), ...(item.commands ?? [])]),
    ...commands,
  ];
}
