import type { Trace } from '../../checker/index.ts';
import type { CheckReport } from '../result-document.ts';

/** What replays each trace of a check. */
export function tokensByTrace(report: CheckReport): ReadonlyMap<Trace, string> {
  const { tokens, result, fates } = report;
  const byName = new Map(tokens.map(({ property, token }) => [property, token]));
  const all = [...result.properties, ...fates.flatMap(({ goes, mayGo }) => [goes, mayGo])];
  return new Map(
    all.flatMap(({ name, trace }) => {
      const token = byName.get(name);
      return trace === null || token === undefined ? [] : [[trace, token] as const];
    }),
  );
}
