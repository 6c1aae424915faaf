import { choiceCount } from './instances.ts';
import {
  type CheckOptions,
  type Growth,
  growthText,
  limitAdvice,
  limitValue,
  type WorstAction,
} from './options.ts';
import type { Clock } from './progress.ts';
import { identityOf, type Property } from './property.ts';
import type { CheckResult, LimitKind, PropertyResult } from './result.ts';

type LimitReport = NonNullable<CheckResult['limit']>;

/**
 * What a result says about the limit that was hit, with advice.
 *
 * @param growth asked for only if its answer is needed.
 * @param further other ways to make the search smaller, each as the end of "..., or ...".
 */
export function limitReportOn<State>(
  options: Pick<CheckOptions<State>, 'limits' | 'advice'>,
  clock: Clock,
  kind: LimitKind,
  worst: WorstAction | null,
  growth: () => Growth | null,
  further: readonly string[],
): LimitReport {
  const { limits = {} } = options;
  return {
    kind,
    value: limitValue(kind, limits, clock.elapsedSeconds),
    advice:
      options.advice?.(kind, limits, () => growthSentence(growth())) ??
      limitAdvice(kind, limits, worst, growth(), further),
  };
}

function growthSentence(growth: Growth | null): string {
  return growth === null ? '' : growthText(growth);
}

export function limitReason({ kind, advice }: LimitReport): string {
  return `The search ended at its limit (${kind}). ${advice}`;
}

/** The result of a check that hit a limit before any state was stored. */
export function unsearched<State>(
  options: CheckOptions<State>,
  clock: Clock,
  kind: LimitKind,
  further: readonly string[],
): CheckResult {
  if (kind === 'memory') clock.release();
  const limit = limitReportOn(options, clock, kind, null, () => null, further);
  const reason = limitReason(limit);
  const { cpuSeconds, elapsedSeconds: wallSeconds } = clock;
  return {
    schema: 'reapcheck.check/v1',
    model: options.model.name,
    outcome: 'limited',
    limit,
    defect: null,
    symmetry: null,
    statistics: {
      ...{ states: 0, transitions: 0, layers: 0, engine: options.engine ?? 'tracked' },
      ...{ reducerRuns: 0, bytesPerState: 0, cpuSeconds, wallSeconds, audited: 0 },
    },
    properties: options.properties.map((property) => undecidedResult(property, reason)),
    actions: Object.entries(options.model.actions).map(([action, { fairness, parameters }]) => ({
      ...{ action, fairness: fairness ?? 'none', transitions: 0 },
      instances: choiceCount(parameters),
    })),
  };
}

/** The result of a property that was not judged. */
export function undecidedResult<State>(property: Property<State>, reason: string): PropertyResult {
  return {
    ...identityOf(property),
    verdict: 'inconclusive',
    triggered: 0,
    parameters: null,
    trace: null,
    broken: [],
    reason,
  };
}
