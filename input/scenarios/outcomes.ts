import type { Property } from '../../checker/index.ts';
import {
  type Cluster,
  type Fact,
  isFact,
  isOver,
  keyOf,
  type ObjectKey,
  possibleObjects,
  type Setup,
} from '../../model/index.ts';

/** The named outcomes of a scenario, as properties that ask whether each is possible. */

export function outcomeProperty(name: string): string {
  return `outcome: ${name} is possible`;
}

export function isOutcome(property: string): boolean {
  return property.startsWith('outcome: ');
}

export function outcomeProperties(setup: Setup): readonly Property<Cluster>[] {
  return Object.entries(setup.outcomes ?? {}).map(([name, facts]) => ({
    kind: 'witness',
    name: outcomeProperty(name),
    mentions: facts.flatMap((fact) => keysIn(setup, fact)),
    reached: (cluster) => isOver(setup, cluster) && facts.every((fact) => isFact(cluster, fact)),
  }));
}

function keysIn(setup: Setup, fact: Fact): readonly ObjectKey[] {
  if (fact.fact === 'delivered') return [];
  if (fact.fact === 'count') return fact.keys;
  if (fact.fact !== 'collectorKnows') return [fact.key];
  return possibleObjects(setup)
    .filter(({ uid }) => uid === fact.uid)
    .map(keyOf);
}
