import type { Besides } from '../../input/cluster/beside/besides.ts';
import { isWaiting, lastWait } from '../../report/answer/reasons.ts';
import type { AnswerObject, Basis, ObjectFate, OutcomeWord } from '../../report/document/answer.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { plural, someNames } from '../../text/layout.ts';

/** An object of the answer with what becomes of it. */
export interface Told {
  readonly object: AnswerObject;
  readonly fate: ObjectFate;
}

/**
 * The answer in one sentence: first what was asked, then what goes along, then what stays.
 *
 * @param besides what others do: to objects that stay, and with what is asked to go.
 */
export function sentenceOf(
  told: readonly Told[],
  basis: Basis,
  gaps: readonly string[],
  besides: readonly Besides[],
): string {
  const asked = told.filter(({ object }) => object.asked);
  const rest = told.filter(({ object }) => !object.asked);
  // Those of finalizers have words of their own.
  const losses = besides.flatMap(({ strands, loses = [] }) => (strands === undefined ? loses : []));
  const parts = [
    ...(asked.length === 0 ? [] : [targetWords(asked, told, gaps.length > 0)]),
    ...remadeWords(asked, besides),
    ...restWords(rest, asked.length > 0),
    ...strandedWords(besides),
    ...(losses.length === 0 ? [] : [lossWords(losses)]),
    ...gaps.slice(0, 1).map((gap) => `what else goes is unknown: ${gap}`),
  ];
  // One part may say it with more words.
  const isSaid = (part: string) => parts.some((other) => other.startsWith(`${part}, and `));
  const sentence = parts.filter((part) => !isSaid(part)).join('; ');
  return `${sentence}${SURENESS[basis.kind]}.`;
}

/** What makes anew what is asked to go: a deletion alone does not get rid of it. */
function remadeWords(asked: readonly Told[], besides: readonly Besides[]): readonly string[] {
  const going = asked.flatMap(({ object, fate }) => (fate.fate === 'goes' ? [object.name] : []));
  // Of several, the first one is the surest.
  const whats = new Map(
    besides
      .flatMap(({ remade, what }) => (remade === undefined ? [] : [[remade, what] as const]))
      .toReversed(),
  );
  const [first, ...others] = going.filter((name) => whats.has(name));
  if (first === undefined) return [];
  const what = whats.get(first) ?? '';
  if (asked.length === 1) {
    const words = what.split(' ').map((word) => (word === first ? 'it' : word));
    return [words.join(' ')];
  }
  return [others.length === 0 ? what : `${what}, and ${others.length} more come back (see below)`];
}

/** What has no owner of its finalizers any more. */
function strandedWords(besides: readonly Besides[]): readonly string[] {
  const stranded = besides.flatMap(({ strands }) => (strands === undefined ? [] : [strands]));
  const forEver = stranded.filter(({ until }) => until === undefined);
  const worst = forEver.length > 0 ? forEver : stranded.slice(0, 1);
  const names = [...new Set(worst.flatMap((one) => one.names))];
  const until = worst[0]?.until;
  const when = until === undefined ? 'afterwards' : `until ${until} is there again`;
  return names.length === 0 ? [] : [`${when}, the deletion of ${someNames(names, 2)} may hang`];
}

/**
 * What else stays without what it needs: the first of each, as the others are below.
 *
 * @param losses at least one.
 */
