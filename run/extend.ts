import {
  brokenClauses,
  type CheckOptions,
  type CheckResult,
  check,
  type Describer,
  type JudgedRun,
  type Parameters,
  type Property,
  type PropertyResult,
  statusesOf,
  type Trace,
  traceOf,
  type Verdict,
} from '../checker/index.ts';
import type { SearchOptions } from './assemble.ts';
import type { ExecutedRun } from './replay.ts';

/** What is asked from the end of a run. */
export type AskedOn<State> = Pick<CheckOptions<State>, 'model' | 'properties' | 'within'> & {
  readonly describe: Describer<State>;
};

/** No property name ends like this. */
const OWED = ' (owed since before)';

/**
 * Continues a run with a breadth-first search from its end. Liveness obligations that the run has
 * triggered and not met are judged from there. Traces begin with the run, so they are runs of the
 * model. A property that the run itself breaks is violated, whatever follows.
 */
export async function searchOn<State>(
  { model, properties, describe, within }: AskedOn<State>,
  run: ExecutedRun<State>,
  search: SearchOptions,
): Promise<CheckResult> {
  const owed = properties.flatMap((property) => owedAtEnd(property, run));
  const result = await check({
    ...search,
    // The run distinguishes objects that symmetry would exchange.
    reductions: [],
    model: { ...model, initial: [run.states.at(-1)!] },
    properties: [...properties, ...owed],
    describe,
    ...(within === undefined ? {} : { within }),
  });
  const found = new Map(result.properties.map((property) => [property.name, property]));
  const judged = properties.flatMap((property): PropertyResult[] => {
    const own = found.get(property.name);
    if (own === undefined) return [];
    const since = found.get(`${property.name}${OWED}`);
    const joined = since === undefined ? own : joinedResult(own, since);
    const broken = joined.verdict === 'violated' ? null : brokenOnTheWay(property, run);
    if (broken !== null) {
      const told = { ...broken, shape: 'path' as const, loopStart: null };
      return [{ ...joined, ...violation(broken), trace: traceOf(model, told, describe) }];
    }
    const { trace } = joined;
    if (trace === null) return [joined];
    const parameters = joined.parameters ?? {};
    const told = { property, parameters, ...prefixed(run, trace) };
    const continuedFrom = run.actions.length;
    return [{ ...joined, continuedFrom, trace: traceOf(model, told, describe) }];
  });
  return { ...result, properties: judged };
}

/**
 * The part of the run up to the first break of an invariant or step property; null if there is
 * none.
 */
function brokenOnTheWay<State>(
  property: Property<State>,
  { states, actions }: ExecutedRun<State>,
): JudgedRun<State> | null {
  if (property.kind !== 'invariant' && property.kind !== 'step') return null;
  const choices: readonly Parameters[] = property.parameters ?? [{}];
  const judged = choices.flatMap((parameters): JudgedRun<State>[] => {
    const run = { property, parameters, states, actions };
    const at = statusesOf(run, false).indexOf('broken');
    return at < 0
      ? []
      : [{ ...run, states: states.slice(0, at + 1), actions: actions.slice(0, at) }];
  });
  return judged.sort((one, other) => one.actions.length - other.actions.length)[0] ?? null;
}

function violation<State>(run: JudgedRun<State>) {
  const { property, parameters, actions } = run;
  return {
    verdict: 'violated' as const,
    triggered: statusesOf(run, false).filter((status) => status !== 'idle').length,
    parameters: property.parameters === undefined ? null : parameters,
    broken: brokenClauses(run),
    reason: null,
    continuedFrom: actions.length,
  };
}

/** The leads-to property without its trigger, for the parameters whose obligation is pending. */
function owedAtEnd<State>(property: Property<State>, run: ExecutedRun<State>): Property<State>[] {
  if (property.kind !== 'eventually') return [];
  const choices: readonly Parameters[] = property.parameters ?? [{}];
  const pending = choices.filter(
    (parameters) => statusesOf({ property, parameters, ...run }, false).at(-1) === 'pending',
  );
  if (pending.length === 0) return [];
  const { trigger: _, parameters: __, ...rest } = property;
  const name = `${property.name}${OWED}`;
  return [
    property.parameters === undefined ? { ...rest, name } : { ...rest, name, parameters: pending },
  ];
}

const WORST_FIRST: readonly Verdict[] = ['violated', 'inconclusive', 'holds', 'vacuous'];

function joinedResult(own: PropertyResult, since: PropertyResult): PropertyResult {
  const worse = WORST_FIRST.indexOf(since.verdict) < WORST_FIRST.indexOf(own.verdict) ? since : own;
  return { ...worse, name: own.name, triggered: own.triggered + since.triggered };
}

function prefixed<State>({ states, actions }: ExecutedRun<State>, trace: Trace) {
  const steps = trace.steps.map(({ action, parameters }) => ({ name: action, parameters }));
  return {
    states: [...states, ...trace.steps.map(({ state }) => state as State)],
    actions: [...actions, ...steps],
    shape: trace.shape,
    loopStart: trace.loopStart === null ? null : trace.loopStart + actions.length,
  };
}
