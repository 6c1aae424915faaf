import { expect, it, onTestFinished, vi } from 'vitest';
import { canonicalQuantity } from '../../serve/schemas/quantities.ts';
import { CONFIG_MAPS, CONTAINERS, serving, WORKLOAD } from './server.ts';

/** What people write every day, and what clients in Go make of it: Kubernetes takes it all. */

const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const CORE = '/api/v1/namespaces/default';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

const mounting = (name: string) => ({
  metadata: WORKLOAD.template.metadata,
  spec: { containers: [{ ...CONTAINERS[0], volumeMounts: [{ name, mountPath: '/data' }] }] },
});
const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
const typed = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
const sets = '/apis/apps/v1/namespaces/default/statefulsets';
const spec = { ...WORKLOAD, template: mounting('data'), volumeClaimTemplates: [claim] };

it('what is unusual and right is taken', async () => {
  const server = await serving();
  const codes: number[] = [];
  const post = async (path: string, name: string, body: object = {}, metadata: object = {}) => {
    const { code } = await server.send('POST', path, { ...body, metadata: { name, ...metadata } });
    codes.push(code);
  };
  await post(sets, 'db', { spec });
  const claims = { ...spec, volumeClaimTemplates: [{ ...typed, ...claim }] };
  await post(`${sets}?fieldValidation=Strict`, 'typed', { spec: claims });
  await post(CONFIG_MAPS, 'a', {}, { annotations: { 'Example.com/Owner': '' } });
  await post(CONFIG_MAPS, 'full', { data: { key: 'x'.repeat(1024 * 1024) } });
  await post('/apis/certificates.k8s.io/v1/certificatesigningrequests', 'node-csr-A_b');
  await post('/apis/networking.k8s.io/v1/ipaddresses', '2001:db8::1');
  await post(ROLES, 'reader', {}, { namespace: 'default' });
  expect(codes).toEqual(codes.map(() => 201));
});

it('YAML with nothing after the key of a label is an empty text', async () => {
  const server = await serving();
  const metadata = { name: 'a', labels: { version: null } };
  const made = await server.send('POST', CONFIG_MAPS, { metadata });
  expect([made.code, made.body]).toMatchObject([201, { metadata: { labels: { version: '' } } }]);
  const put = await server.send('PUT', `${CONFIG_MAPS}/a`, { metadata });
  expect(put.code).toBe(200);
});

it('what is in no namespace loses the one that a chart gives it', async () => {
  const server = await serving();
  const metadata = { name: 'reader', namespace: 'default' };
  const codes = [
    (await server.send('PATCH', `${ROLES}/reader?fieldManager=me`, { metadata }, APPLY)).code,
    (await server.send('PATCH', `${ROLES}/reader?fieldManager=me`, { metadata }, APPLY)).code,
    (await server.send('PATCH', `${ROLES}/reader`, { metadata }, MERGE)).code,
    (await server.send('PUT', `${ROLES}/reader`, { metadata })).code,
  ];
  expect(codes).toEqual([201, 200, 200, 200]);
  expect((await server.get(`${ROLES}/reader`)).body.metadata).not.toHaveProperty('namespace');
});

it('what a client in Go writes back has not changed', async () => {
  const server = await serving();
  const container = (env: object, cpu: unknown) => ({
    spec: { containers: [{ ...CONTAINERS[0], env: [env], resources: { limits: { cpu } } }] },
  });
  const metadata = { name: 'a' };
  const given = { ...container({ name: 'E', value: '' }, 0.5), metadata };
  const made = await server.send('POST', `${CORE}/pods`, given);
  expect([made.code, made.body]).toMatchObject([201, container({ name: 'E' }, '500m')]);
  const back = { ...container({ name: 'E' }, '500m'), metadata };
  expect((await server.send('PUT', `${CORE}/pods/a`, back)).code).toBe(200);
  await server.send('POST', sets, { metadata, spec });
  const whole = {
    ...{ ...typed, ...claim, spec: { ...claim.spec, volumeMode: 'Filesystem' } },
    status: { phase: 'Pending' },
  };
  const set = { metadata, spec: { ...spec, volumeClaimTemplates: [whole] } };
  expect((await server.send('PUT', `${sets}/a`, set)).code).toBe(200);
});

it('a strategic merge patch replaces the ports of a slice, and merges those of a service', async () => {
  const server = await serving();
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  const metadata = { name: 'a' };
  const ports = [{ name: 'http', port: 80, protocol: 'TCP' }];
  const type = 'application/strategic-merge-patch+json';
  await server.send('POST', slices, { metadata, addressType: 'IPv4', ports });
  const slice = await server.send('PATCH', `${slices}/a`, { ports: [{ name: 'any' }] }, type);
  expect([slice.code, slice.body]).toMatchObject([200, { ports: [{ name: 'any' }] }]);
  await server.send('POST', `${CORE}/services`, { metadata, spec: { ports } });
  const more = { spec: { ports: [{ name: 'dns', port: 53 }] } };
  const service = await server.send('PATCH', `${CORE}/services/a`, more, type);
  expect([service.code, service.body.spec.ports]).toMatchObject([200, { length: 2 }]);
});

it('a quantity in another form is no change to an apply patch, at any time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await serving();
  const path = `${CORE}/resourcequotas/a?fieldManager=me`;
  const quota = (memory: string) => ({ metadata: { name: 'a' }, spec: { hard: { memory } } });
  const { body: first } = await server.send('PATCH', path, quota('1024Mi'), APPLY);
  vi.setSystemTime(Date.now() + 5_000);
  const { body: second } = await server.send('PATCH', path, quota('1024Mi'), APPLY);
  expect(second).toMatchObject(quota('1Gi'));
  expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});

it.each<[given: unknown, canonical: unknown]>([
  [0.5, '500m'],
  ['1000m', '1'],
  ['0.5Gi', '512Mi'],
  ['1.5Ki', '1536'],
  ['0.1Ki', '102400m'],
  ['1000Ki', '1000Ki'],
  ['512Ki', '512Ki'],
  ['0', '0'],
  ['-0.25', '-250m'],
  ['1500', '1500'],
  ['2000', '2k'],
  ['129e6', '129e6'],
  ['12e4', '120e3'],
  ['0.0000000001', '1n'],
  ['1E', '1E'],
  ['+5', '5'],
  ['.5', '500m'],
  ['many', 'many'],
  ['', ''],
])('the quantity %j is stored as %j', (given, canonical) => {
  expect(canonicalQuantity(given)).toBe(canonical);
});
