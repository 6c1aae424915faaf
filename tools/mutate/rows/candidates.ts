import { lineOf } from '../known/rows.ts';
import { type Mutant, mutantWords } from '../mutants.ts';
import { quoted, type SourceRow } from './source-rows.ts';

/**
 * The mutants that may disable what a row is about, the closest first: those in the functions and
 * of the rules that the row names, then the others in the files that it links. A row about one line
 * has only the changes of that line.
 *
 * @param reached numbers of the decisions that the row's scenario reaches.
 */
export function candidatesFor(
  row: SourceRow,
  mutants: readonly Mutant[],
  reached: ReadonlySet<number>,
): readonly Mutant[] {
  const line = lineOf(row.where, row.statement);
  if (line !== null) {
    return mutants.filter(
      (mutant) =>
        mutantWords(mutant).startsWith(line) &&
        (mutant.kind === 'rule' || reached.has(mutant.number)),
    );
  }
  const names = new Set(quoted(row.by.replace(/"[^"]+"/, '')));
  const files = new Set(
    [...row.by.matchAll(/\]\(\.\.\/model\/([^)#]+)\.ts/g)].map(([, file = '']) => file),
  );
  const named: Mutant[] = [];
  const beside: Mutant[] = [];
  for (const mutant of mutants) {
    if (mutant.kind === 'rule') {
      const isNamed = names.has(mutant.rule) || row.command.includes(` ${mutant.rule}=`);
      if (isNamed) named.push(mutant);
    } else if (reached.has(mutant.number)) {
      if (names.has(mutant.function)) named.push(mutant);
      else if (files.has(mutant.module)) beside.push(mutant);
    }
  }
  return [...named, ...beside];
}
