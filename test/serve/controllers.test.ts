import { expect, it } from 'vitest';
import { CONFIG_MAPS, ownedSecret, SECRETS, serving, type TestServer } from './server.ts';

/** The controller manager behind the server ends and starts. */

const run = (server: TestServer, wanted: unknown) =>
  server.send('POST', '/reapcheck/controllers', { run: wanted });

it('nothing is collected while it is down, and all of it afterwards', async () => {
  const server = await serving();
  const owner = await server.send('POST', CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'owner' },
  });
  const { uid } = owner.body.metadata;
  await server.send('POST', SECRETS, ownedSecret('dependent', { name: 'owner', uid }));
  expect((await run(server, false)).body).toMatchObject({ run: false, isChanged: true });
  expect((await run(server, false)).body).toMatchObject({ run: false, isChanged: false });
  await server.send('DELETE', `${CONFIG_MAPS}/owner`, { propagationPolicy: 'Foreground' });
  const { body } = await server.get(`${CONFIG_MAPS}/owner`);
  expect(body.metadata.finalizers).toEqual(['foregroundDeletion']);
  expect((await server.get(`${SECRETS}/dependent`)).code).toBe(200);
  expect((await run(server, true)).body).toMatchObject({ run: true, isChanged: true });
  await server.gone(`${CONFIG_MAPS}/owner`);
  await server.gone(`${SECRETS}/dependent`);
});

it('says what it takes', async () => {
  expect((await run(await serving(), 'no')).code).toBe(400);
});
