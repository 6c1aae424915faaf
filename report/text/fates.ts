import type { PropertyResult } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, wrapped } from '../../text/layout.ts';
import type { Fate, FateWord } from '../document/result-document.ts';

const WORDS: Readonly<Record<FateWord, { word: string; color: 'green' | 'yellow' | 'cyan' }>> = {
  goes: { word: 'always goes', color: 'green' },
  either: { word: 'goes or stays', color: 'yellow' },
  stays: { word: 'always stays', color: 'cyan' },
  open: { word: 'not found out', color: 'yellow' },
};

const WIDTH_OF_WORD = 16;

/** The answer to "what happens if this is deleted?", by outcome. */
export function fateLines(fates: readonly Fate[], colors: Colors): string[] {
  const groups = (Object.keys(WORDS) as FateWord[]).map((fate) => ({
    ...WORDS[fate],
    members: fates.filter((candidate) => candidate.fate === fate),
  }));
  return groups
    .filter(({ members }) => members.length > 0)
    .flatMap(({ word, color, members }) => {
      const names = members.map(({ object }) => object).join(', ');
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

/** It is being deleted and cannot go on: that is worth saying at once. */
function isHeld(goes: PropertyResult): boolean {
  return goes.broken.some((line) => line.includes('blocked by') || line.includes('kubelet'));
}

/** Where the outcome depends on the order of events: a run for each. */
export function fateRuns(fates: readonly Fate[]): readonly PropertyResult[] {
  return fates
    .filter(({ fate }) => fate === 'either')
    .flatMap(({ object, goes, mayGo }) => [
      { ...goes, name: `${object} goes` },
      { ...mayGo, name: `${object} may go` },
    ]);
}
