import { produce } from 'immer';
import {
  type ApiObject,
  beginRequest,
  type Cluster,
  EMPTY_CLUSTER,
  isFact,
  keyOf,
  type Setup,
  serve,
  worldOf,
} from '../../../model/index.ts';
import { type CaseOutcome, failed, Unsupported } from '../outcome.ts';
import type { Fixture } from './fixture.ts';
import type { Step } from './schema.ts';
import { writePrograms } from './user-programs.ts';

/**
 * Runs the steps of a scenario before the collector starts. Only one user and the API server take
 * part, so there is exactly one run.
 *
 * @returns the stored objects after it, or the outcome of the case if a question fails.
 */
export function storeAfter(
  fixture: Fixture,
  steps: readonly Step[],
  setup: Setup,
): readonly ApiObject[] | CaseOutcome {
  const programs = writePrograms(fixture, steps, false);
  const [user = ''] = Object.keys(programs.users);
  if (Object.keys(programs.users).length !== 1) {
    throw new Unsupported('parallel steps before the collector starts');
  }
  const alone: Setup = { ...setup, users: programs.users };
  const world = worldOf(alone);
  let cluster: Cluster = {
    ...EMPTY_CLUSTER,
    store: Object.fromEntries(setup.objects.map((object) => [keyOf(object), object])),
  };
  const ask = (done: number): CaseOutcome | null => {
    for (const question of programs.questions) {
      if (question.ask === 'answers' && question.userStep === done - 1) {
        const surprise = cluster.surprises[user];
        if (surprise === undefined) continue;
        return failed(question.step, question.expected, surprise, 'the answer of the API server');
      }
      if (question.ask !== 'now' || question.point.steps !== done) continue;
      const wrong = question.facts.filter((fact) => !isFact(cluster, fact));
      if (wrong.length > 0) return failed(question.step, wrong, null, 'the API server');
    }
    return null;
  };
  const count = programs.users[user]?.length ?? 0;
  for (let done = 0; done <= count; done++) {
    const wrong = ask(done);
    if (wrong !== null) return wrong;
    const before = cluster;
    cluster = produce(cluster, (draft) => beginRequest(draft, world, alone, user));
    if (cluster === before && done < count) {
      throw new Unsupported('a wait before the collector starts never ends');
    }
    while (cluster.calls[user] !== undefined) {
      cluster = produce(cluster, (draft) => serve(draft, world, user, alone));
    }
  }
  return Object.keys(cluster.store)
    .sort()
    .flatMap((key) => cluster.store[key] ?? []);
}
