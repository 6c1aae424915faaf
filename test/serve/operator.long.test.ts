import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { operatorKubeconfigFor } from '../../serve/kubeconfig.ts';
import { runCli } from '../cli/run-cli.ts';
import { PATIENCE } from '../clock.ts';
import { serving, type TestServer } from './server.ts';

/** A counterexample of the model, against an operator in a process of its own. */

const OPERATOR = fileURLToPath(new URL('./tenant-operator.mjs', import.meta.url));
const TENANT = '/apis/example.com/v1/namespaces/default/tenants/acme';
const DISK = '/apis/example.com/v1/namespaces/default/disks/acme';

const checked = runCli(['check', 'examples/operators/stale-teardown.ts']);

/** The server with the counterexample, and the operator in the place of its controller. */
async function withOperator(env: Readonly<Record<string, string>>): Promise<TestServer> {
  const token = (await checked).stdout.match(/reapcheck replay (rt1:\S+)/)?.[1] ?? '';
  const plays = { controller: 'tenant-operator', patience: PATIENCE };
  const server = await serving(token, [], {}, null, { plays });
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-operator-'));
  const kubeconfig = join(folder, 'kubeconfig.yaml');
  writeFileSync(kubeconfig, operatorKubeconfigFor(server.url));
  const child = spawn(process.execPath, [OPERATOR], {
    env: { PATH: process.env.PATH, KUBECONFIG: kubeconfig, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  return server;
}

const deleteTenant = (server: TestServer) =>
  server.send('DELETE', TENANT, { propagationPolicy: 'Background' });

it('an operator with the defect of the run loses its disk', async () => {
  const server = await withOperator({});
  await deleteTenant(server);
  await server.gone(TENANT);
  await server.until(async () => /^the run is complete/.test(server.said.at(-1) ?? ''));
  expect((await server.get(DISK)).code).toBe(200);
});

it('an operator that is mended does not, and the server says where it does better', async () => {
  const server = await withOperator({ LIVE: '1' });
  await deleteTenant(server);
  await server.gone(TENANT);
  await server.gone(DISK);
  expect(server.said.at(-1)).toMatch(/^left at step 8 of 14, .* the operator sends DELETE Disk/);
});
