import { type CheckResult, check, type LimitKind, type Limits } from '../../checker/index.ts';
import { gatherPlans } from '../../input/gather.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import type { Plan } from '../../input/plan.ts';
import type { RuleName, Setup } from '../../model/index.ts';
import { PROPERTIES } from '../../properties/index.ts';
import { modelOf, propertiesOf } from '../../run/assemble.ts';

/**
 * Mutants are tried on the built-in scenarios and on the repaired variants of the museum. Here
 * every property judges an entry of the museum, not only the property that the entry shows.
 */
export async function suitePlans(): Promise<readonly Plan[]> {
  const nothing = (async function* () {})();
  const scenarios = await gatherPlans(inputOptions({}), nothing);
  const museum = await gatherPlans(inputOptions({ museum: true }), nothing);
  const repaired = museum.filter(({ museum: entry }) => entry?.variant !== 'before');
  const properties = PROPERTIES.map(({ name }) => name);
  return [...scenarios, ...repaired.map((plan) => ({ ...plan, properties }))];
}

/** The results of a scenario: everything that can distinguish a mutant from the model. */
export interface Outcome {
  readonly verdicts: Readonly<Record<string, string>>;
  readonly states: number;
  readonly transitions: number;
  /** Why the mutant is not a model any more, for example because a reducer threw. */
  readonly defect: string | null;
  /** The limit that ended the search. */
  readonly limit: LimitKind | null;
}

export interface Baseline {
  readonly scenario: string;
  readonly outcome: Outcome;
  readonly milliseconds: number;
  /** Numbers of the decisions that the scenario reaches. */
  readonly reached: ReadonlySet<number>;
  /** Those of them that the change would decide differently at least once. */
  readonly decisive: ReadonlySet<number>;
  /** The rules that the scenario reads, with their values. */
  readonly rules: Readonly<Record<string, string>>;
}

/** Above a limit the verdicts are inconclusive. */
export async function outcomeOf(plan: Plan, setup: Setup, limits: Limits): Promise<Outcome> {
  const result = await check({
    model: modelOf(setup),
    properties: propertiesOf(setup, plan.properties),
    limits,
    // Mutants are recognized by exact counts.
    reductions: [],
  });
  return outcomeIn(result);
}

function outcomeIn(result: CheckResult): Outcome {
  const { states, transitions } = result.statistics;
  return {
    verdicts: Object.fromEntries(result.properties.map(({ name, verdict }) => [name, verdict])),
    states,
    transitions,
    defect: result.defect?.message ?? null,
    limit: result.limit?.kind ?? null,
  };
}

/** The setup, with a record of the rules that are read. */
export function watchingRules(setup: Setup, read: Set<RuleName>): Setup {
  const rules = new Proxy(setup.rules, {
    get: (target, name) => {
      if (typeof name === 'string' && Object.hasOwn(target, name)) read.add(name as RuleName);
      return target[name as RuleName];
    },
  });
  return { ...setup, rules };
}
