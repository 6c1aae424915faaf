import type { Property, Verdict } from '../../checker/index.ts';
import {
  type Cluster,
  isFact,
  isQuiet,
  keysIn,
  type Outcome,
  type Setup,
  sendingOf,
} from '../../model/index.ts';

/** The named outcomes of a scenario, as properties: that each is reached as often as expected. */

export function outcomeProperty(name: string): string {
  return `outcome: ${name}`;
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
  const outcome = idOrName.match(/^outcome: ?(\S.*)$/)?.[1];
  return outcome === undefined ? null : { id: outcomeId(outcome), name: outcomeProperty(outcome) };
}

/** The name of the outcome in the sentence or the id of its property. */
export function outcomeNamed(property: string): string {
  return property.replace(/^outcome: ?/, '');
}

export function outcomeProperties(setup: Setup): readonly Property<Cluster>[] {
  return Object.entries(setup.outcomes ?? {}).map(([name, outcome]) =>
    propertyOf(setup, name, outcome),
  );
}

/** It holds if the outcome is never, sometimes or always reached, as is expected. */
function propertyOf(setup: Setup, name: string, { facts, expect }: Outcome): Property<Cluster> {
  const sending = sendingOf(setup);
  // A user that waits for ever sends no more requests, and its run ends all the same.
  const isReached = (cluster: Cluster): boolean =>
    sending.isSent(cluster) &&
    isQuiet(setup, cluster) &&
    facts.every((fact) => isFact(cluster, fact));
  const named = {
    id: outcomeId(name),
    name: outcomeProperty(name),
    mentions: facts.flatMap((fact) => keysIn(setup, fact)),
  };
  switch (expect) {
    case 'never':
      return {
        ...named,
        kind: 'invariant',
        holds: (cluster) => !isReached(cluster),
        explain: () => [`it ends so: ${name}`],
      };
    case 'sometimes':
      return { ...named, kind: 'witness', reached: isReached };
    case 'always':
      return {
        ...named,
        kind: 'eventually',
        trigger: sending.isSent,
        goal: (cluster) => sending.canSendAgain(cluster) || isReached(cluster),
        explain: () => [`it need not end so: ${name}`],
      };
    default:
      throw new Error(`unknown expectation ${expect satisfies never}`);
  }
}

/** What a verdict says about an outcome. */
export type OutcomeWord = 'possible' | 'impossible' | 'unavoidable' | 'avoidable';

/** Null: a limit was hit, or no run was over. */
export function outcomeWord(expect: Outcome['expect'], verdict: Verdict): OutcomeWord | null {
  if (verdict === 'inconclusive' || verdict === 'vacuous') return null;
  return WORDS[expect][verdict];
}

const WORDS = {
  never: { holds: 'impossible', violated: 'possible' },
  sometimes: { holds: 'possible', violated: 'impossible' },
  always: { holds: 'unavoidable', violated: 'avoidable' },
} as const;
