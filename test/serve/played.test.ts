import { expect, it, onTestFinished } from 'vitest';
import { loadModule } from '../../cli/modules.ts';
import { testCaseOf } from '../../export/case.ts';
import { written } from '../../export/formats.ts';
import { sourceRun } from '../../export/source.ts';
import { HeldAnswers } from '../../serve/schedule/held-answers.ts';
import { expectError, runCli } from '../cli/run-cli.ts';
import { PATIENCE } from '../clock.ts';
import { serving, type TestServer } from './server.ts';

/**
 * A counterexample of a controller in TypeScript, against a client: it creates the disk of a tenant
 * late, does not see it, and lets the tenant go.
 */

const RESOURCES = '/apis/example.com/v1/namespaces/default';
const TENANT = `${RESOURCES}/tenants/acme`;
const DISK = `${RESOURCES}/disks/acme`;
const OPERATOR = { plays: { controller: 'tenant-operator', patience: PATIENCE } };

const checked = runCli(['check', 'examples/operators/stale-teardown.ts']);

async function token(): Promise<string> {
  return (await checked).stdout.match(/reapcheck replay (rt1:\S+)/)?.[1] ?? '';
}

const deleteTenant = (server: TestServer) =>
  server.send('DELETE', TENANT, { propagationPolicy: 'Background' });

const createDisk = (server: TestServer) =>
  server.operator.send('POST', `${RESOURCES}/disks`, {
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

/** The events of a watch of the operator, as they come. */
async function watching(server: TestServer, plural: string): Promise<readonly string[]> {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const { operator } = server;
  const url = `${operator.url}${RESOURCES}/${plural}?watch=1&resourceVersion=`;
  const { metadata } = (await operator.get(`${RESOURCES}/${plural}`)).body;
  const answer = await fetch(`${url}${metadata.resourceVersion}`, { signal: ending.signal });
  const events: string[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body ?? []) {
      for (const line of new TextDecoder().decode(chunk).trim().split('\n')) {
        events.push((JSON.parse(line) as { readonly type: string }).type);
      }
    }
  };
  read().catch(() => {});
  return events;
}

const saysLast = (server: TestServer, words: RegExp) =>
  server.until(async () => words.test(server.said.at(-1) ?? ''));

const patchTenant = (server: TestServer, part: string, body: object) =>
  server.operator.send('PATCH', `${TENANT}${part}`, body, 'application/merge-patch+json');

it('a client plays it, and sees what the controller of the run has seen', async () => {
  const server = await serving(await token(), [], {}, null, OPERATOR);
  const deleted = deleteTenant(server);
  await saysLast(server, /waits at step 1 of 14, .*for the operator: a watch of Disk.* and Tenant/);
  const tenants = await watching(server, 'tenants');
  const disks = await watching(server, 'disks');
  await deleted;
  await saysLast(server, /^waits at step 4 of 14, .* for the operator: POST Disk/);
  // The deletion is stored, and the operator is about to decide without it.
  const { body } = await server.get(TENANT);
  expect(body.metadata.deletionTimestamp).toBeDefined();
  // Nobody else removes the finalizer of the controller.
  expect(body.metadata.finalizers).toEqual(['example.com/release-disks']);
  expect(tenants).toEqual([]);
  expect((await createDisk(server)).code).toBe(201);
  // An operator decides anew with its answer, and so has the events of the run by then.
  expect(tenants).toEqual(['MODIFIED']);
  await saysLast(server, /^waits at step 8 of 14, .* for the operator: PUT Tenant/);
  // The disk is there, and the operator has not heard of it.
  expect((await server.get(DISK)).code).toBe(200);
  expect(disks).toEqual([]);
  const metadata = { ...body.metadata, finalizers: [] };
  expect((await server.operator.send('PUT', TENANT, { ...body, metadata })).code).toBe(200);
  expect([tenants, disks]).toEqual([['MODIFIED', 'DELETED'], ['ADDED']]);
  await server.gone(TENANT);
  await saysLast(server, /^the run is complete/);
});

it('a client that does better leaves the run, and sees everything', async () => {
  const server = await serving(await token(), [], {}, null, OPERATOR);
  const [, disks] = [await watching(server, 'tenants'), await watching(server, 'disks')];
  await deleteTenant(server);
  await createDisk(server);
  expect((await server.operator.send('DELETE', DISK)).code).toBe(200);
  expect(server.said.at(-1)).toMatch(/^left at step 8 of 14, .*the operator sends DELETE Disk/);
  await server.until(async () => disks.length === 2);
  await patchTenant(server, '', { metadata: { finalizers: null } });
  await server.gone(TENANT);
  await server.gone(DISK);
});

it('only the operator sends what its controller sends', async () => {
  const server = await serving(await token(), [], {}, null, OPERATOR);
  await watching(server, 'tenants');
  await watching(server, 'disks');
  await deleteTenant(server);
  await server.send('POST', `${RESOURCES}/disks`, { kind: 'Disk', metadata: { name: 'acme' } });
  expect(server.said.at(-1)).toMatch(/^left at step 4 of 14, .*a client sends POST Disk/);
});

it('all answers to the operator come after the events of the run', async () => {
  const server = await serving(await token(), [], {}, null, OPERATOR);
  const tenants = await watching(server, 'tenants');
  await watching(server, 'disks');
  const answers: string[] = [];
  const written = ['a', 'b'].map(async (label) => {
    await patchTenant(server, '', { metadata: { labels: { [label]: 'c' } } });
    answers.push(label);
  });
  await server.until(async () => tenants.length === 2);
  expect(answers).toEqual([]);
  await deleteTenant(server);
  await Promise.all(written);
});

it('writes that the model does not see are no part of the run', async () => {
  const server = await serving(await token(), [], {}, null, OPERATOR);
  const tenants = await watching(server, 'tenants');
  await watching(server, 'disks');
  await deleteTenant(server);
  const written = await patchTenant(server, '', { metadata: { labels: { a: 'b' } } });
  expect(written.body).toMatchObject({ metadata: { labels: { a: 'b' } } });
  const old = { metadata: { resourceVersion: '1', labels: { a: 'c' } } };
  expect((await patchTenant(server, '', old)).code).toBe(409);
  // It comes after what the operator has not seen yet.
  expect(tenants).toEqual([]);
  await createDisk(server);
  await patchTenant(server, '', { metadata: { finalizers: null } });
  await saysLast(server, /^the run is complete/);
});

it('the run waits for the operator, but not for ever', async () => {
  const impatient = { plays: { ...OPERATOR.plays, patience: 20 } };
  const server = await serving(await token(), [], {}, null, impatient);
  const deleted = deleteTenant(server);
  await saysLast(server, /^left at step 4 of 14, .*the operator does not send POST Disk/);
  expect(server.said.join('\n')).toMatch(/no watch of (Tenant|Disk).* nothing there can be late/);
  expect((await deleted).code).toBe(200);
});

it('an answer waits until the run needs the operator, but not for ever', async () => {
  const sent: string[] = [];
  const held = new HeldAnswers(PATIENCE);
  const first = held.hold().then(() => sent.push('first'));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent).toEqual([]);
  held.release();
  await first;
  await new HeldAnswers(1).hold();
});

