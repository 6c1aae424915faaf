import { expect, it } from 'vitest';
import { temporaryFile } from '../cli/run-cli.ts';
import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';
import { answerTo } from './truth-rows.ts';

const REFLECTOR = 'reflector.v1.k8s.emberstack.com';
const COPIED = 'replicator.v1.mittwald.de/replicated-at';
const mirror = (name: string, parts: object, finalizers?: readonly string[]) =>
  made('v1 Secret', name, {
    annotations: { [`${REFLECTOR}/reflects`]: 'a/tls', ...parts },
    ...(finalizers === undefined ? {} : { finalizers }),
  });
const AUTO = { [`${REFLECTOR}/auto-reflects`]: 'True' };
const MANY = [
  made('v1 Secret', 'a/tls'),
  ...[1, 2, 3, 4, 5, 6, 7].map((place) => mirror(`b${place}/tls`, AUTO)),
];
const VPA = 'autoscaling.k8s.io/v1 VerticalPodAutoscaler';
const pool = (parts: object) => [
  made('minio.min.io/v2 Tenant', 'a/t', { spec: { pools: [{ name: 'p', ...parts }] } }),
  made('v1 PersistentVolumeClaim', 'a/data', { labels: { 'v1.min.io/tenant': 't' } }),
];
const binding = (name: string, parts: object = {}) =>
  made('rbac.authorization.k8s.io/v1 RoleBinding', name, {
    ...parts,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  });
const TREE = [
  binding('a/dev'),
  binding('b/dev', { labels: { 'hnc.x-k8s.io/inherited-from': 'a' } }),
];

