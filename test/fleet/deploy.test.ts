import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { PASSWORD_VARIABLE } from '../../fleet/redis/address.ts';
import { PACKAGE_FOLDER, packageVersion } from '../../input/package-files.ts';
import { expectError, runCli } from '../cli/run-cli.ts';
import { freePort } from './redis-server.ts';

const read = (...path: readonly string[]): string =>
  readFileSync(join(PACKAGE_FOLDER, 'deploy', ...path), 'utf8');

const compose = parse(read('compose.yaml'));
const values = parse(read('kubernetes', 'redis-values.yaml'));
const [job, policy] = parseAllDocuments(read('kubernetes', 'workers.yaml')).map((one) =>
  one.toJS(),
);
const { containers } = job.spec.template.spec;

it.each([
  ['compose.yaml', compose.services.worker.command],
  ['kubernetes/workers.yaml', containers[0].args],
])('the worker takes the arguments of %s', async (_file, args: readonly string[]) => {
  const nowhere = `redis://127.0.0.1:${await freePort()}`;
  const words = args.map((word) => (word.startsWith('redis://') ? nowhere : word));
  expectError(await runCli(['fleet', 'worker', ...words, '--away', '0.1']), /has not answered/);
});

it('the files name the same version, secret, host and labels', () => {
  const version = packageVersion();
  expect(compose.services.worker.build.args.VERSION).toBe(`\${REAPCHECK_VERSION:-${version}}`);
  expect(containers[0].image).toMatch(new RegExp(`:${version}$`));
  const [{ name, valueFrom }] = containers[0].env;
  expect(name).toBe(PASSWORD_VARIABLE);
  expect(Object.keys(compose.services.worker.environment)).toEqual([PASSWORD_VARIABLE]);
  const { existingSecret, existingSecretPasswordKey } = values.auth;
  expect(valueFrom.secretKeyRef).toEqual({ name: existingSecret, key: existingSecretPasswordKey });
  // The chart names the service after the release.
  expect(read('kubernetes', 'redis-values.yaml')).toContain('helm install fleet-redis ');
  expect(containers[0].args).toContain('redis://fleet-redis-master:6379');
  expect(policy.spec.podSelector.matchLabels).toEqual({
    'app.kubernetes.io/instance': 'fleet-redis',
  });
  const [allowed] = policy.spec.ingress[0].from;
  expect(allowed.podSelector.matchLabels).toEqual(job.spec.template.metadata.labels);
});

// Policies add up: that of the chart, which is on unless a value says no, lets all pods in.
it('no other policy than that of workers.yaml opens Redis', () => {
  expect(values.networkPolicy).toEqual({ enabled: false });
  expect(policy.spec.podSelector.matchLabels['app.kubernetes.io/instance']).toBe('fleet-redis');
});

it('Redis refuses what it cannot keep, and keeps what is there', () => {
  const [, , script] = compose.services.redis.command;
  expect(script).toMatch(/--maxmemory-policy noeviction --appendonly yes/);
  expect(values.commonConfiguration).toMatch(/^maxmemory-policy noeviction\nappendonly yes$/m);
});
