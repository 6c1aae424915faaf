import { lineOf } from '../known/rows.ts';
import { type Mutant, mutantWords } from '../mutants.ts';
import { quoted, type SourceRow } from './source-rows.ts';

/**
 * How close a change is to what a row is about: a change of the very line, of a function or rule
 * that the row names, or only of a file that it links.
 */
export const CLOSENESS = ['line', 'named', 'file'] as const;
export type Closeness = (typeof CLOSENESS)[number];

export interface Candidate {
  readonly mutant: Mutant;
  readonly closeness: Closeness;
}

/**
 * The mutants that may disable what a row is about, the closest first. A row about one line has
 * only the changes of that line.
 *
 * @param reached numbers of the decisions that the row's scenario reaches.
 */
export function candidatesFor(
  row: SourceRow,
  mutants: readonly Mutant[],
  reached: ReadonlySet<number>,
): readonly Candidate[] {
  const line = lineOf(row);
  if (line !== null) {
    return mutants
      .filter(
        (mutant) =>
          mutantWords(mutant).startsWith(line) &&
          (mutant.kind === 'rule' || reached.has(mutant.number)),
      )
      .map((mutant) => ({ mutant, closeness: 'line' }));
  }
  const names = new Set(quoted(row.by.replace(/"[^"]+"/, '')));
  const files = new Set(
    [...row.by.matchAll(/\]\(\.\.\/model\/([^)#]+)\.ts/g)].map(([, file = '']) => file),
  );
  const named: Candidate[] = [];
  const beside: Candidate[] = [];
  for (const mutant of mutants) {
    if (mutant.kind === 'rule') {
      const isNamed = names.has(mutant.rule) || row.command.includes(` ${mutant.rule}=`);
      if (isNamed) named.push({ mutant, closeness: 'named' });
    } else if (reached.has(mutant.number)) {
      if (names.has(mutant.function)) named.push({ mutant, closeness: 'named' });
      else if (files.has(mutant.module)) beside.push({ mutant, closeness: 'file' });
    }
  }
  return [...named, ...beside];
}
