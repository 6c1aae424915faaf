import type { CheckResult, PropertyResult } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, someNames, wrapped } from '../../text/layout.ts';
import type { Fate, FateWord } from '../document/result-document.ts';

/** In the order in which they are shown. */
export const FATE_WORDS: Readonly<Record<FateWord, string>> = {
  goes: 'always goes',
  either: 'goes or stays',
  stays: 'always stays',
  open: 'not found out',
};

const COLORS = {
  goes: 'green',
  either: 'yellow',
  stays: 'cyan',
  open: 'yellow',
} as const satisfies Record<FateWord, keyof Colors>;

const WIDTH_OF_WORD = 16;
/** A dump can have thousands; other formats have them all. */
const NAMED = 100;

/** The answer to "what happens if this is deleted?", by outcome. */
export function fateLines(
  fates: readonly Fate[],
  colors: Colors,
  simulation: CheckResult['simulation'],
): string[] {
  const groups = (Object.keys(FATE_WORDS) as FateWord[]).map((fate) => ({
    word: FATE_WORDS[fate],
    color: COLORS[fate],
    members: fates.filter((candidate) => candidate.fate === fate),
  }));
  if (simulation !== undefined) return walkedLines(fates, simulation.walks, colors);
  return groups
    .filter(({ members }) => members.length > 0)
    .flatMap(({ word, color, members }) => {
      const names = namesIn(members);
      const [head = '', ...rest] = wrapped(escaped(names), `  ${word.padEnd(WIDTH_OF_WORD)}`);
      const held = members.filter(({ goes }) => isHeld(goes)).flatMap(({ goes }) => goes.broken);
      return [
        `  ${colors[color](word)}${head.slice(2 + word.length)}`,
        ...rest,
        ...held
          .flatMap((line) => wrapped(escaped(line), ' '.repeat(2 + WIDTH_OF_WORD)))
          .map(colors.dim),
      ];
    });
}

function namesIn(fates: readonly Fate[]): string {
  const names = fates.flatMap((found) => (found.members ?? [found]).map(({ object }) => object));
  return someNames(names, NAMED);
}

/** Walks prove nothing, so the words say only what was seen. */
function walkedLines(fates: readonly Fate[], walks: number, colors: Colors): string[] {
  const seen = ({ goes, mayGo }: Fate): string => {
    const went = mayGo.verdict === 'holds';
    const stayed = goes.verdict === 'violated';
    if (went) return stayed ? `went in some of ${walks} walks` : `stayed in none of ${walks} walks`;
    return stayed ? `went in none of ${walks} walks` : 'not seen: no walk ended';
  };
  const words = [...new Set(fates.map(seen))];
  return words.flatMap((word) => {
    const names = namesIn(fates.filter((fate) => seen(fate) === word));
    return wrapped(escaped(`${word}: ${names}`), '  ', '    ').map(colors.yellow);
  });
}

/** Whether something blocks the deletion of an object, which is worth showing at once. */
function isHeld(goes: PropertyResult): boolean {
  return goes.broken.some((line) => line.includes('blocked by') || line.includes('kubelet'));
}

/** For each object whose fate depends on the order of events, a run for both outcomes. */
export function fateRuns(fates: readonly Fate[]): readonly PropertyResult[] {
  return fates
    .filter(({ fate }) => fate === 'either')
    .flatMap(({ object, goes, mayGo }) => [
      { ...goes, name: `${object} goes` },
      { ...mayGo, name: `${object} may go` },
    ]);
}
