import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { documentOf, dump, runCli, temporaryFile } from '../cli/run-cli.ts';

describe('dumps', () => {
  it('reads YAML and JSON, one file and several, and stdin alike', async () => {
    const question = ['--delete', 'deploy/worker', '-n', 'shop'];
    const fates = async (...files: readonly string[]) =>
      (await documentOf([...files, ...question])).checks[0]!.fates.map(({ object, fate }) => [
        object,
        fate,
      ]);
    const yaml = await fates(dump('shop.yaml'));
    expect(yaml.length).toBeGreaterThan(0);
    expect(await fates(dump('shop.json'))).toEqual(yaml);
    expect(await fates(dump('shop.yaml'), dump('namespaces.yaml'))).toEqual(yaml);
    const { stdout } = await runCli(['check', '-', ...question, '--format', 'json'], {
      stdin: readFileSync(dump('shop.yaml'), 'utf8'),
    });
    const piped = JSON.parse(stdout) as ResultDocument;
    expect(piped.checks[0]!.fates.map(({ object, fate }) => [object, fate])).toEqual(yaml);
  });

  const CASES = [
    ['shop.yaml', 'deploy/web'],
    ['shop.json', 'Deployment.apps/worker.shop'],
    ['shop-worker-stuck.yaml', 'deploy/worker'],
    ['namespaces.yaml', 'ns/ledger'],
    ['ledger-cluster-scoped.yaml', 'clusterrole/ledger-reader'],
    ['ledger.yaml', 'cm/parent'],
    ['ledger.yaml', 'cm/ring-a.ledger'],
    ['ledger.yaml', 'secrets/odd'],
  ] as const;

  it.each(CASES)('%s: %s can be asked about under every policy', async (file, target) => {
    for (const cascade of ['background', 'foreground', 'orphan']) {
      const words = ['check', dump(file), '--delete', target, '--cascade', cascade];
      const { code, stderr, stdout } = await runCli(words);
      expect(stderr).toBe('');
      expect([0, 1, 3]).toContain(code);
      expect(stdout).toMatch(/\n {2}[-~!=?] (goes|depends|hangs|stays|unknown)/);
    }
  });

  it('tells the fate of stuck objects, and what holds them', async () => {
    const held = 'vault.example.com/wipe';
    const words = [
      'check',
      dump('ledger.yaml'),
      '--delete',
      'cm/parent',
      '--cascade',
      'foreground',
    ];
    const free = await runCli(words);
    expect(free.stdout).toMatch(
      /~ depends +ConfigMap\/parent.*\n +~ depends +└─ ConfigMap\/child-held/,
    );
    const stuck = await runCli([...words, '--stuck-finalizer', held]);
    expect(stuck.stdout).toMatch(
      /! hangs +ConfigMap\/parent.*\n +! hangs +└─ ConfigMap\/child-held/,
    );
    expect(stuck.stdout.replaceAll(/\s+/g, ' ')).toContain(`to remove ${held}`);
    expect(stuck.stdout).toMatch(/parent\.ledger waits for its dependent ConfigMap\/child-held/);
  });

  it('shows a run for each outcome where the order of events decides', async () => {
    const cluster = `apiVersion: v1
kind: ConfigMap
metadata: {name: p, uid: u-p}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: d
  uid: u-d
  ownerReferences:
    - {apiVersion: v1, kind: ConfigMap, name: p, uid: u-p}
    - {apiVersion: v1, kind: ConfigMap, name: ghost, uid: u-ghost}
`;
    const file = temporaryFile('dump.yaml', cluster);
    const words = ['delete', file, 'cm/p', '--cascade', 'orphan', '--traces'];
    const { code, stdout } = await runCli(words);
    expect(code).toBe(1);
    expect(stdout).toMatch(/- goes +ConfigMap\/p .*\n +~ depends +└─ ConfigMap\/d\n/);
    expect(stdout).toMatch(/Counterexample to "ConfigMap\/d .*goes".*Stays like this for ever/s);
  });

  it('keeps no contents: nothing of specs, data or annotations is in the result', async () => {
    const secret = `apiVersion: v1
kind: Secret
metadata: {name: a, uid: u, annotations: {key: hunter2}, labels: {__proto__: hunter2}}
data: {password: hunter2}
constructor: hunter2
`;
    const file = temporaryFile('dump.yaml', secret);
    const { code, stdout } = await runCli([
      ...['check', file, '--delete', 'secret/a', '--format', 'json'],
    ]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('hunter2');
    expect(stdout).toContain('data (1)');
  });

  it('takes names of JavaScript for names: constructor, toString', async () => {
    const custom = `apiVersion: example.com/v1
kind: Constructor
metadata: {name: constructor, namespace: tostring, uid: u, finalizers: [constructor]}
`;
    const file = temporaryFile('dump.yaml', custom);
    const { code, stdout } = await runCli(['check', file, '--delete', 'constructor/constructor']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/~ depends +Constructor\.example\.com\/constructor\.tostring/);
  });

  it('shows strange names that Kubernetes permits in words', async () => {
    const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "a\\e[2Jb\\u202e", uid: u}
`;
    const file = temporaryFile('dump.yaml', role);
    const words = ['check', file, '--delete', 'clusterrole/a\u001b[2Jb\u202e'];
    const { code, stdout } = await runCli(words);
    expect(code).toBe(0);
    expect(stdout).toContain('a\\x1b[2Jb\\u202e');
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it('warns of a cluster-scoped object with a namespaced owner, and of owners that are missing', async () => {
    const { stdout } = await runCli([
      ...['check', dump('ledger.yaml'), dump('ledger-cluster-scoped.yaml')],
      ...['--delete', 'cm/left', '--delete', 'secret/odd'],
    ]);
    const flat = stdout.replaceAll(/\s+/g, ' ');
    expect(flat).toContain('ledger-reader is cluster-scoped and names the namespaced owner');
    expect(flat).toContain('the dump has no Widget');
    const alone = await runCli([
      ...['check', dump('ledger-cluster-scoped.yaml'), '--delete', 'clusterrole/ledger-reader'],
    ]);
    expect(alone.stdout).toMatch(/Warning/);
  });

  it('warns of two controllers, which no API server accepts', async () => {
    const owner = (name: string) =>
      `{apiVersion: v1, kind: ConfigMap, name: ${name}, uid: u-${name}, controller: true}`;
    const object = (name: string, owners: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, uid: u-${name}, ownerReferences: [${owners}]}\n`;
    const both = `${owner('a')}, ${owner('b')}`;
    const text = [object('a', ''), object('b', ''), object('c', both)].join('---\n');
    const { code, stdout } = await runCli(['delete', temporaryFile('dump.yaml', text), 'cm/a']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/names ConfigMap\/a and ConfigMap\/b as its controller/);
  });

  it('puts an object without a namespace into default', async () => {
    const file = temporaryFile(
      'dump.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a.b, uid: u}\n',
    );
    for (const target of ['cm/a.b', 'ConfigMap/a.b.default', 'configmaps/a.b']) {
      const { code, stdout } = await runCli(['check', file, '--delete', target]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^ConfigMap\/a\.b goes/);
    }
  });
});
