import { type Colors, plural, wrapped } from '../../../text/layout.ts';
import type { RowProof } from './prove.ts';

const INDENT = '               ';

/** The rows without a proof first, then the others, then how many there are. */
export function rowLines(
  proofs: readonly RowProof[],
  notRun: number,
  colors: Colors,
): readonly string[] {
  const open = proofs.filter(({ turnedBy }) => turnedBy === null);
  const proved = proofs.filter(({ turnedBy }) => turnedBy !== null);
  return [
    ...open.flatMap((proof) => [
      ...entry(colors.red('  NOT PROVED   '), statement(proof)),
      ...detail(`${question(proof)}; ${plural(proof.tried, 'change')} tried`, colors),
    ]),
    ...proved.flatMap((proof) => [
      ...entry(colors.green('  proved       '), statement(proof)),
      ...detail(`${question(proof)}, now ${proof.turnedBy?.after}`, colors),
      ...detail(`without: ${proof.turnedBy?.mutant}`, colors),
    ]),
    '',
    `${plural(proofs.length, 'row')}: ${proved.length} proved, ${open.length} not`,
    ...(notRun > 0 ? [colors.yellow(`Interrupted: ${plural(notRun, 'row')} not tried`)] : []),
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
