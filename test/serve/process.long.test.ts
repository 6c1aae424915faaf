import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectError, runCli } from '../cli/run-cli.ts';
import { installedPackage } from '../installed.ts';
import { serverProcess } from './process.ts';

const bin = join(installedPackage(), 'dist', 'cli', 'main.js');

it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 at %s, with a watch open', async (signal) => {
  const { child, url, said } = await serverProcess(bin);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(said()).not.toContain('authentication');
  const watch = await fetch(`${url}/api/v1/namespaces?watch=true`);
  expect(watch.status).toBe(200);
  watch.text().catch(() => {});
  child.kill(signal);
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

it('says that it has no authentication where others can reach it', async () => {
  const { said } = await serverProcess(bin, ['--address', '0.0.0.0']);
  expect(said()).toMatch(/warning: there is no authentication/);
});

it('begins with the objects of a dump, and with those of a scenario', async () => {
  const { folder } = await serverProcess(bin);
  const dump = join(folder, 'dump.json');
  const metadata = { name: 'a', namespace: 'shop', uid: 'uid-a', labels: { app: 'web' } };
  const item = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: 'value' } };
  writeFileSync(dump, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item] }));
  const fromDump = await serverProcess(bin, [dump]);
  const response = await fetch(`${fromDump.url}/api/v1/namespaces/shop/configmaps/a`);
  expect(await response.json()).toMatchObject({ metadata, data: { key: 'value' } });
  const fromScenario = await serverProcess(bin, ['foreground-diamond']);
  const all = await fetch(`${fromScenario.url}/api/v1/configmaps`);
  expect(((await all.json()) as { items: unknown[] }).items.length).toBeGreaterThan(0);
});

it('refuses what it does not understand', async () => {
  expectError(await runCli(['serve', '--schedule', 'slow']), /there is no schedule "slow"/);
  expectError(await runCli(['serve', '--port', '70000']), /port/);
  expectError(await runCli(['serve', 'no-such-scenario']), /no-such-scenario/);
});
