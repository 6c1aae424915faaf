import { type Colors, plural, wrapped } from '../../../text/layout.ts';
import { CLOSENESS, type Closeness } from './candidates.ts';
import type { RowProof } from './prove.ts';

const WORDS: Readonly<Record<Closeness, string>> = {
  line: 'turned by their own line',
  named: 'by a function or rule that they name',
  file: 'only by another function of a file that they link',
};

const INDENT = '               ';

/** The rows that nothing turns first, then the others, then how many there are. */
export function rowLines(
  proofs: readonly RowProof[],
  notRun: number,
  why: string,
  colors: Colors,
): readonly string[] {
  const open = proofs.filter(({ turnedBy }) => turnedBy === null);
  const proved = proofs.filter(({ turnedBy }) => turnedBy !== null);
  return [
    ...open.flatMap((proof) => [
      ...entry(colors.red('  NOT TURNED   '), statement(proof)),
      ...detail(`${question(proof)}; ${plural(proof.tried, 'change')} tried`, colors),
    ]),
    ...proved.flatMap((proof) => [
      ...entry(colors.green('  turned       '), statement(proof)),
      ...detail(`${question(proof)}, now ${proof.turnedBy?.after}`, colors),
      ...detail(`without: ${proof.turnedBy?.mutant}`, colors),
    ]),
    '',
    `${plural(proofs.length, 'row')}: ${CLOSENESS.map(
      (closeness) =>
        `${proved.filter(({ turnedBy }) => turnedBy?.closeness === closeness).length} ${WORDS[closeness]}`,
    ).join(', ')}, ${open.length} turned by none`,
    ...(notRun > 0 ? [colors.yellow(`${why}: ${plural(notRun, 'row')} not tried`)] : []),
  ];
}

function statement({ row }: RowProof): string {
  return `${row.where}: ${row.statement}`.replaceAll('`', '');
}

function question({ row, before }: RowProof): string {
  return `${row.command}, "${row.question}": ${before}`;
}

function detail(text: string, colors: Colors): readonly string[] {
  return wrapped(text, INDENT).map(colors.dim);
}

function entry(mark: string, words: string): readonly string[] {
  const [first = '', ...more] = wrapped(words, INDENT);
  return [mark + first.slice(INDENT.length), ...more];
}
