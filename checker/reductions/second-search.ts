import { DefectError } from '../errors.ts';
import type { Check, CheckOptions } from '../options.ts';
import type { CheckResult } from '../result.ts';
import type { ReductionKind, UndecidedProperties } from './reduction.ts';
import { REDUCTIONS } from './table.ts';

/** Names of the properties that a reduced graph does not decide, by the reduction to blame. */
export class Undecided {
  private readonly names = new Map<ReductionKind, Set<string>>();

  add(kind: ReductionKind, property: string): void {
    const known = this.names.get(kind);
    if (known === undefined) this.names.set(kind, new Set([property]));
    else known.add(property);
  }

  get isEmpty(): boolean {
    return this.names.size === 0;
  }

  of(kind: ReductionKind): readonly string[] {
    return [...(this.names.get(kind) ?? [])];
  }
}

export interface SecondAnswers {
  readonly result: CheckResult;
  /** What became of the properties that each reduction left undecided. */
  readonly undecided: (kind: ReductionKind) => UndecidedProperties;
}

/**
 * The options for a search after the first one: what only that one writes is left out, as is its
 * time.
 */
export function optionsAfter<State>(
  first: CheckResult,
  options: CheckOptions<State>,
): CheckOptions<State> {
  const { stateGraph: _, since: _since, checkpoint: _checkpoint, ...rest } = options;
  const { limits = {} } = rest;
  const { seconds } = limits;
  if (seconds === undefined) return rest;
  const left = Math.max(0, seconds - first.statistics.wallSeconds);
  return { ...rest, limits: { ...limits, seconds: left } };
}

type Statistics = CheckResult['statistics'];

/** The statistics of a search, with the time of the search after it. */
export function withTimeOf(
  statistics: Statistics,
  { cpuSeconds, wallSeconds }: Pick<Statistics, 'cpuSeconds' | 'wallSeconds'>,
): Statistics {
  return {
    ...statistics,
    cpuSeconds: statistics.cpuSeconds + cpuSeconds,
    wallSeconds: statistics.wallSeconds + wallSeconds,
  };
}

/**
 * Judges the undecided properties once more, on the graph without one of the reductions to blame.
 * That search may in turn leave some undecided, and make a further one. The answers to all other
 * properties stay.
 */
export async function secondSearch<State>(
  options: CheckOptions<State>,
  first: CheckResult,
  undecided: Undecided,
  check: Check<State>,
): Promise<SecondAnswers> {
  const names = new Set(REDUCTIONS.flatMap((kind) => undecided.of(kind)));
  const dropped = REDUCTIONS.findLast((kind) => undecided.of(kind).length > 0)!;
  const second = await check({
    ...dropped.without(optionsAfter(first, options)),
    properties: options.properties.filter(({ name }) => names.has(name)),
  });
  if (second.defect !== null) throw new DefectError(second.defect);
  const answers = new Map(second.properties.map((property) => [property.name, property]));
  return {
    undecided: (kind) => {
      const { judgedWithout, leftOpen } = kind.undecided(second);
      return {
        judgedWithout: kind === dropped ? [...names, ...judgedWithout] : judgedWithout,
        leftOpen: [...kind.undecided(first).leftOpen, ...leftOpen],
      };
    },
    result: {
      ...first,
      outcome: second.outcome,
      limit: second.limit,
      statistics: withTimeOf(first.statistics, second.statistics),
      properties: first.properties.map((property) => answers.get(property.name) ?? property),
    },
  };
}
