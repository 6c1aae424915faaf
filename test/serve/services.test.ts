import { expect, it } from 'vitest';
import { serving } from './server.ts';

const CORE = '/api/v1/namespaces/default';
const MERGE = 'application/merge-patch+json';

it('services get addresses and ports, which are kept', async () => {
  const server = await serving();
  const services = `${CORE}/services`;
  const ports = [{ name: 'web', port: 80 }];
  const create = async (name: string, spec: object) =>
    (await server.send('POST', services, { metadata: { name }, spec: { ports, ...spec } })).body
      .spec;
  const first = await create('a', {});
  expect(first).toMatchObject({
    ...{ clusterIP: '10.96.0.2', clusterIPs: ['10.96.0.2'], ipFamilies: ['IPv4'] },
    ...{ ipFamilyPolicy: 'SingleStack', internalTrafficPolicy: 'Cluster' },
  });
  const second = await create('b', { type: 'NodePort' });
  expect(second).toMatchObject({ clusterIP: '10.96.0.3', ports: [{ nodePort: 30_000 }] });
  expect(await create('c', { clusterIP: 'None' })).toMatchObject({
    ...{ clusterIPs: ['None'], ipFamilyPolicy: 'RequireDualStack' },
  });
  expect(await create('d', { type: 'ExternalName', externalName: 'e.test' })).not.toHaveProperty(
    'clusterIP',
  );
  // A PUT of what was applied leaves them as they are, and nobody changes them.
  const put = { metadata: { name: 'b' }, spec: { type: 'NodePort', ports } };
  expect((await server.send('PUT', `${services}/b`, put)).body.spec).toEqual(second);
  const other = { spec: { clusterIP: '10.96.0.9' } };
  expect((await server.send('PATCH', `${services}/b`, other, MERGE)).body).toMatchObject({
    code: 422,
    message: expect.stringContaining('spec.clusterIPs[0]'),
  });
  const taken = { clusterIP: '10.96.0.2', ports: [{ port: 80, nodePort: 30_000 }] };
  const twice = { metadata: { name: 'e' }, spec: { ...taken, type: 'NodePort' } };
  expect((await server.send('POST', services, twice)).body).toMatchObject({
    code: 422,
    message: expect.stringMatching(
      /10.96.0.2: provided IP is already .* port is already allocated/,
    ),
  });
  // Another type has what it needs, and no more.
  const patch = async (name: string, spec: object) =>
    (await server.send('PATCH', `${services}/${name}`, { spec }, MERGE)).body.spec;
  expect(await patch('d', { type: 'NodePort', externalName: null })).toMatchObject({
    ...{ clusterIP: '10.96.0.4', ipFamilies: ['IPv4'], ports: [{ nodePort: 30_001 }] },
  });
  expect(await patch('d', { type: 'ClusterIP' })).toEqual({
    ...{ ...first, clusterIP: '10.96.0.4', clusterIPs: ['10.96.0.4'] },
  });
  const outside = { type: 'ExternalName', externalName: 'e.test' };
  expect(await patch('d', outside)).not.toHaveProperty('ipFamilies');
});
