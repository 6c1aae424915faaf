import type { PropertyResult, Verdict } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { EXIT } from '../../text/exit-codes.ts';
import { type Colors, grouped, plural, wrapped } from '../../text/layout.ts';
import type { CheckReport, ResultDocument } from '../document/result-document.ts';

export function verdictCounts(properties: readonly PropertyResult[]): string {
  return countsOf(properties.map(({ verdict }) => verdict));
}

/** The number of each verdict, worst first: `1 violated, 12 hold, 3 vacuous`. */
export function countsOf(verdicts: readonly Verdict[]): string {
  const count = (wanted: Verdict): number =>
    verdicts.filter((verdict) => verdict === wanted).length;
  const words: readonly (readonly [number, string])[] = [
    [count('violated'), 'violated'],
    [count('inconclusive'), 'inconclusive'],
    [count('holds'), count('holds') === 1 ? 'holds' : 'hold'],
    [count('vacuous'), 'vacuous'],
  ];
  return words
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ');
}

/** `2 violated, 11 hold (2 as documented)`. */
export function verdictSummary({ result, expectation }: CheckReport): string {
  const documented = result.properties.filter(
    ({ name, verdict }) => verdict === 'violated' && expectation?.verdicts[name] === verdict,
  ).length;
  const known = documented === 0 ? '' : ` (${documented} as documented)`;
  return `${verdictCounts(result.properties)}${known}`;
}

export function statisticsLine({ result }: CheckReport): string {
  const { states, transitions, layers, wallSeconds } = result.statistics;
  const end = result.outcome === 'complete' ? '' : ' so far';
  return [
    `${plural(states, 'state')}${end}`,
    plural(transitions, 'transition'),
    `depth ${grouped(layers - 1)}`,
    `${wallSeconds.toFixed(1)} s`,
  ].join(', ');
}

type Word = readonly [string, keyof Colors & ('green' | 'red' | 'yellow' | 'magenta')];

/** The status of a check, and its colour. */
export function statusWord(report: CheckReport): Word {
  switch (report.exitCode) {
    case EXIT.asExpected:
      return ['ok', 'green'];
    case EXIT.violated:
      return [report.expectation === null ? 'VIOLATED' : 'UNEXPECTED', 'red'];
    case EXIT.inconclusive:
      return ['inconclusive', 'yellow'];
    case EXIT.vacuous:
      return ['vacuous', 'yellow'];
    case EXIT.interrupted:
      return ['interrupted', 'yellow'];
    default:
      return ['DEFECT', 'magenta'];
  }
}

const STATUS_WIDTH = 13;
const TITLE_WIDTH = 34;

/** One line for a check among many. */
export function checkLine(report: CheckReport, colors: Colors): string {
  const [word, color] = statusWord(report);
  const title = escaped(report.title);
  const { states } = report.result.statistics;
  const size = `${grouped(states)} states`.padStart(16);
  return `${colors[color](word.padEnd(STATUS_WIDTH))}${title.padEnd(TITLE_WIDTH)}${size}  ${verdictSummary(report)}`;
}

/** The last lines of a run over several checks. */
export function totalLines(document: ResultDocument, colors: Colors): string[] {
  const { checks, notRun } = document;
  const met = checks.filter((report) => report.met).length;
  const seconds = checks.reduce((sum, { result }) => sum + result.statistics.wallSeconds, 0);
  const states = checks.reduce((sum, { result }) => sum + result.statistics.states, 0);
  const judged = `${met} of ${plural(checks.length, 'check')} as expected, ${grouped(states)} states in ${seconds.toFixed(1)} s`;
  const line = checks.length === 0 ? 'nothing was judged' : judged;
  const isGreen = met === checks.length && checks.length > 0;
  const colored = isGreen ? colors.green(line) : colors.red(line);
  // A warning about all checks is printed once.
  const warnings = [...new Set(checks.flatMap((report) => report.warnings))];
  return [
    ...warnings.flatMap((warning) => wrapped(escaped(warning))).map(colors.yellow),
    colors.bold(colored),
    ...(notRun.length > 0
      ? wrapped(escaped(`Interrupted before: ${notRun.join(', ')}`)).map(colors.yellow)
      : []),
  ];
}
