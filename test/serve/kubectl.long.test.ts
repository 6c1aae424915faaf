import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedPackage } from '../installed.ts';
import { type ServerProcess, serverProcess } from './process.ts';
import { ANYTHING } from './server.ts';

const bin = join(installedPackage(), 'dist', 'cli', 'main.js');

/** Debian: `apt-get install kubernetes-client`. */
const HAS_KUBECTL = spawnSync('kubectl', ['version', '--client']).status === 0;

/** kubectl, unmodified, on a server of its own. */
function kubectlOn({ kubeconfig, folder }: ServerProcess) {
  const run = (words: readonly string[], input = '') =>
    spawnSync('kubectl', ['--kubeconfig', kubeconfig, ...words], {
      encoding: 'utf8',
      input,
      env: { PATH: process.env.PATH, HOME: folder },
    });
  /** @returns what it prints. Fails if it fails. */
  const kubectl = (command: string, input: object | string = ''): string => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const { status, stdout, stderr } = run(command.split(' '), text);
    if (status !== 0) throw new Error(`kubectl ${command}: ${stderr}`);
    return stdout.trim();
  };
  const fails = (command: string, input: object | string = ''): string =>
    run(command.split(' '), typeof input === 'string' ? input : JSON.stringify(input)).stderr;
  return { kubectl, fails };
}

const configMap = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

describe.skipIf(!HAS_KUBECTL)('kubectl (skipped where there is no kubectl on the PATH)', () => {
  it('creates, applies, patches, labels, shows and deletes', async () => {
    const { kubectl, fails } = kubectlOn(await serverProcess(bin));
    expect(kubectl('create -f -', configMap('a'))).toBe('configmap/a created');
    expect(kubectl('get cm')).toMatch(/^NAME +DATA +AGE\na +0 +\d+s$/);
    expect(kubectl('apply -f -', { ...configMap('b'), data: { x: '1' } })).toBe(
      'configmap/b created',
    );
    expect(kubectl('apply -f -', { ...configMap('b'), data: { y: '1' } })).toBe(
      'configmap/b configured',
    );
    expect(kubectl('get cm b -o jsonpath={.data}')).toBe('{"y":"1"}');
    expect(kubectl('apply --server-side -f -', { ...configMap('c'), data: { x: '1' } })).toBe(
      'configmap/c serverside-applied',
    );
    kubectl('label cm a tier=front');
    kubectl('patch cm a -p {"metadata":{"annotations":{"k":"v"}}}');
    expect(kubectl('get cm -l tier=front -o name')).toBe('configmap/a');
    expect(fails('create -f -', configMap('a'))).toContain('(AlreadyExists)');
    expect(fails('create -f -', { ...configMap('d'), metadata: { name: 'd', nmae: 'x' } })).toMatch(
      /unknown field "metadata.nmae"/,
    );
    expect(kubectl('delete cm a b c')).toContain('configmap "a" deleted');
    expect(fails('get cm a')).toContain('Error from server (NotFound): configmaps "a" not found');
  });

  it('deletes with every cascade, and waits', async () => {
    const { kubectl, fails } = kubectlOn(await serverProcess(bin));
    const owned = (owner: string, name: string) => {
      const uid = kubectl(`get cm ${owner} -o jsonpath={.metadata.uid}`);
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid };
      return configMap(name, { ownerReferences: [{ ...reference, blockOwnerDeletion: true }] });
    };
    for (const cascade of ['background', 'foreground', 'orphan']) {
      kubectl('create -f -', configMap('owner'));
      kubectl('create -f -', owned('owner', cascade));
      kubectl(`delete cm owner --cascade=${cascade} --timeout=300s`);
      expect(fails('get cm owner')).toContain('NotFound');
    }
    kubectl('wait --for=delete cm/background --timeout=300s');
    expect(fails('get cm foreground')).toContain('NotFound');
    const path = 'jsonpath={.metadata.name}{.metadata.ownerReferences}';
    expect(kubectl(`get cm orphan -o ${path}`)).toBe('orphan');
    kubectl('create -f -', configMap('held', { finalizers: ['example.test/hold'] }));
    expect(fails('delete cm held --timeout=1s')).toContain('timed out');
    kubectl('patch cm held --type=json -p [{"op":"remove","path":"/metadata/finalizers"}]');
    kubectl('wait --for=delete cm/held --timeout=300s');
  });

  it('terminates namespaces, and removes custom resources with their definition', async () => {
    const { kubectl, fails } = kubectlOn(await serverProcess(bin));
    kubectl('create -f -', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    kubectl('-n shop create -f -', configMap('a'));
    kubectl('delete ns shop --timeout=300s');
    expect(fails('-n shop create -f -', configMap('a'))).toContain('namespaces "shop" not found');
    kubectl('create -f -', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.test' },
      spec: {
        group: 'example.test',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget', shortNames: ['wi'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: ANYTHING,
            additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          },
        ],
      },
    });
    kubectl('wait --for=condition=Established crd/widgets.example.test --timeout=300s');
    const widget = { apiVersion: 'example.test/v1', kind: 'Widget', metadata: { name: 'w' } };
    kubectl('create -f -', { ...widget, spec: { size: 3 } });
    expect(kubectl('get wi')).toMatch(/^NAME +SIZE\nw +3$/);
    kubectl('delete crd widgets.example.test --timeout=300s');
    expect(fails('get widgets')).toMatch(/resource type "widgets"|NotFound/);
  });

  it('makes objects of its own generators, which it sends as protocol buffers', async () => {
    const { kubectl } = kubectlOn(await serverProcess(bin));
    kubectl('create namespace shop');
    kubectl('-n shop create configmap a --from-literal=k=v');
    expect(kubectl('-n shop get cm a -o jsonpath={.data.k}')).toBe('v');
    kubectl('-n shop create secret generic s --from-literal=k=v');
    expect(kubectl('-n shop get secret s -o jsonpath={.data.k}')).toBe('dg==');
    kubectl('-n shop create deployment web --image=nginx --port=80');
    const image = 'jsonpath={.spec.template.spec.containers[0].image}';
    expect(kubectl(`-n shop get deploy web -o ${image}`)).toBe('nginx');
    kubectl('-n shop create service clusterip web --tcp=80:8080');
    const port = 'jsonpath={.spec.ports[0].targetPort}';
    expect(kubectl(`-n shop get svc web -o ${port}`)).toBe('8080');
    kubectl('-n shop scale deployment web --replicas=3');
    expect(kubectl('-n shop get deploy web -o jsonpath={.spec.replicas}')).toBe('3');
    expect(kubectl('-n shop get deploy web')).toMatch(/ READY +UP-TO-DATE.*\nweb +0\/3 +0/);
    kubectl('-n shop run web --image=nginx');
    expect(kubectl('-n shop get pods')).toMatch(/ STATUS +RESTARTS.*\nweb +0\/1 +Pending +0/);
    expect(kubectl('auth can-i delete pods')).toBe('yes');
  });
});
