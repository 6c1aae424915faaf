import { expect, it } from 'vitest';
import { serving } from './server.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';

it('a client that asks for its rights has all of them, and learns why', async () => {
  const server = await serving();
  const spec = { resourceAttributes: { verb: 'delete', resource: 'pods' } };
  const own = await server.send('POST', `${AUTHORIZATION}/selfsubjectaccessreviews`, { spec });
  expect(own.code).toBe(201);
  expect(own.body).toMatchObject({
    kind: 'SelfSubjectAccessReview',
    spec,
    status: { allowed: true, reason: expect.stringContaining('no authorization') },
  });
  const local = `${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`;
  expect((await server.send('POST', local, { spec })).body).toMatchObject({
    kind: 'LocalSubjectAccessReview',
    status: { allowed: true },
  });
  const rules = await server.send('POST', `${AUTHORIZATION}/selfsubjectrulesreviews`, {});
  expect(rules.body).toMatchObject({ status: { resourceRules: [{ verbs: ['*'] }] } });
  const me = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  expect((await server.send('POST', me, {})).body).toMatchObject({
    status: { userInfo: { username: 'system:anonymous' } },
  });
});

it('a question that asks nothing, or is stored, is refused', async () => {
  const server = await serving();
  const path = `${AUTHORIZATION}/selfsubjectaccessreviews`;
  expect((await server.send('POST', path, { spec: {} })).code).toBe(422);
  expect((await server.get(path)).code).toBe(405);
  expect((await server.get(`${path}/a`)).code).toBe(404);
  const wrong = `${AUTHORIZATION}/namespaces/default/selfsubjectaccessreviews`;
  expect((await server.send('POST', wrong, {})).code).toBe(404);
});

it('is found by discovery, in the order of the groups', async () => {
  const server = await serving();
  const { resources } = (await server.get(AUTHORIZATION)).body;
  expect(resources).toContainEqual(
    expect.objectContaining({ name: 'subjectaccessreviews', verbs: ['create'] }),
  );
  const accept = 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList';
  const answer = await fetch(`${server.url}/apis`, { headers: { accept } });
  const { items } = (await answer.json()) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  const names = items.map(({ metadata }) => metadata.name);
  const wanted = ['apps', 'authorization.k8s.io', 'networking.k8s.io', 'extensions', 'policy'];
  expect(names.filter((name) => wanted.includes(name))).toEqual(wanted);
});

it('what Kubernetes has and the server has not is said before the body is read', async () => {
  const server = await serving();
  const token = '/api/v1/namespaces/default/serviceaccounts/a/token';
  const bytes = 'k8s\0 nothing that can be read';
  const answer = await server.send('POST', token, bytes, 'application/vnd.kubernetes.protobuf');
  expect(answer.body).toMatchObject({ code: 501, message: expect.stringContaining('token') });
  for (const path of ['/api/constructor/x', '/api/v1/namespaces/a/constructor/b/toString']) {
    expect((await server.get(path)).code, path).toBe(404);
  }
});
