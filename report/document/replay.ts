import type { Trace } from '../../checker/index.ts';
import type { CheckReport } from './result-document.ts';

/** What executing a recorded run again shows. */
export type Replay =
  | { readonly outcome: 'same'; readonly steps: number }
  /** `step` counts from 1; 0 is the initial state. */
  | { readonly outcome: 'different'; readonly step: number; readonly what: string }
  /** The steps are possible as recorded, but no longer break the property. */
  | { readonly outcome: 'notBroken'; readonly what: string };

/** The outcome of a replay that may stop at a given step. */
export type ReplayOutcome =
  | Replay
  | { readonly outcome: 'stopped'; readonly step: number; readonly of: number };

/** The token that replays each trace of a check. */
export function tokensByTrace({
  tokens,
  result,
  fates,
}: Pick<CheckReport, 'tokens' | 'result' | 'fates'>): ReadonlyMap<Trace, string> {
  const key = (property: string, alternative = -1): string => `${alternative} ${property}`;
  const known = new Map(
    tokens.map(({ property, alternative, token }) => [key(property, alternative), token]),
  );
  const all = [...result.properties, ...fates.flatMap(({ goes, mayGo }) => [goes, mayGo])];
  return new Map(
    all.flatMap(({ name, trace, alternatives }) => {
      const others = alternatives?.counterexamples ?? [];
      return [trace, ...others.map((other) => other.trace)].flatMap((shown, index) => {
        const token = known.get(key(name, index - 1));
        return shown === null || token === undefined ? [] : [[shown, token] as const];
      });
    }),
  );
}
