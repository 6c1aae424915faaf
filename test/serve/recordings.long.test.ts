import { describe, expect, it } from 'vitest';
import {
  BUILT_IN_KINDS,
  isFact,
  isQuiet,
  keyOf,
  possibleObjects,
  type Setup,
  type UserRequest,
} from '../../model/index.ts';
import { textIn } from '../../serve/cluster/body.ts';
import { ServedCluster } from '../../serve/cluster/cluster.ts';
import { serverOf } from '../../serve/http/server.ts';
import { readSchedule, scheduleOf } from '../../serve/schedule/choose.ts';
import { namespaceObject } from '../../serve/start.ts';
import { possibleFinals } from '../conformance/outcomes/decide.ts';
import { finalOf, sameFinal } from '../conformance/outcomes/final-states.ts';
import { NAMESPACE, OTHER_NAMESPACE } from '../conformance/outcomes/fixture.ts';
import { NOT_SEARCHED, outcomeSetup } from '../conformance/outcomes/setup.ts';
import { recordings } from '../conformance/recordings.ts';
import { programClient, until } from './programs.ts';

/**
 * What the users of a recording did, over HTTP, on a server with the same actors. Those that are
 * not searched: `raw-recordings.test.ts`.
 */

const SIZE = { deleteWorkers: 3, orphanWorkers: 2, replacements: 1 };

const recorded = recordings()
  .filter(({ name }) => !NOT_SEARCHED.includes(name))
  .map((recording) => ({ recording, ...outcomeSetup(recording, SIZE) }));

/** Each recording has one of them, in turn. */
const SCHEDULES = ['fair', 'seed:1'];

describe.each(SCHEDULES)('with the schedule %s', (schedule) => {
  const own = recorded.filter((_, index) => SCHEDULES[index % SCHEDULES.length] === schedule);
  it.each(own.map((one) => [one.recording.name, one] as const))(
    '%s ends as a real run does',
    async (_name, { recording, setup, generated }) => {
      const final = await driven(setup, schedule);
      // Requests race with the collector here too, so more can happen than was recorded.
      const finals = possibleFinals(recording, { setup, generated });
      const isPossible = finals.some((known) => sameFinal(known, final, generated));
      expect(isPossible, JSON.stringify(final)).toBe(true);
    },
  );
});

/** The final state after all users have sent their requests. */
async function driven(given: Setup, schedule: string) {
  const namespaces = [NAMESPACE, OTHER_NAMESPACE].map((name) => namespaceObject(name));
  const setup: Setup = { ...given, open: true, emptiedNamespaces: [NAMESPACE, OTHER_NAMESPACE] };
  const objects = [
    ...given.objects,
    ...namespaces.filter((one) => given.objects.every((other) => keyOf(other) !== keyOf(one))),
  ];
  const kinds = { ...BUILT_IN_KINDS, ...setup.kinds };
  const cluster = new ServedCluster({ ...setup, kinds }, objects, new Map(), Date.now);
  const name = readSchedule(schedule);
  if (name.is === 'token') throw new Error('a token has a scenario of its own');
  const run = scheduleOf(name, cluster);
  const app = serverOf({
    cluster,
    schedule: run,
    protocol: 'v1.20',
    address: '127.0.0.1',
    // The uids of the recording, so that its final states can be compared.
    naming: {
      newUid: (_kind, { metadata }) => textIn(metadata as Record<string, unknown>, 'uid'),
      newSuffix: () => 'x',
    },
    audit: null,
    onDefect: (error) => {
      throw error;
    },
  });
  const client = programClient(app, cluster);
  const perform = async (user: string, request: UserRequest): Promise<void> => {
    if (await client.perform(user, request)) return;
    if (request.do === 'settle') await until(() => isQuiet(cluster.setup, cluster.state));
    else if (request.do === 'await') {
      await until(() => request.facts.every((fact) => isFact(cluster.state, fact)));
    } else if (request.do === 'stopControllers' || request.do === 'startControllers') {
      const payload = { run: request.do === 'startControllers' };
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/reapcheck/controllers',
        payload,
      });
      expect(statusCode).toBe(200);
    } else throw new Error(`nothing sends ${request.do}`);
  };

  const done = new Map(Object.keys(setup.users).map((user) => [user, 0]));
  try {
    await Promise.all(
      Object.entries(setup.users).map(async ([user, steps]) => {
        for (const [index, { request, after }] of steps.entries()) {
          await until(() => after.every((wait) => (done.get(wait.user) ?? 0) >= wait.steps));
          await perform(user, request);
          done.set(user, index + 1);
        }
      }),
    );
    await until(() => isQuiet(cluster.setup, cluster.state));
    const keys = [...new Set(possibleObjects(given).map(keyOf))];
    return finalOf(given, cluster.state, keys);
  } finally {
    await app.close();
  }
}
