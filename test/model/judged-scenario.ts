import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, type Model, type PropertyResult } from '../../checker/index.ts';
import { outcomeProperties } from '../../input/scenarios/outcomes.ts';
import { describer } from '../../model/describe/describer.ts';
import type { Rules } from '../../model/rules/rules.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { folder, scenarioOf } from '../scenarios/read.ts';

export function setupOf(scenario: string): Setup {
  const file = join(folder, `${scenario}.yaml`);
  return scenarioOf(scenario, file, readFileSync(file, 'utf8')).setup;
}

/** The result of a built-in scenario under other rules. */
export async function judged(
  scenario: string,
  rules: Partial<Rules>,
  property: string,
  altered: (setup: Setup) => Setup = (setup) => setup,
): Promise<PropertyResult> {
  const stated = setupOf(scenario);
  const setup = altered({ ...stated, rules: { ...stated.rules, ...rules } });
  const model: Model<Cluster> = deletionModel(setup);
  const asked = [...deletionProperties(setup), ...outcomeProperties(setup)].filter(
    ({ name }) => name === property,
  );
  const { properties } = await check({
    model,
    properties: asked,
    describe: describer(setup),
    auditEvery: 5,
  });
  const [result] = properties;
  if (result === undefined) throw new Error(`no property ${property}`);
  return result;
}

export function sentences({ trace }: PropertyResult): readonly string[] {
  return (trace?.steps ?? []).map(({ sentence }) => sentence);
}
