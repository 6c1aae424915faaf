import type { Property } from '../../../checker/index.ts';
import {
  type Cluster,
  type Fact,
  isFact,
  isQuiet,
  type Setup,
  type UserStep,
} from '../../../model/index.ts';
import type { Place, Question } from './user-programs.ts';

/** What a scenario asks, as properties that the explorer decides over all interleavings. */

export function propertyFor(setup: Setup, question: Question, name: string): Property<Cluster> {
  switch (question.ask) {
    case 'answers': {
      const { user, userStep } = question;
      return {
        kind: 'invariant',
        name,
        trigger: (cluster) => (cluster.users[user] ?? 0) > userStep,
        holds: (cluster) => cluster.surprises[user]?.step !== userStep,
        explain: (cluster) => {
          const surprise = cluster.surprises[user];
          return [`answered with ${surprise?.code} ${surprise?.reason ?? ''}`];
        },
      };
    }
    case 'await': {
      const { place, facts } = question;
      return {
        kind: 'eventually',
        name,
        trigger: (cluster) => isAt(cluster, place),
        // The wait only ends with the facts.
        goal: (cluster) => (cluster.users[place.user] ?? 0) > place.steps || areSo(cluster, facts),
        explain: (cluster) => notSo(cluster, facts),
      };
    }
    case 'hold': {
      const { place, facts } = question;
      return {
        kind: 'invariant',
        name,
        trigger: (cluster) => isAt(cluster, place),
        holds: (cluster) => areSo(cluster, facts),
        explain: (cluster) => notSo(cluster, facts),
      };
    }
    case 'now': {
      const { place, facts } = question;
      return {
        kind: 'step',
        name,
        actions: ['request', 'serve'],
        trigger: (before, _, after) => !isAt(before, place) && isAt(after, place),
        holds: (_before, _, after) => areSo(after, facts),
        explain: (_before, _, after) => notSo(after, facts),
      };
    }
    case 'whenQuiet': {
      const { place, awaited, facts } = question;
      return {
        kind: 'invariant',
        name,
        trigger: (cluster) =>
          isAt(cluster, place) && isQuiet(setup, cluster) && areSo(cluster, awaited),
        holds: (cluster) => areSo(cluster, facts),
        explain: (cluster) => notSo(cluster, facts),
      };
    }
    case 'never': {
      const { after, fact, without } = question;
      return {
        kind: 'invariant',
        name,
        trigger: (cluster) => after.every((step) => isDone(cluster, step)),
        holds: (cluster) => !isFact(cluster, fact) || isFact(cluster, without),
        explain: (cluster) => notSo(cluster, [without]),
      };
    }
    default:
      throw new Error(`unknown question ${JSON.stringify(question satisfies never)}`);
  }
}

function isDone(cluster: Cluster, { user, steps }: UserStep['after'][number]): boolean {
  const begun = cluster.users[user] ?? 0;
  return begun > steps || (begun === steps && cluster.calls[user] === undefined);
}

function isAt(cluster: Cluster, { user, steps, after }: Place): boolean {
  return (
    (cluster.users[user] ?? 0) === steps &&
    cluster.calls[user] === undefined &&
    after.every((step) => isDone(cluster, step))
  );
}

function areSo(cluster: Cluster, facts: readonly Fact[]): boolean {
  return facts.every((fact) => isFact(cluster, fact));
}

function notSo(cluster: Cluster, facts: readonly Fact[]): readonly string[] {
  return facts
    .filter((fact) => !isFact(cluster, fact))
    .map((fact) => `not so: ${JSON.stringify(fact)}`);
}
