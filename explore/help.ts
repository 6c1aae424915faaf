import type { Explorer } from './explorer.ts';
import { textLines } from './lines.ts';
import { goalsOf, VOCABULARY } from './vocabulary.ts';

const COLUMN = 34;

/** The commands, or the goals of `until`. */
export function helpLines(explorer: Explorer, about: 'all' | 'until'): string[] {
  switch (about) {
    case 'all':
      return [
        ...VOCABULARY.flatMap(({ usage, aliases, about: words }) => {
          const short = aliases.length === 0 ? '' : ` (${aliases.join(', ')})`;
          return row(`${usage}${short}`, words);
        }),
        '',
        ...textLines(
          "ACTION is the name of an action, followed by enough of its parameters to select it: why takeForDelete ConfigMap/b. OBJECT is Kind/name or Kind/name.namespace. PROPERTY is a unique part of a property's name.",
          '  ',
        ),
      ];
    case 'until':
      return goalsOf(explorer).flatMap(({ usage, about: words }) => row(`until ${usage}`, words));
    default:
      throw new Error(`unknown help ${String(about satisfies never)}`);
  }
}

function row(usage: string, about: string): string[] {
  return textLines(about, `  ${usage.padEnd(COLUMN)}  `, ' '.repeat(COLUMN + 4));
}
