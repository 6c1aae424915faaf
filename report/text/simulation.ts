import type { CheckResult, PropertyResult } from '../../checker/index.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, grouped, plural, wrapped } from '../../text/layout.ts';
import type { CheckReport } from '../document/result-document.ts';

/** The size of a simulation; nothing for a search. */
export function walkedNotes({ simulation, statistics }: CheckResult): readonly string[] {
  if (simulation === undefined) return [];
  const { walks, steps, longest, rested, loops, seed } = simulation;
  const parts = [
    plural(walks, 'walk'),
    `${plural(steps, 'step')} (the longest ${grouped(longest)})`,
    plural(statistics.states, 'distinct state'),
    `${grouped(rested)} came to rest`,
    ...(loops === 0 ? [] : [plural(loops, 'fair loop')]),
    `${statistics.wallSeconds.toFixed(1)} s`,
    `seed ${seed}`,
  ];
  return [parts.join(', ')];
}

/** A property that walks left open and that was not asked for by name. There are many such. */
export function isLeftOpen({ name, verdict }: PropertyResult, report: CheckReport): boolean {
  const isWalked = report.result.simulation !== undefined;
  return isWalked && verdict === 'inconclusive' && !report.asked.includes(name);
}

/** The properties that walks left open, in one paragraph. */
export function leftOpenLines(report: CheckReport, colors: Colors, width: number): string[] {
  const open = report.result.properties.filter((property) => isLeftOpen(property, report));
  const list = (word: string, what: string, isOne: (property: PropertyResult) => boolean) => {
    const names = open.filter(isOne).map(({ name }) => name);
    if (names.length === 0) return [];
    return wrapped(escaped(`${what}: ${names.join('; ')}`), `  ${word.padEnd(width)}`);
  };
  return [
    ...list('inconclusive', 'nothing found', ({ triggered }) => triggered > 0).map(colors.yellow),
    ...list('inconclusive', 'never exercised here', ({ triggered }) => triggered === 0).map(
      colors.dim,
    ),
  ];
}
