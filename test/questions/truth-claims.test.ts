import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
const node = (finalizers?: readonly string[]) =>
  made('v1 Node', 'n1', { ...READY, ...(finalizers === undefined ? {} : { finalizers }) });

const TOPOLVM = runs('topolvm-system/topolvm-controller');
const mounting = {
  containers: [{ name: 'c' }],
  volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
};
const SET = [
  made('apps/v1 StatefulSet', 'shop/db', {
    spec: { replicas: 1, template: { spec: mounting } },
    status: { replicas: 1, readyReplicas: 1 },
  }),
  made('v1 Pod', 'shop/db-0', {
    owners: [owner('apps/v1 StatefulSet', 'shop/db')],
    spec: { nodeName: 'n1', ...mounting },
    status: { phase: 'Running' },
  }),
];
const OF_LVM = {
  ...{ spec: { volumeName: 'v' }, status: { phase: 'Bound' } },
  annotations: {
    'volume.kubernetes.io/storage-provisioner': 'topolvm.io',
    'volume.kubernetes.io/selected-node': 'n1',
  },
};
const claim = (...more: readonly string[]) =>
  made('v1 PersistentVolumeClaim', 'shop/data', {
    ...{ finalizers: ['kubernetes.io/pvc-protection', ...more], ...OF_LVM },
  });
const LOGICAL = made('topolvm.io/v1 LogicalVolume', 'pvc-1', {
  ...{ finalizers: ['topolvm.io/logicalvolume'], spec: { name: 'pvc-1', nodeName: 'n1' } },
});

const PROTECTED = 'kubernetes.io/pv-protection';
const PROVISIONED = 'external-provisioner.volume.kubernetes.io/finalizer';
const volume = (name: string, spec: object, phase: string, reclaim = 'Delete') =>
  made('v1 PersistentVolume', name, {
    finalizers: [PROTECTED, ...(reclaim === 'Delete' ? [PROVISIONED] : [])],
    spec: {
      ...{ csi: { driver: 'ebs.csi.aws.com', volumeHandle: name } },
      ...{ persistentVolumeReclaimPolicy: reclaim, ...spec },
    },
    status: { phase },
  });
const ref = (name: string, uid?: string) => ({
  claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name, uid },
});
const OF_ACME = { csi: { driver: 'disk.acme.io' }, ...ref('other', 'u') };
const EBS = runs('storage/ebs-csi-controller');

const SNAPSHOT = [
  runs('storage/ebs-csi-controller'),
  made('snapshot.storage.k8s.io/v1 VolumeSnapshot', 'shop/daily', {
    status: { boundVolumeSnapshotContentName: 'content', readyToUse: true },
  }),
];
const content = (annotations: Readonly<Record<string, string>> = {}) =>
  made('snapshot.storage.k8s.io/v1 VolumeSnapshotContent', 'content', {
    annotations,
    finalizers: ['snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection'],
    spec: { driver: 'ebs.csi.aws.com', deletionPolicy: 'Delete' },
  });

/** Claims, what stands behind them, and what uses them. */
const QUESTIONS: readonly Question[] = [
  {
    truth: 'TopoLVM deletes the pods of a claim, and once only (`deletePodsUsingDeletingPVC`)',
    objects: [TOPOLVM, claim('topolvm.io/pvc'), ...SET, node()],
    ...{ ask: 'pvc/data -n shop', answer: 'goes' },
    fates: { PersistentVolumeClaim: 'goes', 'Pod/db-0': 'goes', StatefulSet: 'stays' },
  },
  {
    truth: 'the same, where nothing says that TopoLVM runs',
    objects: [claim('topolvm.io/pvc'), ...SET, node()],
    ...{ ask: 'pvc/data -n shop', answer: 'open' },
    fates: { PersistentVolumeClaim: 'depends', 'Pod/db-0': 'depends' },
  },
  {
    truth: 'TopoLVM deletes the claims and volumes of a node that has its finalizer (`doFinalize`)',
    objects: [TOPOLVM, claim(), LOGICAL, node(['topolvm.io/node'])],
    ...{ ask: 'node/n1', answer: 'open' },
    fates: { Node: 'goes', PersistentVolumeClaim: 'depends', LogicalVolume: 'depends' },
    says: /TopoLVM, if it runs, deletes it with Node\/n1/,
  },
  {
    truth: 'and those of no other node',
    objects: [TOPOLVM, claim(), LOGICAL, node()],
    ...{ ask: 'node/n1', answer: 'goes', fates: { Node: 'goes' } },
    says: /^(?!.*TopoLVM)/,
  },
  {
    truth: 'each volume by itself: its phase, its claim and its driver (`shouldDelete`)',
    objects: [
      EBS,
      volume('free', {}, 'Available'),
      volume('early', ref('early'), 'Available'),
      volume('gone', ref('gone', 'u'), 'Released'),
      volume('other', OF_ACME, 'Released'),
    ],
    ...{ ask: 'pv --all', answer: 'hangs' },
    fates: {
      ...{ 'PersistentVolume/free': 'hangs', 'PersistentVolume/early': 'depends' },
      ...{ 'PersistentVolume/gone': 'goes', 'PersistentVolume/other': 'depends' },
    },
  },
  {
    truth: 'a provisioner that does not run lets no volume go that it waits for',
    objects: [volume('free', {}, 'Available'), volume('early', ref('early'), 'Available')],
    ...{ ask: 'pv --all', answer: 'hangs' },
    fates: { 'PersistentVolume/free': 'hangs', 'PersistentVolume/early': 'depends' },
  },
  {
    truth: 'a volume that is kept for a claim is not in use (`isBeingUsed`)',
    objects: [
      volume('early', ref('data'), 'Available', 'Retain'),
      made('v1 PersistentVolumeClaim', 'shop/data', { spec: {}, status: { phase: 'Pending' } }),
    ],
    ...{ ask: 'pv/early', answer: 'goes' },
    fates: { PersistentVolume: 'goes', PersistentVolumeClaim: 'stays' },
  },
  {
    truth:
      'a content goes once the sidecar has seen that its snapshot is deleted, perhaps an older one',
    objects: [
      ...SNAPSHOT,
      content({ 'snapshot.storage.kubernetes.io/volumesnapshot-being-deleted': 'yes' }),
    ],
    ...{ ask: 'volumesnapshotcontent/content', answer: 'open' },
    fates: { VolumeSnapshotContent: 'depends' },
  },
];

describeQuestions('answers about claims', QUESTIONS);
