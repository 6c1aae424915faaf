import { expect, it } from 'vitest';
import { loadModule } from '../../cli/modules.ts';
import { testCaseOf } from '../../export/case.ts';
import { written } from '../../export/formats.ts';
import { sourceRun } from '../../export/source.ts';
import { expectError, runCli } from '../cli/run-cli.ts';
import { serving, type TestServer } from './server.ts';

/**
 * A counterexample of a controller in TypeScript, against a client: it creates the disk of a tenant late,
 * does not see it, and lets the tenant go.
 */

const RESOURCES = '/apis/example.com/v1/namespaces/default';
const TENANT = `${RESOURCES}/tenants/acme`;
const DISK = `${RESOURCES}/disks/acme`;
const OPERATOR = { plays: 'tenant-operator' };

async function token(): Promise<string> {
  const { stdout } = await runCli(['check', 'examples/operators/stale-teardown.ts']);
  return stdout.match(/reapcheck replay (rt1:\S+)/)?.[1] ?? '';
}

const deleteTenant = (server: TestServer) =>
  server.send('DELETE', TENANT, { propagationPolicy: 'Background' });

const createDisk = (server: TestServer) =>
  server.send('POST', `${RESOURCES}/disks`, {
    apiVersion: 'example.com/v1',
    kind: 'Disk',
    metadata: { name: 'acme' },
  });

it('the server plays the controller', async () => {
  const server = await serving(await token());
  await deleteTenant(server);
  await server.gone(TENANT);
  expect(server.said.at(-1)).toMatch(/^the run is complete/);
  expect((await server.get(DISK)).code).toBe(200);
});

it('a client plays it, and sends what the run has', async () => {
  const server = await serving(await token(), [], {}, null, OPERATOR);
  await deleteTenant(server);
  expect(server.said.at(-1)).toMatch(/^waits at step 6 of 14, "tenant-operator: POST Disk/);
  // Nobody else removes the finalizer of the controller.
  const { body } = await server.get(TENANT);
  expect(body.metadata.finalizers).toEqual(['example.com/release-disks']);
  expect((await createDisk(server)).code).toBe(201);
  expect(server.said.at(-1)).toMatch(/^waits at step 10 of 14, "tenant-operator: PUT Tenant/);
  const metadata = { ...body.metadata, finalizers: [] };
  expect((await server.send('PUT', TENANT, { ...body, metadata })).code).toBe(200);
  await server.gone(TENANT);
  expect(server.said.at(-1)).toMatch(/^the run is complete/);
  expect((await server.get(DISK)).code).toBe(200);
});

it('a client plays it, and does better', async () => {
  const server = await serving(await token(), [], {}, null, OPERATOR);
  await deleteTenant(server);
  await createDisk(server);
  expect((await server.send('DELETE', DISK)).code).toBe(200);
  expect(server.said.at(-1)).toMatch(/^left at step 10 of 14, .*a client sends DELETE Disk/);
  const merge = 'application/merge-patch+json';
  await server.send('PATCH', TENANT, { metadata: { finalizers: null } }, merge);
  await server.gone(TENANT);
  await server.gone(DISK);
});

it('says which controllers a client can play', async () => {
  const words = ['serve', '--schedule', await token(), '--plays', 'tenants'];
  expectError(await runCli(words), /the run has no controller tenants/);
  expectError(await runCli(['serve', '--plays', 'tenants']), /--plays has no effect without/);
});

it('is exported as a test that starts the server so', async () => {
  const given = { input: await token(), check: null, property: null, maxMegabytes: 10 };
  const test = testCaseOf(await sourceRun(given, nothing(), loadModule));
  expect(test).toMatchObject({ protocol: 'v1.36', controllers: ['tenant-operator'] });
  expect(test.requests.map(({ words }) => words)).toEqual([
    'alice: DELETE Tenant.example.com/acme propagationPolicy=Background',
  ]);
  expect(test.expected.map(({ words }) => words)).toEqual(['Disk.example.com/acme must be gone']);
  for (const format of ['node-test', 'kubectl'] as const) {
    expect(written(test, format)).toMatch(/tenant-operator/);
    expect(written(test, format)).toContain('--plays');
  }
});

async function* nothing(): AsyncGenerator<Uint8Array> {}