export function lossWords([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more of that kind`;
  return `${first}${more} (see below)`;
}

/** What the sentence says of how sure it is. */
const SURENESS: Readonly<Record<Basis['kind'], string>> = {
  search: '',
  bounded: ' (bounded: see below)',
  some: '',
  parts: ' (not proved: see below)',
  walks: ' (not proved: see below)',
  none: ' (not proved: see below)',
};

/** In the order in which they matter to someone who deletes. */
const ORDER: readonly OutcomeWord[] = ['hangs', 'unknown', 'depends', 'stays', 'goes'];

/** @param hasGaps whether something that could hold it is not known. */
function targetWords(asked: readonly Told[], all: readonly Told[], hasGaps: boolean): string {
  const word = ORDER.find((candidate) => asked.some(({ fate }) => fate.fate === candidate));
  const worstOnes = asked.filter(({ fate }) => fate.fate === word);
  const [first] = worstOnes;
  if (first === undefined) return '';
  const { fate } = first;
  const name = named(worstOnes);
  const isOne = worstOnes.length === 1;
  const waits = new Map(
    all.flatMap((one) => (isWaiting(one.fate) ? [[one.object.name, one.fate.waits] as const] : [])),
  );
  const last = fate.fate === 'hangs' ? lastWait(first.object.name, waits) : fate.waits[0];
  const why = last?.text ?? fate.on[0]?.text;
  const because = why === undefined ? '' : `: ${why}`;
  switch (fate.fate) {
    case 'goes': {
      const known = hasGaps ? ', as far as is known' : '';
      const again = replacedWords(worstOnes);
      return `${name} ${isOne ? 'goes' : 'go'}${again.startsWith(';') ? known + again : again + known}`;
    }
    case 'depends':
      return fate.on[0]?.kind === 'finalizer' || fate.on[0]?.kind === 'admission'
        ? `${name} ${isOne ? fate.on[0].text : fate.on[0].text.replace(/^goes /, 'go ')}`
        : `${name} ${isOne ? 'goes or stays' : 'go or stay'}: ${fate.on[0]?.text ?? ''}`;
    case 'hangs':
      return `${name} ${isOne ? 'hangs' : 'hang'}${because}`;
    case 'stays':
      return `${name} ${isOne ? 'stays' : 'stay'}${because}`;
    case 'unknown':
      return `what becomes of ${name} is unknown: ${fate.on[0]?.text ?? ''}`;
    default:
      throw new Error(`unknown fate ${fate.fate satisfies never}`);
  }
}

function replacedWords(told: readonly Told[]): string {
  const replaced = told.filter(({ fate }) => fate.replaced).length;
  const unmade = told.filter(({ fate }) => fate.unmade === true).length;
  if (replaced === 0)
    return unmade === 0
      ? ''
      : `; admission may refuse ${told.length === 1 ? 'a new one' : 'new ones'}`;
  if (replaced < told.length) return ` (${replaced} of them replaced)`;
  return ` and ${told.length === 1 ? 'is' : 'are'} replaced`;
}

function named(told: readonly Told[]): string {
  return someNames(told.map(({ object }) => object.name));
}

function restWords(rest: readonly Told[], besides: boolean): readonly string[] {
  const of = (word: OutcomeWord): readonly Told[] => rest.filter(({ fate }) => fate.fate === word);
  const words = (word: OutcomeWord, one: string, many: string): readonly string[] => {
    const found = of(word);
    if (found.length === 0) return [];
    const [first] = found;
    const what =
      found.length === 1
        ? (first?.object.name ?? '')
        : plural(found.length, besides ? 'other object' : 'object');
    const replaced = found.filter(({ fate }) => fate.replaced).length;
    const again = replaced === 0 ? '' : ` (${replaced} of them replaced)`;
    return [`${what} ${found.length === 1 ? one : many}${again}`];
  };
  return [
    ...words('hangs', 'hangs', 'hang'),
    ...words('goes', besides ? 'goes along' : 'goes', besides ? 'go along' : 'go'),
    ...words('depends', 'goes or stays', 'go or stay'),
    ...words('unknown', 'is unknown', 'are unknown'),
    ...words('stays', 'stays', 'stay'),
  ];
}

/**
 * The exit code of an outcome. What is asked to go has to go on every run, and nothing may hang.
 * Whatever the dump or a limit left open is never a success.
 */
export function exitCodeFor(told: readonly Told[], isProved: boolean): ExitCode {
  const codes = told.map(({ object, fate }) => exitCodeOf(fate, !object.asked));
  return worst([...codes, ...(isProved ? [] : [EXIT.inconclusive])]);
}

/** The exit code of one object, alone. */
export function exitCodeOf(fate: ObjectFate, mayStay: boolean): ExitCode {
  switch (fate.fate) {
    case 'goes':
      return EXIT.asExpected;
    case 'hangs':
      return EXIT.violated;
    case 'stays':
      return mayStay ? EXIT.asExpected : EXIT.violated;
    case 'depends':
      return fate.on.some(({ kind }) => kind === 'order') ? EXIT.violated : EXIT.inconclusive;
    case 'unknown':
      return EXIT.inconclusive;
    default:
      throw new Error(`unknown fate ${fate.fate satisfies never}`);
  }
}