/** What tools delete with an object, without an owner reference or a finalizer. */
const COPIES: readonly Question[] = [
  {
    truth: 'Reflector deletes what it has reflected by itself (SecretMirror), and no other mirror',
    objects: [
      made('v1 Secret', 'a/tls'),
      mirror('b/tls', { [`${REFLECTOR}/auto-reflects`]: 'True' }),
      mirror('c/hand', {}),
    ],
    ...{ ask: 'secret/tls -n a', answer: 'open' },
    fates: { 'Secret/tls.a': 'goes', 'Secret/tls.b': 'depends' },
    says: /^(?!.*hand\.c (goes|depends)).*Reflector, if it runs, deletes it with Secret\/tls\.a/,
  },
  {
    truth: 'the replicator deletes the copies that it has pushed; a copy is no source',
    objects: ['a', 'b', 'c'].map((namespace) =>
      made('v1 Secret', `${namespace}/tls`, {
        annotations: namespace === 'a' ? {} : { [COPIED]: '2026-01-02T03:04:05Z' },
      }),
    ),
    ...{ ask: 'secret/tls -n a', answer: 'open' },
    fates: { 'Secret/tls.b': 'depends', 'Secret/tls.c': 'depends' },
  },
  {
    truth: 'and takes the data off those that have pulled theirs (PatchDeleteDependent)',
    objects: ['a', 'b', 'c'].map((namespace) =>
      made('v1 Secret', `${namespace}/tls`, {
        annotations: {
          ...(namespace === 'b' ? { 'replicator.v1.mittwald.de/replicate-from': 'a/tls' } : {}),
          ...(namespace === 'b' ? { [COPIED]: '2026-01-02T03:04:05Z' } : {}),
        },
      }),
    ),
    ...{ ask: 'secret/tls -n a', answer: 'goes', fates: { 'Secret/tls.a': 'goes' } },
    says: /Secret\/tls\.b, a copy of Secret\/tls\.a, stays, and kubernetes-replicator, if it runs, takes/,
  },
  ...[true, false].map(
    (isSaid): Question => ({
      truth: `external-dns deletes the records of hosts that an Ingress has, or says (${isSaid})`,
      objects: [
        made('networking.k8s.io/v1 Ingress', 'a/web', {
          annotations: isSaid ? { 'external-dns.alpha.kubernetes.io/hostname': 'x.org' } : {},
        }),
        ...(isSaid ? [] : [runs('dns/external-dns')]),
      ],
      ...{ ask: 'ing/web -n a', answer: 'goes' },
      says: /external-dns, if it runs, deletes the DNS records of Ingress\S+, unless/,
    }),
  ),
  {
    truth: 'of many copies, a few stand for all: each would be searched',
    objects: MANY,
    ...{ ask: 'secret/tls -n a', answer: 'open', fates: { 'Secret/tls.b5': 'depends' } },
    says: /as 2 more objects that the answer leaves out.* 2 objects cut: further copies that a tool/,
  },
  {
    truth: 'copies that go anyway do not stand for the others',
    objects: MANY,
    ask: `secret/tls.a ${[1, 2, 3, 4, 5].map((place) => `secret/tls.b${place}`).join(' ')}`,
    ...{ answer: 'open', fates: { 'Secret/tls.b6': 'depends', 'Secret/tls.b7': 'depends' } },
  },
  {
    truth: 'of many copies, those that can hang are shown first',
    objects: [...MANY, mirror('c/tls', AUTO, ['acme.io/hold'])],
    ...{ ask: 'secret/tls -n a', answer: 'open', fates: { 'Secret/tls.c': 'depends' } },
  },
  {
    truth: 'the labels of copies of Config Syncer, and of policies, name what they are of',
    objects: [
      made('v1 ConfigMap', 'a/c'),
      made('v1 ConfigMap', 'b/c', {
        labels: {
          'kubed.appscode.com/origin.name': 'c',
          'kubed.appscode.com/origin.namespace': 'a',
        },
      }),
      made('policy.open-cluster-management.io/v1 Policy', 'a/p'),
      made('policy.open-cluster-management.io/v1 Policy', 'b/a.p', {
        labels: { 'policy.open-cluster-management.io/root-policy': 'a.p' },
      }),
    ],
    ...{ ask: 'cm/c policy/p -n a', answer: 'open' },
    fates: { 'ConfigMap/c.b': 'depends', 'Policy/a.p.b': 'depends' },
  },
  {
    truth: 'HNC deletes what the namespaces beneath have inherited',
    objects: TREE,
    ...{ ask: 'rolebinding/dev -n a', answer: 'open' },
    fates: { 'RoleBinding/dev.a': 'goes', 'RoleBinding/dev.b': 'depends' },
  },
  {
    truth: 'HNC keeps up what a namespace inherits',
    objects: TREE,
    ...{ ask: 'rolebinding/dev -n b', answer: 'goes', fates: { 'RoleBinding/dev.b': 'goes' } },
    says: /RoleBinding\S+\/dev\.a stays, and HNC may make RoleBinding\S+\/dev\.b anew/,
  },
  {
    truth: 'the recommender deletes checkpoints without an autoscaler (GarbageCollectCheckpoints)',
    objects: [
      made(VPA, 'a/web'),
      made(`${VPA}Checkpoint`, 'a/web-app', { spec: { vpaObjectName: 'web' } }),
    ],
    ...{ ask: 'vpa/web -n a', answer: 'open' },
    fates: { 'VerticalPodAutoscaler/web': 'goes', VerticalPodAutoscalerCheckpoint: 'depends' },
  },
  {
    truth: 'MinIO deletes the claims of a pool with reclaimStorage (minio/operator#1828)',
    objects: pool({ reclaimStorage: true }),
    ...{ ask: 'tenant/t -n a', answer: 'open', fates: { PersistentVolumeClaim: 'depends' } },
  },
  {
    truth: 'without its pools, the dump does not say whether MinIO deletes their claims',
    objects: [made('minio.min.io/v2 Tenant', 'a/t'), ...pool({}).slice(1)],
    ...{ ask: 'tenant/t -n a', answer: 'open', fates: { PersistentVolumeClaim: 'depends' } },
  },
  {
    truth: 'and leaves those of all others',
    objects: pool({}),
    ...{ ask: 'tenant/t -n a', answer: 'goes', fates: { Tenant: 'goes' } },
  },
  {
    truth: 'SR-IOV deletes the network of a SriovNetwork in the namespace that it names',
    objects: [
      runs('op/sriov-network-operator'),
      made('sriovnetwork.openshift.io/v1 SriovNetwork', 'op/fast', {
        finalizers: ['netattdef.finalizers.sriovnetwork.openshift.io'],
        spec: { networkNamespace: 'shop' },
      }),
      ...['shop', 'op'].map((namespace) =>
        made('k8s.cni.cncf.io/v1 NetworkAttachmentDefinition', `${namespace}/fast`),
      ),
    ],
    ask: 'sriovnetwork/fast -n op',
    answer: 'goes',
    fates: { 'NetworkAttachmentDefinition/fast.shop': 'goes', Sriov: 'goes' },
  },
  ...[
    { ask: 'resourcebinding/web -n shop', fates: { 'Work/web': 'goes', ResourceBinding: 'goes' } },
    // `isTargetClusterRemoved`
    { ask: 'cluster/m', fates: { Cluster: 'depends', 'Namespace/karmada-es-m': 'depends' } },
  ].map(
    ({ ask, fates }): Question => ({
      truth: 'Karmada deletes works and execution namespaces without owner references',
      objects: [
        runs('karmada-system/karmada-controller-manager'),
        made('cluster.karmada.io/v1alpha1 Cluster', 'm', {
          finalizers: ['karmada.io/cluster-controller'],
        }),
        made('v1 Namespace', 'karmada-es-m'),
        ...['v1 ConfigMap', 'v1 ServiceAccount'].map((type) =>
          made(type, `karmada-es-m/${type.endsWith('Map') ? 'kube-root-ca.crt' : 'default'}`),
        ),
        made('work.karmada.io/v1alpha2 ResourceBinding', 'shop/web', {
          finalizers: ['karmada.io/binding-controller'],
          spec: { clusters: [{ name: 'm' }] },
        }),
        made('work.karmada.io/v1alpha1 Work', 'karmada-es-m/web-1', {
          finalizers: ['karmada.io/execution-controller'],
          annotations: {
            'resourcebinding.karmada.io/name': 'web',
            'resourcebinding.karmada.io/namespace': 'shop',
          },
        }),
      ],
      ask,
      answer: ask.startsWith('cluster') ? 'open' : 'goes',
      fates,
    }),
  ),
];

