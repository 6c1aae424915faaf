import type { Property } from '../checker/index.ts';
import { isFact } from '../model/facts.ts';
import { isOver } from '../model/settled.ts';
import type { Setup } from '../model/setup.ts';
import type { Cluster } from '../model/state.ts';

/** The named outcomes of a scenario, each as the question whether it is possible. */

export function outcomeProperty(name: string): string {
  return `outcome: ${name} is possible`;
}

export function outcomeProperties(setup: Setup): readonly Property<Cluster>[] {
  return Object.entries(setup.outcomes ?? {}).map(([name, facts]) => ({
    kind: 'witness',
    name: outcomeProperty(name),
    reached: (cluster) => isOver(setup, cluster) && facts.every((fact) => isFact(cluster, fact)),
  }));
}
