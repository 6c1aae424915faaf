import { describeQuestions, made, type Question } from './truth-objects.ts';

const REFLECTOR = 'reflector.v1.k8s.emberstack.com';
const COPIED = 'replicator.v1.mittwald.de/replicated-at';
const mirror = (name: string, parts: object) =>
  made('v1 Secret', name, { annotations: { [`${REFLECTOR}/reflects`]: 'a/tls', ...parts } });
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
    truth: 'and leaves those of all others',
    objects: pool({}),
    ...{ ask: 'tenant/t -n a', answer: 'goes', fates: { Tenant: 'goes' } },
  },
];

describeQuestions('answers about copies and records', COPIES);