it('a client that plays it reads what the controller of the run has read, early or late', async () => {
  const { stdout } = await runCli(['check', 'test/serve/torn-reads.ts']);
  const torn = stdout.match(/reapcheck replay (rt1:\S+)/)?.[1] ?? '';
  const server = await serving(torn, [], {}, null, OPERATOR);
  await watching(server, 'tenants');
  await deleteTenant(server);
  await saysLast(server, /for the operator: GET Disk/);
  // Bob is early, and the operator late: it gets the state in which there is no disk.
  const create = (plural: string, kind: string) =>
    server.send('POST', `${RESOURCES}/${plural}`, { kind, metadata: { name: 'acme' } });
  const disk = create('disks', 'Disk');
  await server.until(async () => {
    const { steps } = (await server.get('/reapcheck/steps')).body;
    return steps.some(({ name }) => name === 'serve');
  });
  // Another client is no operator, and is answered with what is stored.
  expect((await server.get(DISK)).code).toBe(404);
  expect(server.said.at(-1)).toMatch(/for the operator: GET Disk/);
  expect((await server.operator.get(DISK)).code).toBe(404);
  // The next read is early, and Bob is late.
  const volume = server.operator.get(`${RESOURCES}/volumes/acme`);
  await saysLast(server, /^waits at step 6 of 9, "bob: POST Volume/);
  expect((await create('volumes', 'Volume')).code).toBe(201);
  expect([(await disk).code, (await volume).code]).toEqual([201, 200]);
  await patchTenant(server, '', { metadata: { finalizers: null } });
  await saysLast(server, /^the run is complete/);
});

it('says which controllers a client can play', async () => {
  const words = ['serve', '--schedule', await token(), '--plays', 'tenants'];
  expectError(await runCli(words), /--plays needs --operator-kubeconfig FILE/);
  const file = ['--operator-kubeconfig', 'operator.yaml'];
  expectError(await runCli([...words, ...file]), /the run has no controller tenants/);
  expectError(
    await runCli(['serve', '--plays', 'tenants', ...file]),
    /--plays has no effect without/,
  );
  expectError(await runCli(['serve', '--patience', '5']), /--patience has no effect without/);
  expectError(await runCli(['serve', ...file]), /--operator-kubeconfig has no effect without/);
});

it('is exported as a test that starts the server so', async () => {
  const given = { input: await token(), check: null, property: null, maxMegabytes: 10, limits: {} };
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
