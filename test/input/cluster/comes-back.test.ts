import { describe, expect, it } from 'vitest';
import { aroundDeletion } from './around-deletion.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

const around = (items: readonly Manifest[], ...targets: readonly string[]) =>
  aroundDeletion(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), ...targets);

function manifest(
  apiVersion: string,
  kind: string,
  name: string,
  metadata: Readonly<Record<string, unknown>> = {},
  fields: Readonly<Record<string, unknown>> = {},
): Manifest {
  return { apiVersion, kind, metadata: { name, uid: `${kind} ${name}`, ...metadata }, ...fields };
}

function ownedBy({ apiVersion, kind, metadata }: Manifest) {
  const { name, uid } = metadata;
  return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] };
}

describe('what comes back, or stays, besides', () => {
  const besides = (items: readonly Manifest[], target: string) =>
    around(items, target).besides.map(({ what }) => what);
  const shop = { namespace: 'shop' };
  const node = manifest('v1', 'Node', 'n');

  it('objects that the control plane makes by their names', () => {
    const service = manifest('v1', 'Service', 'web', shop);
    const endpoints = manifest('v1', 'Endpoints', 'web', shop);
    const root = manifest('v1', 'ConfigMap', 'kube-root-ca.crt', shop);
    const account = manifest('v1', 'ServiceAccount', 'default', shop);
    const namespace = manifest('v1', 'Namespace', 'shop', {}, { spec: { finalizers: [] } });
    const all = [service, endpoints, root, account, namespace];
    expect(besides(all, 'endpoints/web.shop')).toEqual([
      'the endpoints controller makes Endpoints/web.shop anew',
    ]);
    expect(besides([endpoints], 'endpoints/web.shop')).toEqual([]);
    expect(besides(all, 'cm/kube-root-ca.crt.shop')).toHaveLength(1);
    expect(besides(all, 'sa/default.shop')).toHaveLength(1);
    expect(besides(all, 'ns/shop')).toEqual([]);
  });

  it.each([
    [
      1,
      [
        'ReplicaSet.apps/web.shop has 2 active pods and wants 1: its controller deletes any 1 of them by itself, and replaces what is deleted after that',
      ],
    ],
    [2, []],
  ])('surplus pods of a ReplicaSet that wants %i', (replicas, expected) => {
    const set = manifest('apps/v1', 'ReplicaSet', 'web', shop, { spec: { replicas } });
    const pods = ['a', 'b'].map((name) =>
      manifest('v1', 'Pod', name, { ...shop, ...ownedBy(set) }),
    );
    expect(besides([set, ...pods], 'pod/a.shop')).toEqual(expected);
  });

  it.each([
    [2, 2],
    [1, 1],
    [0, 0],
  ])('of a ReplicaSet that wants %i, %i of two pods', (replicas, count) => {
    const set = manifest('apps/v1', 'ReplicaSet', 'web', shop, { spec: { replicas } });
    const pods = ['a', 'b'].map((name) =>
      manifest('v1', 'Pod', name, { ...shop, ...ownedBy(set) }),
    );
    const { replaced, replacedBeside } = around([set, ...pods], 'pod/a.shop', 'pod/b.shop');
    expect([...replaced, ...replacedBeside]).toHaveLength(count);
  });

  it('a mirror pod', () => {
    const pod = manifest('v1', 'Pod', 'etcd-n', { namespace: 'kube-system', ...ownedBy(node) });
    expect(besides([node, pod], 'pod/etcd-n.kube-system')).toEqual([
      expect.stringMatching(/^the kubelet of n makes Pod\/etcd-n.kube-system anew/),
    ]);
  });

  it.each([
    ['argoproj.io/v1alpha1', 'Application', [], {}, /Argo CD leaves everything that it tracks/],
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', [], { prune: true }, /has no finalizers/],
    [
      'kustomize.toolkit.fluxcd.io/v1',
      'Kustomization',
      ['finalizers.fluxcd.io'],
      { prune: false },
      /does not prune/,
    ],
    ['helm.toolkit.fluxcd.io/v2', 'HelmRelease', [], {}, /leaves the release installed/],
  ])('what %s %s with finalizers %j tracks', (apiVersion, kind, finalizers, spec, says) => {
    const tracker = manifest(apiVersion, kind, 'apps', { ...shop, finalizers }, { spec });
    const found = besides([tracker], `${kind.toLowerCase()}/apps.shop`);
    expect(found).toEqual([expect.stringMatching(says)]);
  });

  it('a pod that a DaemonSet replaces, unless its node goes', () => {
    const set = manifest('apps/v1', 'DaemonSet', 'agent', shop);
    const metadata = { ...shop, ...ownedBy(set) };
    const pod = manifest('v1', 'Pod', 'agent-x', metadata, { spec: { nodeName: 'n' } });
    const replaced = (target: string) =>
      around([node, set, pod], target).replaced.map(({ object }) => object);
    expect(replaced('pod/agent-x.shop')).toEqual(['Pod/shop/agent-x']);
    expect(replaced('node/n')).toEqual([]);
  });

  it('a pod that a StatefulSet replaces, by its first ordinal', () => {
    const spec = { replicas: 1, ordinals: { start: 5 } };
    const set = manifest('apps/v1', 'StatefulSet', 'db', shop, { spec });
    const pods = ['db-5', 'db-6'].map((name) =>
      manifest('v1', 'Pod', name, { ...shop, ...ownedBy(set) }),
    );
    const replaced = (target: string) => around([set, ...pods], target).replaced.length;
    expect(replaced('pod/db-5.shop')).toBe(1);
    expect(replaced('pod/db-6.shop')).toBe(0);
  });
});

it('the owner of a finalizer is searched for if the dump does not have it', () => {
  const settle = (finalizer: string, others: readonly Manifest[] = []) => {
    const service = manifest('v1', 'Service', 'a', { namespace: 'x', finalizers: [finalizer] });
    return around([service, ...others], 'svc/a.x').finalizers[0]?.settle;
  };
  const listing = 'kubectl get deployments,statefulsets,daemonsets -A';
  expect(settle('example.com/hold')).toBe(listing);
  expect(settle('finalizer.keda.sh')).toMatch(/ -A \| grep -E /);
  expect(settle('service.kubernetes.io/load-balancer-cleanup')).toBe(null);
  const idle = { spec: { replicas: 0 } };
  const operator = manifest('apps/v1', 'Deployment', 'keda-operator', { namespace: 'x' }, idle);
  expect(settle('finalizer.keda.sh', [operator])).toBe(null);
});
