import { expect, it } from 'vitest';
import { serving, type TestServer } from './server.ts';

/** `pods/eviction`: a DELETE that a PodDisruptionBudget can forbid. */

const PODS = '/api/v1/namespaces/default/pods';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const UNREADY = { phase: 'Running' };
const MERGE = 'application/merge-patch+json';

async function pod(server: TestServer, name: string, status: object = READY): Promise<void> {
  const metadata = { name, labels: { app: 'web' } };
  const spec = { containers: [{ name: 'web', image: 'web' }] };
  await server.send('POST', PODS, { metadata, spec });
  await server.send('PATCH', `${PODS}/${name}/status`, { status }, MERGE);
}

async function budget(server: TestServer, name: string, spec: object, status?: object) {
  const selector = { matchLabels: { app: 'web' } };
  await server.send('POST', BUDGETS, { metadata: { name }, spec: { selector, ...spec } });
  if (status === undefined) return;
  const healthy = { observedGeneration: 1, desiredHealthy: 1, currentHealthy: 2, ...status };
  await server.send('PATCH', `${BUDGETS}/${name}/status`, { status: healthy }, MERGE);
}

const evict = (server: TestServer, name: string, more: object = {}, query = '') =>
  server.send('POST', `${PODS}/${name}/eviction${query}`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...more,
  });

const isThere = async (server: TestServer, name: string) =>
  (await server.get(`${PODS}/${name}`)).code === 200;

it('deletes a pod that no budget chooses', async () => {
  const server = await serving();
  await budget(server, 'other', { selector: { matchLabels: { app: 'db' } } });
  await budget(server, 'none', { selector: undefined });
  await pod(server, 'a');
  const { code, body } = await evict(server, 'a');
  expect([code, body]).toMatchObject([201, { kind: 'Status', status: 'Success', code: 201 }]);
  await server.gone(`${PODS}/a`);
});

it('takes one disruption from the budget, and none if there is none', async () => {
  const server = await serving();
  await budget(server, 'web', { minAvailable: 1 }, { disruptionsAllowed: 1 });
  for (const name of ['a', 'b']) await pod(server, name);
  expect((await evict(server, 'a', {}, '?dryRun=All')).code).toBe(201);
  expect((await server.get(`${BUDGETS}/web`)).body.status).toMatchObject({ disruptionsAllowed: 1 });
  expect(await isThere(server, 'a')).toBe(true);
  expect((await evict(server, 'a')).code).toBe(201);
  await server.gone(`${PODS}/a`);
  expect((await server.get(`${BUDGETS}/web`)).body.status).toMatchObject({
    disruptionsAllowed: 0,
    disruptedPods: { a: expect.stringMatching(/Z$/) },
    conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
  });
  const { code, body } = await evict(server, 'b');
  expect([code, body]).toMatchObject([
    429,
    {
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget web needs 1 healthy pods and has 2 currently',
          },
        ],
      },
    },
  ]);
  expect(await isThere(server, 'b')).toBe(true);
});

it('waits for the status of a budget, which nobody writes here', async () => {
  const server = await serving();
  await budget(server, 'web', { minAvailable: 1 });
  await pod(server, 'a');
  const answer = await fetch(`${server.url}${PODS}/a/eviction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' } }),
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '10']);
  expect(JSON.stringify(await answer.json())).toMatch(/budget web is still being processed/);
});

it.each<[what: string, status: object, spec: object, budget: object, code: number]>([
  ['a pod that does not run yet', { phase: 'Pending' }, {}, { disruptionsAllowed: 0 }, 201],
  ['a pod that has ended', { phase: 'Failed' }, {}, { disruptionsAllowed: 0 }, 201],
  ['an unready pod where enough others are', UNREADY, {}, { disruptionsAllowed: 0 }, 201],
  ['an unready pod', UNREADY, {}, { disruptionsAllowed: 0, currentHealthy: 0 }, 429],
  [
    'an unready pod that is of no use',
    UNREADY,
    { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    { disruptionsAllowed: 0, currentHealthy: 0 },
    201,
  ],
  ['a pod of a budget that is negative', READY, {}, { disruptionsAllowed: -1 }, 403],
])('answers as Kubernetes does for %s', async (_, status, spec, given, code) => {
  const server = await serving();
  await budget(server, 'web', spec, given);
  await pod(server, 'a', status);
  expect((await evict(server, 'a')).code).toBe(code);
  expect((await server.get(`${BUDGETS}/web`)).body.status).not.toHaveProperty('disruptedPods');
});

it('refuses what is no eviction of the pod', async () => {
  const server = await serving();
  await pod(server, 'a');
  const uid = { preconditions: { uid: 'another' } };
  const answers = [
    await evict(server, 'none'),
    await evict(server, 'a', { metadata: { name: 'b' } }),
    await evict(server, 'a', { metadata: { name: 'a', namespace: 'shop' } }),
    await evict(server, 'a', { kind: 'Pod' }),
    await evict(server, 'a', { deleteOptions: uid }),
    await evict(server, 'a', { deleteOptions: { dryRun: ['None'] } }),
    await server.get(`${PODS}/a/eviction`),
  ];
  expect(answers.map(({ code }) => code)).toEqual([404, 400, 400, 400, 409, 422, 405]);
  for (const name of ['one', 'two']) await budget(server, name, {}, { disruptionsAllowed: 1 });
  const several = await evict(server, 'a');
  expect([several.code, several.body]).toMatchObject([
    500,
    { message: expect.stringMatching(/more than one/) },
  ]);
  expect(await isThere(server, 'a')).toBe(true);
  const { resources } = (await server.get('/api/v1')).body;
  expect(resources.find(({ name }) => name === 'pods/eviction')).toMatchObject({
    ...{ group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  });
});
