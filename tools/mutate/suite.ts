import { type CheckResult, check } from '../../checker/index.ts';
import { gatherPlans } from '../../input/gather.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import type { Plan } from '../../input/plan.ts';
import type { RuleName, Setup } from '../../model/index.ts';
import { PROPERTIES } from '../../properties/index.ts';
import { modelOf, propertiesOf } from '../../run/assemble.ts';

/**
 * The built-in scenarios, and the repaired variants of the museum, as what mutants are tried on. An
 * entry of the museum is judged by every property here: what it shows is not all that holds in it.
 */
export async function suitePlans(): Promise<readonly Plan[]> {
  const nothing = (async function* () {})();
  const scenarios = await gatherPlans(inputOptions({}), nothing);
  const museum = await gatherPlans(inputOptions({ museum: true }), nothing);
  const repaired = museum.filter(({ museum: entry }) => entry?.variant !== 'before');
  const properties = PROPERTIES.map(({ name }) => name);
  return [...scenarios, ...repaired.map((plan) => ({ ...plan, properties }))];
}

/** What a scenario comes to: everything by which a mutant can be told from the model. */
export interface Outcome {
  readonly verdicts: Readonly<Record<string, string>>;
  readonly states: number;
  readonly transitions: number;
  /** Why the model is no model any more: a reducer threw, for one. */
  readonly defect: string | null;
}

export interface Baseline {
  readonly scenario: string;
  readonly outcome: Outcome;
  readonly milliseconds: number;
  /** Numbers of the decisions that it comes by. */
  readonly reached: ReadonlySet<number>;
  /** Those of them where a change makes another decision than is made anyway. */
  readonly decisive: ReadonlySet<number>;
  /** Rules that it reads, with their values. */
  readonly rules: Readonly<Record<string, string>>;
}

/** @param states above which the search is given up; the verdicts are then inconclusive. */
export async function outcomeOf(plan: Plan, setup: Setup, states: number | null): Promise<Outcome> {
  const result = await check({
    model: modelOf(setup),
    properties: propertiesOf(setup, plan.properties),
    limits: states === null ? {} : { states },
    // A mutant is told by its exact counts.
    symmetry: false,
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
  };
}

/** The setup with the rules that it reads noted. */
export function watchingRules(setup: Setup, read: Set<RuleName>): Setup {
  const rules = new Proxy(setup.rules, {
    get: (target, name) => {
      if (typeof name === 'string' && Object.hasOwn(target, name)) read.add(name as RuleName);
      return target[name as RuleName];
    },
  });
  return { ...setup, rules };
}
