import type { Audits } from '../checker/index.ts';
import { MESSAGES } from '../text/messages.ts';

/** Partitions of a search, at most. */
const PARTITIONS_HIGHEST = 64;

export const PARTITIONS_DEFAULT = 2;

/**
 * The first layer with so many states is divided. A step of all partitions takes about 10 ms
 * besides its work. In that time, one process expands some thousand states.
 */
export const DIVIDED_FROM = 4_096;
/** By default, layers up to one of so many states are not divided until the owners are chosen. */
export const DIVIDED_LATEST = 1 << 17;

/** What decides whether a fleet can do a search. */
export interface FleetSearched {
  readonly engine: 'tracked' | 'naive';
  /** Null: the option was not given. */
  readonly reductions: readonly string[] | null;
  readonly auditEvery: Audits;
  readonly distinct: number;
  readonly stateGraph: boolean;
  readonly threads: number;
  readonly checkpoint: object | null;
  readonly disk: string | null;
  readonly limits: { readonly depth?: number };
  /** Whether it takes several searches to answer. */
  readonly isQuestion: boolean;
}

/** How a search is divided. */
export interface Division {
  readonly partitions: number;
  /** The first layer with so many states is divided, if the owners of states are chosen by then. */
  readonly dividedFrom: number;
  /** So is the first one with so many states, whenever they are. */
  readonly dividedLatest: number;
}

/**
 * Throws `InputError` for what a fleet does not search.
 *
 * @param partitions null, as the next: the default.
 */
export function divisionOf(
  given: FleetSearched,
  partitions: number | null,
  dividedFrom: number | null,
): Division {
  demandForFleet(given, partitions ?? 1);
  return {
    partitions: partitions ?? PARTITIONS_DEFAULT,
    dividedFrom: dividedFrom ?? DIVIDED_FROM,
    dividedLatest: dividedFrom ?? DIVIDED_LATEST,
  };
}

function demandForFleet(given: FleetSearched, partitions: number): void {
  if (partitions > PARTITIONS_HIGHEST) {
    const expected = `a whole number up to ${PARTITIONS_HIGHEST}`;
    throw MESSAGES.wrongValue('partitions', expected, String(partitions));
  }
  const refuse = (what: string, next = 'drop one of them'): never => {
    throw MESSAGES.usage(`--fleet does not go with ${what}`, next);
  };
  if (given.engine === 'naive') {
    refuse('--engine naive', 'the tracked engine gives the same answers');
  }
  const leaving = given.reductions?.find((name) => name !== 'symmetry');
  if (leaving !== undefined) {
    refuse(
      `--reduction ${leaving}`,
      'whether it leaves out too much shows in the whole graph only',
    );
  }
  if (given.auditEvery !== 0) refuse('--audit');
  if (given.distinct > 1) refuse('--distinct', 'ask for one counterexample per property');
  if (given.stateGraph) refuse('a graph of states');
  if (given.threads > 1) refuse('--threads', 'start workers with more --slots instead');
  if (given.checkpoint !== null) refuse('--checkpoint');
  if (given.disk !== null) refuse('--disk');
  if (given.limits.depth !== undefined) refuse('--max-depth');
  if (given.isQuestion) {
    refuse('--delete alone, which needs several searches', 'add --property for a single one');
  }
}
