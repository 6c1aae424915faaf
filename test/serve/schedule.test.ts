import { expect, it, onTestFinished, vi } from 'vitest';
import { type ApiObject, type OpenAction, type OpenStep, PROTOCOLS } from '../../model/index.ts';
import { ServedCluster } from '../../serve/cluster/cluster.ts';
import { namingOf } from '../../serve/http/naming.ts';
import { serverOf } from '../../serve/http/server.ts';
import { fairSchedule } from '../../serve/schedule/fair.ts';
import { seededSchedule } from '../../serve/schedule/seeded.ts';
import { emptyStart } from '../../serve/start.ts';
import { PATIENCE } from '../clock.ts';
import {
  CONFIG_MAPS,
  configMap,
  family,
  ownedSecret,
  SECRETS,
  serving,
  type TestServer,
} from './server.ts';

/** What a server does that never pauses, by the revisions of its changes. */
async function run(seed: number): Promise<readonly string[]> {
  const { setup, objects, bodies, protocol } = emptyStart('v1.20', PROTOCOLS['v1.20']!, true);
  const cluster = new ServedCluster(setup, objects, bodies, () => 0);
  const schedule = seededSchedule(cluster, seed, null);
  const onDefect = (error: Error): void => {
    throw error;
  };
  const address = '127.0.0.1';
  const app = serverOf({
    cluster,
    schedule,
    protocol,
    address,
    naming: namingOf(seed),
    audit: null,
    onDefect,
  });
  const changes: string[] = [];
  cluster.history.listen(({ type, key, revision }) => changes.push(`${revision} ${type} ${key}`));
  const send = async (method: 'POST' | 'DELETE' | 'GET', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
    changes.push(`${method} ${url} ${answer.statusCode}`);
    return answer.json();
  };
  for (const name of ['a', 'b', 'c']) {
    const { metadata } = await send('POST', CONFIG_MAPS, configMap(name));
    await send('POST', SECRETS, ownedSecret(`of-${name}`, { name, uid: metadata.uid }));
    await send('DELETE', `${CONFIG_MAPS}/${name}`, { propagationPolicy: 'Foreground' });
    for (let polls = 0; polls < 5; polls++) await send('GET', `${CONFIG_MAPS}/${name}`);
  }
  await app.close();
  return changes;
}

it('a seed gives the same run again, and another seed another one', async () => {
  const one = await run(1);
  expect(await run(1)).toEqual(one);
  expect(await run(2)).not.toEqual(one);
});

it('a fair schedule looks at the first item of a queue, however long the queue is', async () => {
  const { setup, objects } = emptyStart('v1.20', PROTOCOLS['v1.20']!, true);
  const uids = [...Array(100).keys()].map((index) => `uid-${index}`);
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'uid-0', uid: 'uid-0' };
  const maps = uids.map((uid, index): ApiObject => {
    const place = { kind: 'ConfigMap', namespace: 'default', name: uid, uid, generation: 0 };
    const ending = { deletionTimestamp: null, deletionGracePeriodSeconds: null, finalizers: [] };
    return { ...place, ...ending, ownerReferences: index === 0 ? [] : [owner] };
  });
  let [looked, taken, longest] = [0, 0, 0];
  class Counting extends ServedCluster {
    override candidatesOf(action: OpenAction): Iterable<OpenStep> {
      const steps = super.candidatesOf(action);
      if ('length' in steps) looked += steps.length;
      return 'length' in steps ? steps : counted(steps);
    }
    override take(step: OpenStep): boolean {
      taken += 1;
      longest = Math.max(longest, Object.keys(this.state.attemptToDelete).length);
      return super.take(step);
    }
  }
  function* counted(steps: Iterable<OpenStep>): Iterable<OpenStep> {
    for (const step of steps) {
      looked += 1;
      yield step;
    }
  }
  const cluster = new Counting(setup, [...objects, ...maps], new Map(), () => 0);
  const schedule = fairSchedule(cluster);
  onTestFinished(() => schedule.stop());
  const call = { verb: 'delete', at: 'get', client: cluster.nextClient(), options: {} } as const;
  void cluster.send({ verb: 'delete', call: { ...call, key: 'ConfigMap/default/uid-0' } });
  schedule.wake();
  await vi.waitUntil(() => cluster.keys('ConfigMap', '').length === 0, PATIENCE);
  expect(longest).toBeGreaterThan(80);
  expect(looked / taken).toBeLessThan(2);
});

interface Step {
  readonly number: number;
  readonly words: string;
}

const steps = async (server: TestServer): Promise<readonly Step[]> =>
  (await server.get('/reapcheck/steps')).body.steps;

it('nothing happens by itself while steps are taken by hand', async () => {
  const server = await serving('manual');
  await family(server);
  await server.send('DELETE', `${CONFIG_MAPS}/owner`);
  const [first] = await steps(server);
  expect(first?.words).toBe('graph builder: sees ADDED ConfigMap/owner');
  expect((await server.get(`${SECRETS}/dependent`)).code).toBe(200);
  const words: string[] = [];
  for (let [next] = await steps(server); next !== undefined; [next] = await steps(server)) {
    words.push(next.words);
    expect((await server.send('POST', '/reapcheck/steps', { number: next.number })).code).toBe(200);
  }
  expect(words).toContain('API server: removes Secret/dependent (DELETE of gc worker 1)');
  expect((await server.get(`${SECRETS}/dependent`)).code).toBe(404);
});

it('a step that is not possible is refused, and every step of another schedule', async () => {
  const manual = await serving('manual');
  const post = (server: TestServer, body: unknown) => server.send('POST', '/reapcheck/steps', body);
  expect((await post(manual, { number: 1 })).code).toBe(409);
  expect((await post(manual, { number: 0 })).code).toBe(400);
  const unknown = { name: 'deliver', parameters: { kind: 'Pod' } };
  expect((await post(manual, unknown)).code).toBe(409);
  await manual.send('POST', CONFIG_MAPS, configMap('a'));
  const delivery = { name: 'deliver', parameters: { kind: 'ConfigMap' } };
  expect((await post(manual, delivery)).body).toMatchObject({ taken: delivery });
  expect((await post(await serving('fair'), { number: 1 })).code).toBe(409);
});
