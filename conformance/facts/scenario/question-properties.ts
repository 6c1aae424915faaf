import type { Property } from '../../../checker/index.ts';
import {
  type Cluster,
  type Fact,
  isFact,
  isQuiet,
  type Setup,
  type UserStep,
} from '../../../model/index.ts';
import type { ProgramPoint, Question } from './user-programs.ts';

/** The questions of a scenario as properties, which the explorer decides over all interleavings. */

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
      const { point, facts } = question;
      return {
        kind: 'eventually',
        name,
        trigger: (cluster) => isAt(cluster, point),
        // The user only gets past the wait when the facts are true.
        goal: (cluster) => (cluster.users[point.user] ?? 0) > point.steps || areSo(cluster, facts),
        explain: (cluster) => notSo(cluster, facts),
      };
    }
    case 'hold': {
      const { point, facts } = question;
      return {
        kind: 'invariant',
        name,
        trigger: (cluster) => isAt(cluster, point),
        holds: (cluster) => areSo(cluster, facts),
        explain: (cluster) => notSo(cluster, facts),
      };
    }
    case 'now': {
      const { point, facts } = question;
      return {
        kind: 'step',
        name,
        actions: ['request', 'serve'],
        trigger: (before, _, after) => !isAt(before, point) && isAt(after, point),
        holds: (_before, _, after) => areSo(after, facts),
        explain: (_before, _, after) => notSo(after, facts),
      };
    }
    case 'whenQuiet': {
      const { point, awaited, facts } = question;
      return {
        kind: 'invariant',
        name,
        trigger: (cluster) =>
          isAt(cluster, point) && isQuiet(setup, cluster) && areSo(cluster, awaited),
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

function isAt(cluster: Cluster, { user, steps, after }: ProgramPoint): boolean {
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
