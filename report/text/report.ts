import type { ActionCount, PropertyResult, Verdict } from '../../checker/index.ts';
import { askedOfObject, propertyMeant } from '../../properties/index.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, grouped, wrapped } from '../../text/layout.ts';
import { tokensByTrace } from '../document/replay.ts';
import type { CheckReport } from '../document/result-document.ts';
import { expectedOf, wordOn } from '../document/verdict-word.ts';
import { alternativeLines } from './alternatives.ts';
import { fateLines, fateRuns } from './fates.ts';
import { reductionNotes } from './reductions.ts';
import { exercisedWords, stepsKey } from './run-words.ts';
import { isLeftOpen, leftOpenLines, walkedNotes } from './simulation.ts';
import { statisticsLine } from './summary.ts';
import { traceLines } from './trace.ts';

export interface ReportOptions {
  readonly colors: Colors;
  /** Which properties are shown with their traces. */
  wanted(property: PropertyResult): boolean;
  /** Whether traces show whole states. */
  readonly full: boolean;
  /** One of several checks: leaves out what is the same for all. */
  readonly brief: boolean;
}

/** Everything about one check: verdicts, the wanted traces, assumptions and statistics. */
export function reportLines(report: CheckReport, options: ReportOptions): string[] {
  const { colors } = options;
  const { properties } = report.result;
  return [
    colors.bold(escaped(report.title)),
    ...about(report, colors),
    '',
    ...(report.fates.length > 0
      ? [...fateLines(report.fates, colors, report.result.simulation), '']
      : []),
    ...properties.flatMap((property) => verdictLines(property, report, colors)),
    ...untriggered(report, colors),
    ...leftOpenLines(report, colors, VERDICT_WIDTH),
    ...defectLines(report, colors),
    ...traces([...properties.filter(options.wanted), ...fateRuns(report.fates)], report, options),
    '',
    ...footer(report, options),
  ];
}

/** The wanted traces. Several properties often break on the same run, which is printed once. */
function traces(
  properties: readonly PropertyResult[],
  report: CheckReport,
  { colors, full }: ReportOptions,
): string[] {
  const tokens = tokensByTrace(report);
  const shown = new Map<string, string>();
  return properties.flatMap((property) => {
    if (property.trace === null) return [];
    const run = stepsKey(property.trace);
    const earlier = shown.get(run);
    if (earlier === undefined) shown.set(run, property.name);
    const token = tokens.get(property.trace) ?? null;
    const look = { colors, full, token };
    return [
      '',
      ...traceLines(property, { ...look, sameAs: earlier ?? null }),
      ...alternativeLines(property, look, (trace) => tokens.get(trace) ?? null),
    ];
  });
}

function about(report: CheckReport, colors: Colors): string[] {
  const title = report.museum?.title ?? null;
  const paragraphs = [title, report.about, report.source].filter((text) => text !== null);
  return paragraphs.flatMap((text) =>
    wrapped(escaped(text.replaceAll(/\s+/g, ' ')), '  ').map(colors.dim),
  );
}

const VERDICT_WIDTH = 14;

const COLOR = {
  holds: 'green',
  violated: 'red',
  inconclusive: 'yellow',
  vacuous: 'dim',
} as const satisfies Record<Verdict, keyof Colors>;

function verdictLines(property: PropertyResult, report: CheckReport, colors: Colors): string[] {
  const { name, verdict } = property;
  if (isPassedOver(property, report) || isLeftOpen(property, report)) return [];
  const said = wordOn(property, report);
  const word = verdict === 'violated' ? said.toUpperCase() : said;
  const expect = expectedOf(name, report);
  const exercised = expect === null ? exercisedWords(property) : `expected: ${expect}`;
  const first = `  ${word.padEnd(VERDICT_WIDTH)}`;
  const [head = '', ...rest] = wrapped(
    `${escaped(name)}${exercised === null ? '' : ` (${exercised})`}`,
    first,
  );
  return [
    `  ${colors[COLOR[verdict]](word)}${head.slice(2 + word.length)}`,
    ...rest,
    ...verdictNotes(property, report).flatMap((note) =>
      wrapped(escaped(note), ' '.repeat(VERDICT_WIDTH + 2)).map(colors.dim),
    ),
  ];
}

/** A vacuous property that was not asked for by name, but is judged by default. */
function isPassedOver({ name, verdict }: PropertyResult, { asked }: CheckReport): boolean {
  return verdict === 'vacuous' && !asked.includes(name);
}

function untriggered(report: CheckReport, colors: Colors): string[] {
  const names = report.result.properties
    .filter((property) => isPassedOver(property, report))
    .map(({ name }) => name);
  if (names.length === 0) return [];
  const text = `never exercised here: ${names.join('; ')}`;
  return wrapped(escaped(text), `  ${'vacuous'.padEnd(VERDICT_WIDTH)}`).map(colors.dim);
}

