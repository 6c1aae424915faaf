import type { Auditor } from './audit.ts';
import type { Engine } from './engine/engine.ts';
import { limitReportOn } from './limit-report.ts';
import type { CheckOptions, Growth, WorstAction } from './options.ts';
import type { Clock } from './progress.ts';
import type { PreparedQuestion } from './question.ts';
import type { ReductionKind, UndecidedProperties } from './reductions/reduction.ts';
import { reductionAdvice } from './reductions/table.ts';
import type { ActionCount, CheckResult, ModelDefect, PropertyResult } from './result.ts';
import type { SearchEnd } from './search.ts';

/** What a result says of the engine that searched. */
export type Totals<State> = Pick<
  Engine<State>,
  'kind' | 'stateCount' | 'bytes' | 'transitions' | 'reducerRuns' | 'selectors'
>;

/** A search that has ended. */
export interface SearchedRun<State>
  extends Pick<PreparedQuestion<State>, 'question' | 'reductions'> {
  readonly options: CheckOptions<State>;
  readonly engine: Totals<State>;
  readonly auditor: Pick<Auditor<State>, 'audited'>;
  readonly clock: Clock;
  /** What differs most between the states; null: it is not known. */
  readonly growth: () => Growth | null;
}

const NONE_UNDECIDED: UndecidedProperties = { judgedWithout: [], leftOpen: [] };

/** What the reductions say in the result. */
export function reductionFields<State>(
  { engine, reductions }: SearchedRun<State>,
  end: SearchEnd | null,
  undecided: (kind: ReductionKind) => UndecidedProperties,
): Partial<CheckResult> {
  const fields = [...reductions.decisions].map(([kind, { report }]) => {
    const selector = engine.selectors.find(({ reduction }) => reduction.kind === kind);
    const reducedStates = end === null ? 0 : (selector?.reducedStates ?? 0);
    return report({ ...undecided(kind), reducedStates });
  });
  return Object.assign({}, ...fields) as Partial<CheckResult>;
}

export function resultOf<State>(
  run: SearchedRun<State>,
  end: SearchEnd | null,
  defect: ModelDefect | null,
  properties: readonly PropertyResult[],
  undecided: (kind: ReductionKind) => UndecidedProperties = () => NONE_UNDECIDED,
): CheckResult {
  const { options, engine, auditor, clock } = run;
  const limit = end === null ? null : limitReport(run, end);
  return {
    schema: 'reapcheck.check/v1',
    model: options.model.name,
    outcome: defect !== null ? 'defect' : limit !== null ? 'limited' : 'complete',
    limit,
    defect,
    symmetry: null,
    ...reductionFields(run, end, undecided),
    statistics: {
      states: engine.stateCount,
      transitions: sum(engine.transitions),
      layers: end?.layers ?? 0,
      engine: engine.kind,
      reducerRuns: sum(engine.reducerRuns),
      bytesPerState: engine.bytes / engine.stateCount,
      cpuSeconds: clock.cpuSeconds,
      wallSeconds: clock.elapsedSeconds,
      audited: auditor.audited,
    },
    ...(options.within === undefined ? {} : { constraint: { outside: end?.outside ?? 0 } }),
    properties,
    actions: actionCounts(run),
  };
}

export function limitReport<State>(
  run: SearchedRun<State>,
  { limit }: SearchEnd,
): CheckResult['limit'] {
  if (limit === null) return null;
  const { options, clock, growth } = run;
  return limitReportOn(options, clock, limit, worstAction(run), growth, reductionAdvice(options));
}

function actionCounts<State>({
  options,
  question,
  engine,
}: SearchedRun<State>): readonly ActionCount[] {
  return Object.entries(options.model.actions).map(([action, { fairness }], index) => {
    const numbers = question.instances.filter((instance) => instance.action === index);
    return {
      action,
      fairness: fairness ?? 'none',
      instances: numbers.length,
      transitions: numbers.reduce((total, { number }) => total + engine.transitions[number]!, 0),
    };
  });
}

/** The action that makes up more than half of the reducer runs, if there are enough to matter. */
function worstAction<State>({ options, question, engine }: SearchedRun<State>): WorstAction | null {
  if (engine.kind === 'naive') return null;
  const total = sum(engine.reducerRuns);
  const runs = Object.keys(options.model.actions).map((name, index) => ({
    name,
    runs: question.instances.reduce(
      (count, { action, number }) =>
        action === index ? count + engine.reducerRuns[number]! : count,
      0,
    ),
  }));
  const worst = runs.reduce((one, other) => (other.runs > one.runs ? other : one));
  if (total < engine.stateCount / 50 || worst.runs < total / 2) return null;
  return { ...worst, share: worst.runs / total };
}

export function sum(numbers: Float64Array): number {
  return numbers.reduce((total, number) => total + number, 0);
}
