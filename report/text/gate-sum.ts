import { SUITE_DEFAULT } from '../../input/scenarios/terms.ts';
import { escaped } from '../../text/escape.ts';
import { type Colors, plural, shellQuoted, wrapped } from '../../text/layout.ts';
import { DRIFT_KINDS, DRIFTS } from '../document/drift.ts';
import type { GateCell, GateDocument, ToldDrift } from '../document/gate-document.ts';

/** How many drifts there are of each kind. */
export function kindsText(drifts: readonly ToldDrift[]): string {
  return DRIFT_KINDS.flatMap((kind) => {
    const count = drifts.filter((drift) => drift.kind === kind).length;
    return count === 0 ? [] : [`${DRIFTS[kind].words}: ${count}`];
  }).join('; ');
}

const STATUSES: readonly (readonly [GateCell['status'], string])[] = [
  ['asPinned', 'as pinned'],
  ['drifted', 'changed'],
  ['new', 'new'],
  ['gone', 'gone'],
  ['failed', 'failed'],
  ['notRun', 'not run'],
];

/** The last lines: the summary, and what to do next. */
export function sumLines(document: GateDocument, colors: Colors): string[] {
  const { cells, drifts, lock } = document;
  const counts = STATUSES.flatMap(([status, words]) => {
    const count = cells.filter((cell) => cell.status === status).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const unmet = cells.filter((cell) => cell.unmet.length > 0).length;
  const isGood = document.exitCode === 0;
  return [
    ...wrapped(
      escaped(`${document.suite}: ${plural(cells.length, 'cell')}, ${counts.join(', ')}`),
    ).map(isGood ? colors.green : colors.bold),
    ...(drifts.length === 0 ? [] : wrapped(kindsText(drifts), 'Drift  ')),
    ...(unmet === 0
      ? []
      : wrapped(`Different from what the scenario itself expects: ${plural(unmet, 'cell')}`)),
    ...lockLines(document, colors),
    ...(lock.why === null ? [] : wrapped(escaped(lock.why)).map(colors.red)),
  ];
}

function lockLines({ suite, lock, drifts, cells }: GateDocument, colors: Colors): string[] {
  const file = escaped(lock.file);
  switch (lock.update) {
    case 'written':
      return wrapped(`${file} is written: the next gate compares with these results.`);
    case 'unchanged':
      return wrapped(`${file} is up to date.`);
    case 'refused':
      return wrapped(`${file} is left as it is.`).map(colors.red);
    case 'notAsked': {
      const incomplete = cells.some(({ status }) => status === 'failed' || status === 'notRun');
      if (drifts.length === 0 || incomplete) return [];
      const worse = drifts.some(({ severity }) => severity === 'worse');
      const given = suite === SUITE_DEFAULT ? '' : ` ${shellQuoted(suite)}`;
      const command = `reapcheck gate${given} --update${worse ? ' --accept-worse' : ''}`;
      const missing = lock.found ? '' : `There is no ${file} yet. `;
      return [`${missing}If these results are intended:`, `  ${command}`].map(escaped);
    }
    default:
      throw new Error(`unknown update ${lock.update satisfies never}`);
  }
}
