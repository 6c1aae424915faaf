import type { CellFacts } from '../report/document/gate-document.ts';
import type { Cell } from './cell.ts';

/**
 * Cells that differ in nothing but their reductions must have the same verdicts and fates:
 * reductions search fewer states, and give the same answers. What a limit or an option left open
 * agrees with everything.
 *
 * @param facts of each cell, null where there are none.
 * @returns for each cell, where it contradicts an earlier one, one sentence each.
 */
export function disagreements(
  cells: readonly Cell[],
  facts: readonly (CellFacts | null)[],
): readonly (readonly string[])[] {
  const firsts = new Map<string, Map<string, Answer>>();
  return cells.map((cell, index) => {
    const key = JSON.stringify([
      cell.scenario,
      cell.parameters.filter(({ name }) => !isOfReductions(name)),
    ]);
    const known = firsts.get(key) ?? new Map<string, Answer>();
    firsts.set(key, known);
    const found = facts[index] ?? null;
    return found === null
      ? []
      : answersIn(found).flatMap(([subject, word]) => {
          const first = known.get(subject);
          if (first === undefined) known.set(subject, { word, cell: cell.name });
          if (first === undefined || first.word === word) return [];
          return [
            `"${subject}" is ${word}, and ${first.word} in ${first.cell}, which differs in its reductions only`,
          ];
        });
  });
}

interface Answer {
  readonly word: string;
  readonly cell: string;
}

function isOfReductions(parameter: string): boolean {
  return parameter === 'reduction';
}

/** What is decided. */
function answersIn({ verdicts, fates }: CellFacts): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(verdicts).filter(([, verdict]) => verdict !== 'inconclusive'),
    ...Object.entries(fates).filter(([, fate]) => fate !== 'open'),
  ];
}
