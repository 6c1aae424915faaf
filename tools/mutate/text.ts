import { escaped } from '../../text/escape.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { type Colors, plural, wrapped } from '../../text/layout.ts';
import { BAR, type MutationReport } from './report.ts';

const INDENT = '                ';
const SHOWN_SCENARIOS = 3;

/** The report as text: the fate of each mutant, then the score. */
export function mutantLines(report: MutationReport, colors: Colors): readonly string[] {
  const { trials, counts, equivalent, score, sample, notRun } = report;
  const lines: string[] = [];
  for (const { words, fate, known } of trials) {
    if (fate.fate === 'killed') {
      lines.push(...entry(colors.green('  killed        '), words));
      const change = `"${fate.property}": ${fate.expected}, now ${fate.found}`;
      lines.push(...wrapped(escaped(`${fate.scenario}, ${change}`), INDENT).map(colors.dim));
    } else if (fate.fate === 'survived' && known?.kind !== 'equivalent') {
      lines.push(...entry(colors.red('  SURVIVED      '), words));
      const more = fate.scenarios.length - SHOWN_SCENARIOS;
      const shown = fate.scenarios.slice(0, SHOWN_SCENARIOS).join(', ');
      const seen = `other states in ${shown}${more > 0 ? ` and ${more} more` : ''}`;
      lines.push(...wrapped(escaped(known?.why ?? seen), INDENT).map(colors.dim));
    }
  }
  const why = whyUnfinished(report.exitCode);
  const percent = score === null ? 'nothing to kill' : `${(score * 100).toFixed(1)} %`;
  return [
    ...lines,
    '',
    ...(sample === null
      ? []
      : [`Sample of ${plural(sample.count, 'mutant')}, seed ${sample.seed}`]),
    `${plural(trials.length, 'mutant')}: ${counts.killed} killed, ${counts.survived} survived, ${equivalent} of them equivalent`,
    `Left out of the score: ${counts.unchanged} change no state space, ${counts.unseen} nothing that users see, ${counts.notReached} are never reached, ${counts.broken} are not models`,
    ...(notRun > 0 ? [colors.yellow(`${why}: ${plural(notRun, 'mutant')} not run`)] : []),
    `Score: ${percent} (bar: ${BAR * 100} %)`,
  ];
}

/** Why not all was tried. */
export function whyUnfinished(code: ExitCode): string {
  return code === EXIT.interrupted ? 'Interrupted' : 'A limit was hit';
}

function entry(mark: string, words: string): readonly string[] {
  const [first = '', ...more] = wrapped(escaped(words), INDENT);
  return [mark + first.slice(INDENT.length), ...more];
}
