/** The part of a value that a dump keeps. A value of another type becomes null. */
export type Kept =
  /** All of it. */
  | 'whole'
  /** A text, a number or a boolean. */
  | 'scalar'
  /** These fields of a mapping, where they are set. */
  | { readonly fields: Readonly<Record<string, Kept>> }
  /** This part of each item of a list. */
  | { readonly items: Kept }
  /** This part of a mapping whose `name` ends with one of these; of others, the other part. */
  | KeptByEnding
  /** Of a list of texts: these flags with their values, as `FLAG=VALUE` or as two items. */
  | { readonly flags: readonly string[] };

interface KeptPart {
  readonly fields: Readonly<Record<string, Kept>>;
}

interface KeptByEnding {
  readonly endings: readonly string[];
  readonly kept: KeptPart;
  readonly others: KeptPart;
}

export function partByEnding(name: unknown, { endings, kept, others }: KeptByEnding): KeptPart {
  const ends = endings.some((ending) => typeof name === 'string' && name.endsWith(ending));
  return ends ? kept : others;
}

/** The words of a list that are kept of these flags. */
export function flagsIn(words: readonly unknown[], flags: readonly string[]): readonly string[] {
  return words.filter((word, index): word is string => {
    if (typeof word !== 'string') return false;
    const isValue = flags.includes(String(words[index - 1])) && !word.startsWith('-');
    return isValue || flags.includes(word.split('=', 1)[0] ?? '');
  });
}

export type KeptFields = Readonly<Record<string, Kept>>;
