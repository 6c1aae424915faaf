import type { ObjectFate, OutcomeWord } from '../document/answer.ts';

/** How a fate looks: a word, a sign for those who see no colour, a colour, and what it means. */
export interface Look {
  readonly word: string;
  readonly sign: string;
  readonly color: 'magenta' | 'yellow' | 'red' | 'cyan';
  readonly meaning: string;
}

export const LOOKS: Readonly<Record<OutcomeWord, Look>> = {
  goes: { word: 'goes', sign: '-', color: 'magenta', meaning: 'on every run' },
  depends: { word: 'depends', sign: '~', color: 'yellow', meaning: 'on what is said beside it' },
  hangs: { word: 'hangs', sign: '!', color: 'red', meaning: 'its deletion begins and never ends' },
  stays: { word: 'stays', sign: '=', color: 'cyan', meaning: 'nothing deletes it' },
  unknown: {
    word: 'unknown',
    sign: '?',
    color: 'yellow',
    meaning: 'the dump or a limit leaves it open',
  },
};

/** The word of a fate, with what is not obvious from it. */
export function fateWords({ fate, replaced }: ObjectFate): string {
  return replaced ? `${LOOKS[fate].word}, replaced` : LOOKS[fate].word;
}
