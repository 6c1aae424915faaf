import type { CheckResult, PropertyResult, Verdict } from '../../checker/index.ts';
import { traceLines } from '../../report/text/trace.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, colorsFor, grouped, PLAIN, plural, wrapped } from '../../text/layout.ts';
import { type Exported, replayTokens } from './replay-tokens.ts';

/** How to print a result. */
export interface FormatOptions<State = unknown> {
  /** ANSI colours [what `NO_COLOR` and the terminal say]. */
  readonly color?: boolean;
  /** Where the model is, so that each trace ends with the token that replays it [no tokens]. */
  readonly exported?: Exported<State>;
}

/**
 * The result of `check` of any model as text: one line a property, the worst first, then a trace
 * for each violated one, as the command line prints it.
 */
export function formatResult<State>(
  result: CheckResult,
  { color, exported }: FormatOptions<State> = {},
): string {
  const isTerminal = process.stdout.isTTY === true;
  const colors = color === undefined ? colorsFor(process.env, isTerminal) : colorsWith(color);
  const { model, properties, statistics, defect } = result;
  const tokens = exported === undefined ? null : replayTokens(result, exported);
  const sorted = [...properties].sort(
    (one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict),
  );
  const lines = [
    colors.bold(escaped(model)),
    ...(defect === null
      ? []
      : wrapped(escaped(`defect in ${defect.culprit}: ${defect.message}`), '  ').map(colors.red)),
    ...sorted.flatMap((property) => propertyLines(property, colors)),
    `  ${plural(statistics.states, 'state')}, ${grouped(statistics.transitions)} transitions`,
    ...(result.limit === null
      ? []
      : wrapped(escaped(result.limit.advice), '  ').map(colors.yellow)),
    ...sorted.flatMap((property) => {
      const { verdict, trace } = property;
      if (verdict !== 'violated' || trace === null) return [];
      return ['', ...traceLines(property, { colors, token: tokens?.get(trace) ?? null })];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

const ORDER: readonly Verdict[] = ['violated', 'inconclusive', 'vacuous', 'holds'];
const WIDTH = Math.max(...ORDER.map((verdict) => verdict.length)) + 2;

function propertyLines({ verdict, name, reason }: PropertyResult, colors: Colors): string[] {
  const paint =
    verdict === 'holds' ? colors.green : verdict === 'violated' ? colors.red : colors.yellow;
  const [first = '', ...more] = wrapped(escaped(name), ' '.repeat(WIDTH + 2));
  return [
    `  ${paint(verdict.padEnd(WIDTH))}${first.trimStart()}`,
    ...more,
    ...(reason === null ? [] : wrapped(escaped(reason), ' '.repeat(WIDTH + 2)).map(colors.dim)),
  ];
}

function colorsWith(color: boolean): Colors {
  return color ? colorsFor({ FORCE_COLOR: '1' }, true) : PLAIN;
}
