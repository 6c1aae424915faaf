import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';
import { describeTruth } from './truth-rows.ts';

/** Controllers of Kubernetes take their finalizers off objects of one kind, under one condition. */

const SNAPSHOT = 'snapshot.storage.kubernetes.io/';
const GROUP = 'groupsnapshot.storage.k8s.io/v1beta1 VolumeGroupSnapshot';
const CONTROLLERS = [
  runs('kube-system/cloud-controller-manager'),
  runs('kube-system/snapshot-controller'),
  runs('kube-system/csi-controller'),
];

/** On objects of another kind nobody takes them off. */
describeTruth('finalizers on other kinds', [
  {
    dump: [
      'kubernetes.io/pv-controller',
      'external-provisioner.volume.kubernetes.io/finalizer',
      'external-attacher/disk-acme-io',
      'service.kubernetes.io/load-balancer-cleanup',
      `${SNAPSHOT}volumesnapshotcontent-bound-protection`,
      `${SNAPSHOT}volumesnapshot-bound-protection`,
      `${SNAPSHOT}volumesnapshot-as-source-protection`,
      `${SNAPSHOT}pvc-as-source-protection`,
      'provisioner.storage.kubernetes.io/cloning-protection',
    ]
      .map((finalizer, at) => made('v1 ConfigMap', `shop/c${at}`, { finalizers: [finalizer] }))
      .concat(CONTROLLERS),
    words: ['cm', '--all', '-n', 'shop'],
    fates: { ConfigMap: 'depends' },
    code: 3,
    says: /no\s+controller\s+for\s+it\s+is\s+known/,
  },
]);

/** A released volume with the finalizer of the volume controller. */
const volume = (provisioner: string | null, reclaim: string, source: object = {}) => [
  made('v1 PersistentVolume', 'v', {
    finalizers: ['kubernetes.io/pv-controller'],
    ...(provisioner === null
      ? {}
      : { annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } }),
    spec: {
      ...{ persistentVolumeReclaimPolicy: reclaim, ...source },
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'gone', uid: 'u-gone' },
    },
    status: { phase: 'Released' },
  }),
];

const member = (group: string) => [
  made('snapshot.storage.k8s.io/v1 VolumeSnapshot', 'shop/s', {
    finalizers: [`${SNAPSHOT}volumesnapshot-in-group-protection`],
    owners: [owner(GROUP, `shop/${group}`)],
    status: { readyToUse: true, volumeGroupSnapshotName: group },
  }),
  made(GROUP, 'shop/g'),
  ...CONTROLLERS,
];

/** `modifyDeletionFinalizers`, `findDeletablePlugin` of the volume controller (1.33). */
const VOLUMES: readonly Question[] = [
  ['kubernetes.io/gce-pd', 'Retain', 'goes'],
  ['kubernetes.io/gce-pd', 'Delete', 'goes'],
  ['kubernetes.io/glusterfs', 'Retain', 'goes'],
  ['kubernetes.io/glusterfs', 'Delete', 'open'],
  ['pd.csi.storage.gke.io', 'Delete', 'open'],
  [null, 'Retain', 'open'],
].map(([provisioner = null, reclaim, answer]) => ({
  truth: `made by ${provisioner}, with ${reclaim}`,
  objects: volume(provisioner, reclaim ?? ''),
  ask: 'pv/v',
  ...(answer === 'goes'
    ? ({ answer: 'goes', fates: { PersistentVolume: 'goes' } } as const)
    : ({ answer: 'open', fates: { PersistentVolume: 'depends' } } as const)),
}));

describeQuestions('the finalizer of the volume controller', VOLUMES);

describeQuestions('snapshots of a group', [
  {
    truth: 'a snapshot waits for its group (`checkandRemoveSnapshotFinalizers...`, 8.2)',
    objects: member('g'),
    ...{ ask: 'volumesnapshot/s -n shop', answer: 'open' },
    says: /VolumeGroupSnapshot\S+g\.shop stays, and the snapshot controller waits/,
  },
]);

const PROVISIONER = 'external-provisioner.volume.kubernetes.io/finalizer';

describeQuestions('what has failed', [
  {
    truth: 'the provisioner deletes storage in the phase Released only (`shouldDelete`, 13)',
    objects: [
      runs('kube-system/csi-controller'),
      made('v1 PersistentVolume', 'v', {
        finalizers: [PROVISIONER],
        spec: {
          ...{ persistentVolumeReclaimPolicy: 'Delete', csi: { driver: 'disk.acme.io' } },
          claimRef: { namespace: 'shop', name: 'gone', uid: 'u-gone' },
        },
        status: { phase: 'Failed' },
      }),
    ],
    ...{ ask: 'pv/v', answer: 'open', fates: { PersistentVolume: 'depends' } },
    says: /phase Released only/,
  },
  ...(
    [
      ['NamespaceFinalizersRemaining', 'has finalizers remaining: acme.io/x in', 'explain ns/gone'],
      ['NamespaceContentRemaining', 'are remaining: widgets.acme.io has', 'ns/gone'],
    ] as const
  ).map(([type, message, ask]) => ({
    truth: `a namespace reports in ${type} what the dump lacks (\`syncNamespace\`, 1.33)`,
    objects: [
      made('v1 Namespace', 'gone', {
        leaving: true,
        spec: { finalizers: ['kubernetes'] },
        status: {
          phase: 'Terminating',
          conditions: [{ type, status: 'True', message: `Some ${message} 1 resource instances` }],
        },
      }),
      made('v1 ConfigMap', 'gone/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'gone/default'),
    ],
    ...({ ask, answer: 'open', fates: { Namespace: 'unknown' } } as const),
    says: /reports 1 \S+ .*acme\.io\S*, and the dump has 0/,
  })),
]);