const HELD = 'acme.io/v1 Held';

const DATABASE = 'enterprise.splunk.com/v4 IndexerCluster';
const database = (kind: string, finalizers: readonly string[]) => [
  made(kind, 'a/db', { finalizers }),
  made('apps/v1 StatefulSet', 'a/db', {
    owners: [owner(kind, 'a/db')],
    spec: { replicas: 1, volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
  }),
  made('v1 PersistentVolumeClaim', 'a/data-db-0', {
    finalizers: ['kubernetes.io/pvc-protection'],
  }),
];

/** Claims that no owner reference leads to. */
const CLAIMS: readonly Question[] = [
  {
    truth: 'the operator of Splunk deletes the claims (DeleteSplunkPvc); nothing is known of it',
    objects: database(DATABASE, ['enterprise.splunk.com/delete-pvc']),
    ...{ ask: 'indexercluster/db -n a', answer: 'open' },
    fates: { PersistentVolumeClaim: 'depends' },
    says: /the owner of enterprise\.splunk\.com\/delete-pvc may delete the claims of IndexerCluster/,
  },
  {
    truth: 'an owner of a finalizer deletes the claims of pods that its object owns itself',
    objects: [
      made(HELD, 'a/x', { finalizers: ['acme.io/data'] }),
      made('v1 Pod', 'a/p', {
        owners: [owner(HELD, 'a/x')],
        spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }] },
      }),
      made('v1 PersistentVolumeClaim', 'a/c', { finalizers: ['kubernetes.io/pvc-protection'] }),
    ],
    ...{ ask: 'held/x -n a --cooperative-finalizer acme.io/data', answer: 'open' },
    fates: { PersistentVolumeClaim: 'depends' },
  },
  {
    truth: 'without a finalizer, the claims of a StatefulSet stay',
    objects: database(DATABASE, []),
    ...{ ask: 'indexercluster/db -n a', answer: 'open' },
    fates: { IndexerCluster: 'goes', PersistentVolumeClaim: 'stays' },
  },
];

const CHAOS = 'chaos-mesh.org/v1alpha1 PodChaos';
const SILENT: readonly Question[] = [
  {
    truth: 'a webhook whose Service is gone refuses the PATCH (chaos-mesh#4431)',
    objects: [
      made(CHAOS, 'a/x', { leaving: true, finalizers: ['chaos-mesh/records'] }),
      made('v1 Service', 'sys/other'),
      made('admissionregistration.k8s.io/v1 MutatingWebhookConfiguration', 'mutation', {
        webhooks: [
          {
            ...{ name: 'mpodchaos.kb.io', failurePolicy: 'Fail' },
            clientConfig: { service: { namespace: 'sys', name: 'chaos' } },
            rules: [
              {
                ...{ apiGroups: ['chaos-mesh.org'], apiVersions: ['*'] },
                ...{ resources: ['podchaos'], operations: ['UPDATE'] },
              },
            ],
          },
        ],
      }),
    ],
    ...{ ask: 'explain podchaos/x -n a', answer: 'open' },
    says: /Look at .* kubectl delete mutatingwebhookconfigurations\S* mutation/,
  },
];

describeQuestions('answers about copies and records', COPIES);
describeQuestions('answers about claims that an operator may delete', CLAIMS);
describeQuestions('answers about webhooks that never answer again', SILENT);

it('the owner of a finalizer deletes claims also where a row of the user says it', async () => {
  const row = {
    ...{ name: 'acme.io/data', project: 'Acme', owner: 'the Acme operator', runs: 'workload' },
    ...{ waitsFor: 'its claims', workloads: ['acme-operator'], deletesClaims: true },
    ...{ leaves: 'its data', documented: 'https://acme.io' },
  };
  const table = temporaryFile('table.yaml', JSON.stringify({ finalizers: [row] }));
  const items = [
    runs('op/acme-operator'),
    made('v1 ConfigMap', 'a/x', { finalizers: ['acme.io/data'] }),
    made('v1 Pod', 'a/p', {
      owners: [owner('v1 ConfigMap', 'a/x')],
      spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }] },
    }),
    made('v1 PersistentVolumeClaim', 'a/c', { finalizers: ['kubernetes.io/pvc-protection'] }),
  ];
  const { named, text } = await answerTo(
    ['delete', '-', 'cm/x', '-n', 'a', '--finalizers', table],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
    ['PersistentVolumeClaim'],
  );
  expect(named.find(({ name }) => name.startsWith('PersistentVolumeClaim'))?.fate).toBe('depends');
  expect(text.replace(/\s+/g, ' ')).toContain('the Acme operator deletes the claims of ConfigMap');
});
