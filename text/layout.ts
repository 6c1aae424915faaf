import pc from 'picocolors';

export const WIDTH = 100;

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours according to `NO_COLOR`, `FORCE_COLOR` and whether the stream is a terminal. */
export function colorsFor(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): Colors {
  if (env.NO_COLOR) return pc.createColors(false);
  if (env.FORCE_COLOR !== undefined) return pc.createColors(env.FORCE_COLOR !== '0');
  return pc.createColors(isTerminal && env.TERM !== 'dumb');
}

export const PLAIN: Colors = pc.createColors(false);

/**
 * Wraps text to lines of at most 100 columns, but for links. The first line begins with `first`, the
 * others with `indent`. A word that is longer than a line is split. Apply colours afterwards, line by
 * line.
 */
export function wrapped(text: string, first = '', indent = ' '.repeat(first.length)): string[] {
  const room = WIDTH - Math.max(first.length, indent.length);
  return filled(text, room).map((content, index) =>
    `${index === 0 ? first : indent}${content}`.trimEnd(),
  );
}

/**
 * The words of a text in lines of so many characters. A word that is longer is split, but no link:
 * nobody could follow its parts.
 */
export function filled(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => pieces(long, room))) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const LINK = /^https?:\/\/[^/]+\//;
const LONGEST_LINK = 150;

function pieces(word: string, room: number): string[] {
  if (word.length <= room || (word.length < LONGEST_LINK && LINK.test(word))) return [word];
  const characters = [...word];
  return Array.from({ length: Math.ceil(characters.length / room) }, (_, index) =>
    characters.slice(index * room, (index + 1) * room).join(''),
  );
}

/** `1,234,567` */
export function grouped(count: number): string {
  // Larger numbers are counted no further.
  if (count >= Number.MAX_SAFE_INTEGER) return 'more than 10^15';
  // `toLocaleString` loads tables for all languages, which takes longer than many a check.
  return String(count).replaceAll(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');
}

export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1 second`, `1.1 seconds`: of what is left of a limit, nobody reads more than a tenth. */
export function secondsWords(seconds: number): string {
  const tenths = Math.round(10 * seconds) / 10;
  return tenths === 0 ? 'a tenth of a second' : plural(tenths, 'second');
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** Groups in the order of their first members. */
export function groupedBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  return groupedByEach(items, (item) => [keyOf(item)]);
}

/** The same where an item is in several groups. */
export function groupedByEach<Item, Key>(
  items: readonly Item[],
  keysOf: (item: Item) => Iterable<Key>,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}

/** Quotes a word for a shell, if needed. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The first names, and how many more there are. */
export function someNames(names: readonly string[], most = 3): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The least of numbers, which may be more than a function takes; `bound` if none is less. */
export function leastOf(numbers: readonly number[], bound = Number.POSITIVE_INFINITY): number {
  return numbers.reduce((least, number) => Math.min(least, number), bound);
}

/** The greatest of numbers, which may be more than a function takes; `bound` if none is more. */
export function greatestOf(numbers: readonly number[], bound = 0): number {
  return numbers.reduce((greatest, number) => Math.max(greatest, number), bound);
}
