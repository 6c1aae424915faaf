import { produce } from 'immer';
import { type CheckResult, check, type Model } from '../../../checker/index.ts';
import { describer } from '../../../model/describe/describer.ts';
import type { Rules } from '../../../model/rules/rules.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import type { Setup } from '../../../model/state/setup.ts';
import { deletionModel } from '../../../model/system.ts';
import { deletionProperties } from '../../../properties/index.ts';

/** The result of checking a setup, including the audit. */
export async function explored(
  setup: Setup,
  rules: Partial<Rules> = {},
  engine: 'tracked' | 'naive' = 'tracked',
): Promise<CheckResult> {
  const changed = { ...setup, rules: { ...setup.rules, ...rules } };
  const model: Model<Cluster> = deletionModel(changed);
  const result = await check({
    model,
    properties: deletionProperties(changed),
    describe: describer(changed),
    engine,
    auditEvery: engine === 'naive' ? 0 : 5,
  });
  if (result.outcome !== 'complete') throw new Error(`not explored to the end: ${result.outcome}`);
  return result;
}

export function violatedIn({ properties }: CheckResult): readonly string[] {
  return properties.filter(({ verdict }) => verdict === 'violated').map(({ name }) => name);
}

/** The sentences of the counterexample to a property. */
export function traceOf(result: CheckResult, name: string): readonly string[] {
  const trace = result.properties.find((property) => property.name === name)?.trace;
  return trace?.steps.map(({ sentence }) => sentence) ?? [];
}

/** The cluster after these actions. Each of them must change something. */
export function reached(
  setup: Setup,
  ...steps: readonly (readonly [string, Readonly<Record<string, string>>])[]
): Cluster {
  const model = deletionModel(setup);
  const [initial] = model.initial;
  if (initial === undefined) throw new Error('no initial state');
  return steps.reduce((cluster, [name, parameters]) => {
    const next = produce(cluster, (draft) => model.actions[name]?.reduce(draft, parameters));
    if (next === cluster) throw new Error(`${name} ${JSON.stringify(parameters)} does nothing`);
    return next;
  }, initial);
}

/** Whether the action changes this cluster. */
export function isEnabled(
  setup: Setup,
  cluster: Cluster,
  [name, parameters]: readonly [string, Readonly<Record<string, string>>],
): boolean {
  const action = deletionModel(setup).actions[name];
  return produce(cluster, (draft) => action?.reduce(draft, parameters)) !== cluster;
}
