import type { Property } from '../../checker/index.ts';
import {
  type Cluster,
  type Condition,
  factsIn,
  factWords,
  hasSubject,
  isTrue,
  keysIn,
  type OwnProperty,
  type Setup,
  sendingOf,
} from '../../model/index.ts';

/** The properties that the author of a scenario has written, as the checker judges them. */

export function ownProperties(setup: Setup): readonly Property<Cluster>[] {
  return Object.entries(setup.ownProperties ?? {}).map(([name, own]) =>
    propertyOf(setup, name, own),
  );
}

export function ownPropertyNames({
  ownProperties = {},
}: Pick<Setup, 'ownProperties'>): readonly string[] {
  return Object.keys(ownProperties);
}

function propertyOf(
  setup: Setup,
  name: string,
  { form, when, condition }: OwnProperty,
): Property<Cluster> {
  const facts = [...(when === undefined ? [] : factsIn(when)), ...factsIn(condition)];
  const named = {
    id: `own:${name}`,
    name,
    mentions: [...new Set(facts.flatMap((fact) => keysIn(setup, fact)))],
  };
  const explain = (cluster: Cluster): readonly string[] => wordsOf(setup, cluster, condition);
  const trigger = when === undefined ? {} : { trigger: (state: Cluster) => isTrue(state, when) };
  // Where what the condition speaks of is not there, it was not put to the test.
  const judging = (broken: boolean) => (cluster: Cluster) =>
    (when === undefined || isTrue(cluster, when)) &&
    (hasSubject(cluster, condition) || isTrue(cluster, condition) === broken);
  switch (form) {
    case 'never':
      return {
        ...named,
        trigger: judging(true),
        kind: 'invariant',
        holds: (cluster) => !isTrue(cluster, condition),
        explain,
      };
    case 'always':
      return {
        ...named,
        trigger: judging(false),
        kind: 'invariant',
        holds: (cluster) => isTrue(cluster, condition),
        explain,
      };
    case 'eventually': {
      // A user need not send its requests, so only runs are judged in which all are sent.
      const sending = sendingOf(setup);
      return {
        ...named,
        kind: 'eventually',
        trigger: sending.isSent,
        goal: (cluster) => sending.canSendAgain(cluster) || isTrue(cluster, condition),
        explain,
      };
    }
    case 'leadsTo':
      return {
        ...named,
        ...trigger,
        kind: 'eventually',
        goal: (cluster) => isTrue(cluster, condition),
        explain,
      };
    default:
      throw new Error(`unknown form ${form satisfies never}`);
  }
}

/** What is true of each object that the condition speaks of. */
function wordsOf(setup: Setup, cluster: Cluster, condition: Condition): readonly string[] {
  return [...new Set(factsIn(condition).map((fact) => factWords(setup, cluster, fact)))];
}
