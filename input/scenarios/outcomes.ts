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

export function outcomeId(name: string): string {
  return `outcome:${name}`;
}

/** Whether this is the sentence or the id of an outcome. */
export function isOutcome(property: string): boolean {
  return property.startsWith('outcome:');
}

/** The id and the sentence of the outcome that one of the two names; null for other properties. */
export function outcomeMeant(
  idOrName: string,
): { readonly id: string; readonly name: string } | null {
  const outcome =
    idOrName.match(/^outcome: (.+) is possible$/)?.[1] ?? idOrName.match(/^outcome:(\S.*)$/)?.[1];
  return outcome === undefined ? null : { id: outcomeId(outcome), name: outcomeProperty(outcome) };
}

export function outcomeProperties(setup: Setup): readonly Property<Cluster>[] {
  return Object.entries(setup.outcomes ?? {}).map(([name, facts]) => ({
    id: outcomeId(name),
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