/** Notes below a verdict: why it is expected, vacuous or without a trace. */
export function verdictNotes(property: PropertyResult, report: CheckReport): string[] {
  const because = report.expectation?.because[property.name];
  // Kubernetes documents nothing of an outcome, nor of a property that an author has written.
  const isShipped = propertyMeant(askedOfObject(property.name)?.property ?? property.name);
  return [
    ...(because !== undefined && isShipped === undefined ? [`because: ${because}`] : []),
    ...(property.verdict === 'violated' && because !== undefined && isShipped !== undefined
      ? [`${report.museum === null ? 'documented limitation' : 'known'}: ${because}`]
      : []),
    // Only up to a constraint. The footer gives a limit, the reason for all inconclusive verdicts.
    ...(isByConstraint(property, report) ? [property.reason ?? ''] : []),
    ...(property.verdict === 'vacuous' ? [whyVacuous(property, report)] : []),
    ...(property.verdict === 'violated' && property.trace === null ? property.broken : []),
  ];
}

/** Whether the verdict has a reason of its own. */
function isByConstraint(
  { verdict, reason }: PropertyResult,
  { result, setup }: CheckReport,
): boolean {
  if (setup !== null || reason === null || result.simulation !== undefined) return false;
  return verdict === 'holds' || (verdict === 'inconclusive' && result.limit === null);
}

function whyVacuous({ name, reason }: PropertyResult, { setup }: CheckReport): string {
  const entry = setup === null ? undefined : propertyMeant(name);
  return entry === undefined
    ? (reason ?? '')
    : `It is exercised when ${entry.trigger}; nothing here leads to that.`;
}

function defectLines({ result }: CheckReport, colors: Colors): string[] {
  const { defect } = result;
  if (defect === null) return [];
  const where = `${defect.culprit} ${JSON.stringify(defect.parameters)}`;
  return [
    '',
    ...wrapped(escaped(`Defect of the model (${defect.kind}) in ${where}: ${defect.message}`)),
  ].map(colors.magenta);
}

const SHOWN = 5;

/** The first items of a list, and how many more there are. */
function some(items: readonly string[]): readonly string[] {
  if (items.length <= SHOWN + 1) return items;
  return [...items.slice(0, SHOWN), `and ${grouped(items.length - SHOWN)} more like these`];
}

function footer(report: CheckReport, { colors, brief }: ReportOptions): string[] {
  const { result } = report;
  const unlessBrief = (items: readonly string[]): readonly string[] => (brief ? [] : items);
  const section = (head: string, items: readonly string[]): string[] =>
    items.flatMap((item, index) =>
      wrapped(escaped(item), index === 0 ? `  ${head.padEnd(VERDICT_WIDTH)}` : ' '.repeat(16)),
    );
  const rules = Object.entries(report.rules).map(([name, value]) => `${name}=${value}`);
  return [
    ...section('Unexpected', report.unmet).map(colors.red),
    ...section(...limitOf(result)).map(colors.yellow),
    ...section('Warning', some(report.warnings)).map(colors.yellow),
    ...section('Walked', walkedNotes(result)),
    ...section('Searched', result.simulation === undefined ? [statisticsLine(report)] : []),
    ...section('Reductions', reductionNotes(result)).map(colors.dim),
    ...section('Never done', unlessBrief(neverDone(result.actions))).map(colors.dim),
    ...section('Rules', rules),
    ...section('Assumed', unlessBrief(report.assumptions)).map(colors.dim),
    ...section('Left out', partsLeftOut(report)).map(colors.dim),
    // Not wrapped, so that it can be copied.
    ...(report.again === '' ? [] : [`  ${'Again'.padEnd(VERDICT_WIDTH)}${escaped(report.again)}`]),
  ];
}

function limitOf({ limit, properties }: CheckReport['result']): [string, readonly string[]] {
  if (limit === null) return ['', []];
  const hasOpen = properties.some(({ verdict }) => verdict === 'inconclusive');
  if (limit.kind === 'walks') return hasOpen ? ['Next', [limit.advice]] : ['', []];
  return [limit.kind === 'interrupted' ? 'Interrupted' : 'Limit hit', [limit.advice]];
}

/** What of the input was left out, and why that is safe. */
export function partsLeftOut({ cut, unread }: CheckReport): readonly string[] {
  return unread === undefined ? cut : [...cut, unread];
}

export function neverDone(actions: readonly ActionCount[]): string[] {
  const names = actions.filter(({ transitions }) => transitions === 0).map(({ action }) => action);
  return names.length === 0 ? [] : [names.join(', ')];
}
