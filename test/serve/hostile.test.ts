import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { CONFIG_MAPS, configMap, serving, type TestServer } from './server.ts';

/** The answer to bytes on a plain socket, until the server closes it. */
function raw(server: TestServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** After whatever came before, the server still does its work. */
async function isAlive(server: TestServer): Promise<void> {
  expect((await server.send('POST', CONFIG_MAPS, configMap('alive'))).code).toBe(201);
}

const request = (line: string, headers = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;

it('answers bodies that are too large, broken or too deep with a Status', async () => {
  const server = await serving();
  const post = (body: string) => server.send('POST', CONFIG_MAPS, body);
  const large = JSON.stringify(configMap('x'.repeat(4 * 1024 * 1024)));
  expect((await post(large)).body).toMatchObject({ kind: 'Status', code: 413 });
  for (const body of [
    '{',
    '"text"',
    '[]',
    'null',
    '{"metadata": 5}',
    '{"metadata":{"labels":7}}',
  ]) {
    const { body: status } = await post(body);
    expect(status, body).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' });
  }
  const deep = `{"metadata":{"name":"a"},"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect((await post(deep)).body).toMatchObject({ code: 400 });
  // Nothing looks for equal keys, which would take the square of their number.
  const twice = 'metadata: {name: twice}\ndata: {a: b, a: c}';
  const last = await server.send('POST', CONFIG_MAPS, twice, 'application/yaml');
  expect([last.code, last.body.data]).toEqual([201, { a: 'c' }]);
  await isAlive(server);
});

it('lets no key reach the prototype of anything', async () => {
  const server = await serving();
  const post = (body: string) => server.send('POST', CONFIG_MAPS, body);
  const poisoned = '{"metadata":{"name":"a"},"__proto__":{"polluted":true}}';
  expect((await post(poisoned)).code).toBe(400);
  const named =
    '{"metadata":{"name":"constructor","labels":{"constructor":"x"},"finalizers":["constructor/x"]}}';
  expect((await post(named)).code).toBe(201);
  const at = `${CONFIG_MAPS}/constructor`;
  const patches = [
    ['application/merge-patch+json', '{"__proto__":{"polluted":true}}'],
    ['application/json-patch+json', '[{"op":"add","path":"/__proto__/polluted","value":true}]'],
    [
      'application/json-patch+json',
      '[{"op":"add","path":"/constructor/prototype/polluted","value":1}]',
    ],
    ['application/apply-patch+yaml', '__proto__: {polluted: true}'],
  ] as const;
  for (const [type, patch] of patches) {
    expect((await server.send('PATCH', `${at}?fieldManager=m`, patch, type)).code, patch).toBe(400);
  }
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'constructor' };
  const owned = configMap('b', { ownerReferences: [owner] });
  expect((await server.send('POST', CONFIG_MAPS, owned)).code).toBe(400);
  for (const path of ['/apis/constructor/v1', '/api/__proto__/x', '/api/v1/constructor']) {
    expect((await server.get(path)).body, path).toMatchObject({ kind: 'Status', code: 404 });
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  await isAlive(server);
});

it('answers patches that are none with a Status', async () => {
  const server = await serving();
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const type = 'application/json-patch+json';
  for (const patch of [
    [{ op: 'test', path: 'x' }],
    [{ op: 'move', from: 'x', path: '/data' }],
    [{ op: 'add', path: '/data/a/b/c', value: 1 }],
    [{ op: 'remove', path: '' }],
    [{ op: 'zz', path: '/data' }],
  ]) {
    const { body } = await server.send('PATCH', `${CONFIG_MAPS}/a`, patch, type);
    expect(body, JSON.stringify(patch)).toMatchObject({ kind: 'Status', reason: 'Invalid' });
  }
  await isAlive(server);
});

it('lets no patch copy the object again and again', async () => {
  const server = await serving();
  await server.send('POST', CONFIG_MAPS, configMap('a'));
  const copy = (number: number) => ({ op: 'copy', from: '/data', path: `/data/${number}` });
  const patch = Array.from({ length: 60 }, (_, number) => copy(number));
  const { body } = await server.send(
    'PATCH',
    `${CONFIG_MAPS}/a`,
    patch,
    'application/json-patch+json',
  );
  expect(body).toMatchObject({ code: 422, message: expect.stringMatching(/the limit 3145728$/) });
  await isAlive(server);
});

it('answers what Node.js refuses by itself with a Status too', async () => {
  const server = await serving();
  const connected = await raw(server, request('CONNECT example.com:443'));
  expect(connected).toMatch(/^HTTP\/1\.1 405 .*"kind":"Status"/s);
  const nameless = await raw(server, 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(nameless).toMatch(/^HTTP\/1\.1 403 .*"kind":"Status"/s);
});

it('answers tricks with paths and methods with a Status', async () => {
  const server = await serving();
  const paths = [
    '/api/v1/namespaces/default/configmaps/..%2f..%2fsecrets',
    '/api/v1/namespaces/%2e%2e/configmaps/a',
    '/api/v1/namespaces/default/configmaps/%00',
    '/api/v1/namespaces/default/configmaps/%ff',
    '/api/v1/namespaces/default/configmaps/%',
    '/api/v1/namespaces/default/configmaps/a/b/c/d',
    '//api//v1//namespaces',
    `/api/v1/namespaces/${'x'.repeat(5_000)}/configmaps/a`,
  ];
  for (const path of paths) {
    const answer = await raw(server, request(`GET ${path}`));
    expect(answer, path).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer, path).toContain('"kind":"Status"');
  }
  expect(await raw(server, request('BREW /api'))).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(await raw(server, 'not http at all\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*"kind":"Status"/,
  );
  expect((await server.send('POST', `${CONFIG_MAPS}/a`, {})).code).toBe(405);
  expect((await server.send('PUT', CONFIG_MAPS, {})).code).toBe(405);
  expect((await server.send('PATCH', `${CONFIG_MAPS}/a`, {}, 'text/plain')).code).toBe(415);
  await isAlive(server);
});

it('answers nobody who means another host or comes from another page', async () => {
  const server = await serving();
  const get = (headers: string) =>
    raw(server, `GET /api HTTP/1.1\r\nConnection: close\r\n${headers}\r\n`);
  expect(await get('Host: evil.test\r\n')).toMatch(/^HTTP\/1\.1 403 [\s\S]*"kind":"Status"/);
  expect(await get('Host: localhost\r\nOrigin: http://evil.test\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await get('Host: localhost\r\nOrigin: http://localhost:1\r\n')).toMatch(
    /^HTTP\/1\.1 200 /,
  );
});

it('refuses numbers and revisions that are none', async () => {
  const server = await serving();
  for (const query of [
    'limit=-1',
    'limit=x',
    'continue=!',
    'continue=W10',
    'resourceVersion=abc',
  ]) {
    expect((await server.get(`${CONFIG_MAPS}?${query}`)).code, query).toBe(400);
  }
  expect((await server.get(`${CONFIG_MAPS}?watch=true&timeoutSeconds=-1`)).code).toBe(400);
});
