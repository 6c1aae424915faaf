import type {
  CheckOptions,
  Describer,
  Limits,
  Model,
  ProgressEvent,
  Property,
} from '../checker/index.ts';
import { check } from '../checker/index.ts';
import { describer } from '../model/describe.ts';
import type { Setup } from '../model/setup.ts';
import type { Cluster } from '../model/state.ts';
import { symmetryOf } from '../model/symmetry.ts';
import { deletionModel } from '../model/system.ts';
import { deletionProperties } from '../properties/index.ts';
import { assumptionsOf } from './assumptions.ts';
import { fateProperties, splitFates } from './fates.ts';
import { exitCodeOf, unmetExpectations } from './judge.ts';
import { outcomeProperties } from './outcomes.ts';
import { changedRules } from './overrides.ts';
import type { Plan } from './plan.ts';
import type { CheckReport } from './result-document.ts';

/** How to search; what to search is the plan. */
export interface SearchOptions {
  readonly engine: 'tracked' | 'naive';
  readonly limits: Limits;
  readonly auditEvery: number;
  /** Whether to count what differs in names only once, as far as no property distinguishes it. */
  readonly symmetry?: boolean;
  readonly onProgress?: (event: ProgressEvent) => void;
  readonly interrupted?: () => boolean;
}

/** The model in the form of the explorer: neither of the two knows the other. */
export function modelOf(setup: Setup): Model<Cluster> {
  const symmetry = symmetryOf(setup);
  const model: Model<Cluster> = deletionModel(setup);
  return symmetry === null ? model : { ...model, symmetry };
}

export function propertiesOf(setup: Setup, names: readonly string[]): readonly Property<Cluster>[] {
  return [...deletionProperties(setup), ...outcomeProperties(setup)].filter(({ name }) =>
    names.includes(name),
  );
}

/** Checks one plan and reports it, verdict and exit code included. */
export async function runPlan(
  plan: Plan,
  search: SearchOptions,
  again: string,
): Promise<CheckReport> {
  const { setup } = plan;
  const options: CheckOptions<Cluster> = {
    ...search,
    model: modelOf(setup),
    properties: [
      ...propertiesOf(setup, plan.properties),
      ...(plan.fates ? fateProperties(setup) : []),
    ],
    describe: describer(setup) satisfies Describer<Cluster>,
  };
  const { fates, result } = splitFates(setup, await check(options));
  const unmet = unmetExpectations(plan, result);
  const exitCode = exitCodeOf(plan, result, unmet);
  return {
    title: plan.title,
    about: plan.about,
    source: plan.source,
    protocol: plan.protocol,
    rules: changedRules(setup, plan.protocol),
    assumptions: assumptionsOf(setup, plan.protocol),
    cut: plan.cut,
    warnings: plan.warnings,
    setup,
    expectation: plan.expectation,
    asked: plan.asked,
    met: exitCode === 0,
    unmet,
    fates,
    museum: plan.museum,
    place: plan.place,
    exitCode,
    again,
    result,
  };
}
