import { expect, it } from 'vitest';
import { CLAIM, CONTAINERS, JOB, serving, type TestServer, WORKLOAD } from './server.ts';

/** What Kubernetes refuses of built-in kinds, which have no definition. */

const APPS = '/apis/apps/v1/namespaces/default';
const CORE = '/api/v1/namespaces/default';
const MERGE = 'application/merge-patch+json';

const post = (server: TestServer, path: string, body: object) =>
  server.send('POST', path, { metadata: { name: 'a' }, ...body });

it('unknown fields are pruned with a warning, or refused', async () => {
  const server = await serving();
  const body = { spec: { ...WORKLOAD, replica: 3 } };
  const strict = await post(server, `${APPS}/deployments?fieldValidation=Strict`, body);
  expect([strict.code, strict.body]).toMatchObject([
    400,
    { message: 'strict decoding error: unknown field "spec.replica"' },
  ]);
  const answer = await fetch(`${server.url}${APPS}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' }, ...body }),
  });
  expect(answer.headers.get('warning')).toBe('299 - "unknown field \\"spec.replica\\""');
  expect(((await answer.json()) as typeof body).spec).not.toHaveProperty('replica');
});

it.each<[path: string, body: object, message: string | RegExp]>([
  [
    `${APPS}/deployments`,
    { spec: { ...WORKLOAD, replicas: '3' } },
    /cannot unmarshal string .*spec.replicas/,
  ],
  [`${APPS}/deployments`, { spec: { ...WORKLOAD, template: [] } }, /cannot unmarshal array/],
  [`${CORE}/configmaps`, { data: { a: 1 } }, /cannot unmarshal number .*data.a of type string/],
])('what Go cannot decode is refused: %s %j', async (path, body, message) => {
  const server = await serving();
  const answer = await post(server, path, body);
  expect([answer.code, answer.body]).toMatchObject([
    400,
    { message: expect.stringMatching(message) },
  ]);
});

it.each<[path: string, body: object, fields: readonly string[]]>([
  [`${APPS}/deployments`, { spec: WORKLOAD }, []],
  [`${APPS}/deployments`, { spec: { template: WORKLOAD.template } }, ['spec.selector']],
  [
    `${APPS}/statefulsets`,
    { spec: { ...WORKLOAD, selector: { matchLabels: { app: 'db' } }, replicas: -1 } },
    ['spec.replicas', 'spec.template.metadata.labels'],
  ],
  [`${CORE}/pods`, { spec: {} }, ['spec.containers']],
  [
    `${CORE}/pods`,
    { spec: { containers: [...CONTAINERS, ...CONTAINERS, { name: 'b' }] } },
    ['spec.containers[1].name', 'spec.containers[2].image'],
  ],
  ['/apis/batch/v1/namespaces/default/jobs', { spec: JOB }, []],
  [
    '/apis/batch/v1/namespaces/default/cronjobs',
    { spec: { jobTemplate: { spec: { template: WORKLOAD.template } } } },
    ['spec.schedule', 'spec.jobTemplate.spec.template.spec.restartPolicy'],
  ],
  [`${CORE}/services`, { spec: {} }, ['spec.ports']],
  [`${CORE}/services`, { spec: { clusterIP: 'None' } }, []],
  [`${CORE}/persistentvolumeclaims`, { spec: CLAIM }, []],
  [`${CORE}/persistentvolumeclaims`, {}, ['spec.accessModes', 'spec.resources[storage]']],
])('a POST to %s of %j lacks %j', async (path, body, fields) => {
  const server = await serving();
  const answer = await post(server, path, body);
  expect(answer.code).toBe(fields.length === 0 ? 201 : 422);
  const { details } = answer.body as unknown as { details?: { causes: { field: string }[] } };
  expect(details?.causes.map(({ field }) => field) ?? []).toEqual(fields);
});

it('what never changes is refused in an update, and what was wrong before is let pass', async () => {
  const server = await serving('fair', ['deployment-foreground']);
  const [found] = (await server.get('/apis/apps/v1/deployments')).body.items;
  const bare = `${APPS}/deployments/${found!.metadata.name}`;
  const scaled = await server.send('PATCH', bare, { spec: { replicas: 3 } }, MERGE);
  expect(scaled.code).toBe(200);
  await post(server, `${APPS}/daemonsets`, { spec: WORKLOAD });
  const selector = {
    matchLabels: { app: null },
    matchExpressions: [{ key: 'app', operator: 'Exists' }],
  };
  const other = await server.send('PATCH', `${APPS}/daemonsets/a`, { spec: { selector } }, MERGE);
  expect([other.code, other.body]).toMatchObject([
    422,
    { message: expect.stringMatching(/spec.selector: Invalid value: .*: field is immutable$/) },
  ]);
  await post(server, `${CORE}/configmaps`, { immutable: true, data: { a: '1' } });
  const data = await server.send('PATCH', `${CORE}/configmaps/a`, { data: { a: '2' } }, MERGE);
  expect([data.code, data.body]).toMatchObject([422, { reason: 'Invalid' }]);
  const labels = { metadata: { labels: WORKLOAD.selector.matchLabels } };
  expect((await server.send('PATCH', `${CORE}/configmaps/a`, labels, MERGE)).code).toBe(200);
});
