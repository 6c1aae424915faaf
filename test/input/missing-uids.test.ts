import { describe, expect, it } from 'vitest';
import { runCli, temporaryFile } from '../cli/run-cli.ts';
import { namesIn, objectIn, readText } from './read-inputs.ts';

/** What `kubectl get deploy,rs,pod -n shop -o yaml | kubectl neat` prints. */
const NEAT = `apiVersion: v1
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    namespace: shop
  spec:
    replicas: 1
- apiVersion: apps/v1
  kind: ReplicaSet
  metadata:
    name: web-5d4
    namespace: shop
    ownerReferences:
    - apiVersion: apps/v1
      blockOwnerDeletion: true
      controller: true
      kind: Deployment
      name: web
      uid: aaaa
- apiVersion: v1
  kind: Pod
  metadata:
    name: web-5d4-x
    namespace: shop
    ownerReferences:
    - apiVersion: apps/v1
      controller: true
      kind: ReplicaSet
      name: web-5d4
      uid: bbbb
kind: List
`;

describe('objects without uids', () => {
  it('kubectl-neat: an object takes over the uid by which references name it', async () => {
    const dump = await readText(NEAT);
    expect(objectIn(dump, 'Deployment.apps/web.shop').uid).toBe('aaaa');
    expect(objectIn(dump, 'ReplicaSet.apps/web-5d4.shop').uid).toBe('bbbb');
    expect(objectIn(dump, 'Pod/web-5d4-x.shop').uid).toBe('uid-web-5d4-x');
    expect(dump.warnings).toEqual([
      '3 objects of the input have no uid: owner references that name Deployment.apps/web.shop, ReplicaSet.apps/web-5d4.shop are matched by kind, namespace and name; the input cannot say whether the owner was created again since',
    ]);
    const words = ['check', temporaryFile('neat.yaml', NEAT), '--delete', 'deploy/web'];
    const { stdout } = await runCli(words);
    expect(stdout).toMatch(/Warning +3 objects of the input have no uid/);
  });

  it('does not match an owner of another kind, name or namespace', async () => {
    const elsewhere = NEAT.replace('name: web\n    namespace: shop', 'name: web\n    namespace: b');
    const dump = await readText(elsewhere);
    expect(objectIn(dump, 'Deployment.apps/web.b').uid).toBe('uid-web');
    const other = await readText(
      NEAT.replace('kind: Deployment\n      name', 'kind: X\n      name'),
    );
    expect(objectIn(other, 'Deployment.apps/web.shop').uid).toBe('uid-web');
  });

  it('a uid that another object has is not taken over', async () => {
    const other = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: c, uid: aaaa}
`;
    const dump = await readText(NEAT + other);
    expect(objectIn(dump, 'Deployment.apps/web.shop').uid).toBe('uid-web');
    expect(objectIn(dump, 'ConfigMap/c').uid).toBe('aaaa');
  });

  it('refuses to choose between two uids', async () => {
    const older = `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: old
  namespace: shop
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: before}]
`;
    await expect(readText(NEAT + older)).rejects.toMatchObject({
      message:
        'Deployment.apps/web.shop has no uid, and two uids are given for it: aaaa and before',
      text: { where: { line: 40, field: 'metadata.ownerReferences' } },
    });
  });

  it('a claim takes over the uid by which its volume names it', async () => {
    const dump = await readText(`apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec: {claimRef: {namespace: shop, name: data, uid: cccc}}
`);
    expect(objectIn(dump, 'PersistentVolumeClaim/data.shop').uid).toBe('cccc');
  });

  it('helm template: names to be replaced, a namespace on a cluster role, references without uid', async () => {
    const dump = await readText(`# Source: chart/templates/role.yaml
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: RELEASE-NAME-reader, namespace: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: RELEASE-NAME-config}
---
# Source: chart/templates/empty.yaml
---
apiVersion: v1
kind: Secret
metadata:
  name: s
  uid: ""
  ownerReferences:
  - {apiVersion: v1, kind: ConfigMap, name: RELEASE-NAME-config}
  - {apiVersion: v1, kind: ConfigMap, name: elsewhere, uid: ""}
`);
    expect(namesIn(dump)).toEqual([
      'ClusterRole.rbac.authorization.k8s.io/RELEASE-NAME-reader',
      'ConfigMap/RELEASE-NAME-config',
      'Secret/s',
    ]);
    const config = objectIn(dump, 'ConfigMap/RELEASE-NAME-config');
    const owners = objectIn(dump, 'Secret/s').ownerReferences.map(({ uid }) => uid);
    expect(owners).toEqual([config.uid, 'uid-elsewhere']);
    expect(dump.warnings).toEqual([
      '3 objects of the input have no uid',
      '2 owner references without a uid are matched by kind, namespace and name',
    ]);
  });
});

describe('what old clusters have', () => {
  const BARE = [
    'customresourcecleanup.apiextensions.k8s.io',
    'foregroundDeletion',
    'kubernetes',
    'finalizer',
  ];

  it('finalizers without a slash, and null for what is not set', async () => {
    const dump = await readText(`apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com, uid: d, finalizers: [${BARE.join(', ')}]}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: a
  namespace: ""
  uid: u
  creationTimestamp: null
  deletionTimestamp: null
  deletionGracePeriodSeconds: null
  finalizers: null
  ownerReferences: null
  labels: null
  annotations: null
secrets: null
`);
    const definition = 'CustomResourceDefinition.apiextensions.k8s.io/widgets.example.com';
    expect(objectIn(dump, definition).finalizers).toEqual(BARE);
    expect(objectIn(dump, 'ServiceAccount/a')).toMatchObject({
      namespace: 'default',
      finalizers: [],
      ownerReferences: [],
      deletionTimestamp: null,
    });
  });
});
