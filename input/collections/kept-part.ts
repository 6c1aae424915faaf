/** The part of a value that a dump keeps. A value of another type becomes null. */
export type Kept =
  /** All of it. */
  | 'whole'
  /** A text, a number or a boolean. */
  | 'scalar'
  /** At any depth, the scalar fields of these names. */
  | keyof typeof ANYWHERE
  /** These fields of a mapping, where they are set. */
  | { readonly fields: Readonly<Record<string, Kept>> }
  /** This part of each item of a list. */
  | { readonly items: Kept }
  /** This part of a mapping whose `name` ends with one of these; of others, the other part. */
  | KeptByEnding
  | KeptFlags;

/**
 * Of a list of texts: these flags with their values, as `FLAG=VALUE` or as two items, and these
 * words without what follows.
 */
export interface KeptFlags {
  readonly flags: readonly string[];
  readonly words: readonly string[];
}

interface KeptPart {
  readonly fields: Readonly<Record<string, Kept>>;
}

interface KeptByEnding {
  readonly endings: readonly string[];
  readonly kept: KeptPart;
  readonly others: KeptPart;
}

export const ANYWHERE = {
  /** By which an object names others. */
  references: ['key', 'kind', 'name', 'namespace', 'type'],
  /** What the provider of something outside heeds when that is to be deleted. */
  protections: [
    ...['deletionProtection', 'deletionProtectionEnabled', 'deletionProtectionState'],
    ...['deletionProtectionMode', 'deleteProtection', 'deleteProtectionState'],
    ...['enableDeletionProtection', 'apiDeletionProtection', 'enableDropProtection'],
    ...['terminationProtection', 'terminationProtectionEnabled', 'enableTerminationProtection'],
    ...['disableApiTermination', 'forceDestroy', 'forceDelete'],
    ...['skipFinalSnapshot', 'finalSnapshotIdentifier'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The part that is kept of a field at any depth; null: nothing. */
export function anywhere(
  kept: keyof typeof ANYWHERE,
  name: string,
  isNested: boolean,
): Kept | null {
  const names: readonly string[] = ANYWHERE[kept];
  return names.includes(name) ? 'scalar' : isNested ? kept : null;
}

export function partByEnding(name: unknown, { endings, kept, others }: KeptByEnding): KeptPart {
  const ends = endings.some((ending) => typeof name === 'string' && name.endsWith(ending));
  return ends ? kept : others;
}

/** What is kept of the words of a list. */
export function flagsIn(list: readonly unknown[], { flags, words }: KeptFlags): readonly string[] {
  return list.filter((word, index): word is string => {
    if (typeof word !== 'string') return false;
    const isValue = flags.includes(String(list[index - 1])) && !word.startsWith('-');
    return isValue || words.includes(word) || flags.includes(word.split('=', 1)[0] ?? '');
  });
}

export type KeptFields = Readonly<Record<string, Kept>>;

export const scalars = (...names: readonly string[]): KeptFields =>
  Object.fromEntries(names.map((name) => [name, 'scalar']));

/** Fields that are lists of values. */
export function lists(...names: readonly string[]): KeptFields {
  return Object.fromEntries(names.map((name) => [name, { items: 'scalar' }] as const));
}
