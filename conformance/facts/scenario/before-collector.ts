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
import { type CaseOutcome, failed } from '../outcome.ts';
import { type Cast, NotUnderstood } from './fixture.ts';
import type { Step } from './schema.ts';
import { writeScript } from './user-programs.ts';

/**
 * The steps of a scenario before the collector starts. One user and the API server are alone then,
 * so there is one run only; it is made here, and the model begins with what it leaves in the store.
 */
export function storeAfter(
  cast: Cast,
  steps: readonly Step[],
  setup: Setup,
): readonly ApiObject[] | CaseOutcome {
  const script = writeScript(cast, steps, false);
  const [user = ''] = Object.keys(script.users);
  if (Object.keys(script.users).length !== 1) {
    throw new NotUnderstood('parallel steps before the collector starts');
  }
  const alone: Setup = { ...setup, users: script.users };
  const world = worldOf(alone);
  let cluster: Cluster = {
    ...EMPTY_CLUSTER,
    store: Object.fromEntries(setup.objects.map((object) => [keyOf(object), object])),
  };
  const ask = (done: number): CaseOutcome | null => {
    for (const question of script.questions) {
      if (question.ask === 'answers' && question.userStep === done - 1) {
        const surprise = cluster.surprises[user];
        if (surprise === undefined) continue;
        return failed(question.step, question.expected, surprise, 'the answer of the API server');
      }
      if (question.ask !== 'now' || question.place.steps !== done) continue;
      const wrong = question.facts.filter((fact) => !isFact(cluster, fact));
      if (wrong.length > 0) return failed(question.step, wrong, null, 'the API server');
    }
    return null;
  };
  const count = script.users[user]?.length ?? 0;
  for (let done = 0; done <= count; done++) {
    const wrong = ask(done);
    if (wrong !== null) return wrong;
    const before = cluster;
    cluster = produce(cluster, (draft) => beginRequest(draft, world, alone, user));
    if (cluster === before && done < count) {
      throw new NotUnderstood('a wait before the collector starts that nothing ends');
    }
    while (cluster.calls[user] !== undefined) {
      cluster = produce(cluster, (draft) => serve(draft, world, user, alone));
    }
  }
  return Object.keys(cluster.store)
    .sort()
    .flatMap((key) => cluster.store[key] ?? []);
}
