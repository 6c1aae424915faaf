import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';
import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

const SHOP = ['-n', 'shop'];

const on = (value: string) => ({ key: 'k', operator: 'In', values: [value] });

/** What nothing holds, and what a person who deletes it should know all the same. */
const ROWS: readonly TruthRow[] = [
  {
    dump: 'in-use.yaml',
    words: ['cm/settings', ...SHOP],
    fates: { 'ConfigMap/settings': 'goes' },
    code: 0,
    // Only the object above the ReplicaSet is named.
    says: /Deployment\.apps\/web\.shop\s+stays\s+and\s+names\s+ConfigMap\/settings\.shop:\s+unless/,
  },
  {
    // One question for all of them: each is named by something that stays.
    dump: 'in-use.yaml',
    words: [
      ...['secret/registry', 'deviceclass/gpu', 'clustertrustbundle/corp', 'clusterrole/metrics'],
      ...['resourceclaimtemplate/gpu', 'endpoints/outside', 'csidriver/disk.acme.io', ...SHOP],
    ],
    fates: { 'Secret/registry': 'goes', 'DeviceClass/gpu': 'goes', 'Endpoints/outside': 'goes' },
    code: 0,
    says: everyOne(
      /ServiceAccount\/puller\.shop\s+stays\s+and\s+names\s+Secret\/registry/,
      /Deployment\S+\/ml\.shop\s+stays\s+and\s+names\s+ResourceClaimTemplate/,
      /Deployment\S+\/ml\.shop\s+stays\s+and\s+names\s+ClusterTrustBundle/,
      /\/all-metrics\s+stays,\s+aggregates\s+ClusterRole\S+\/metrics/,
      /Service\/outside\.shop\s+stays\s+and\s+has\s+no\s+selector/,
      /PersistentVolume\/acme\s+stays\s+and\s+names\s+CSIDriver/,
    ),
  },
  {
    dump: 'in-use.yaml',
    words: ['deviceclass/gpu'],
    fates: { 'DeviceClass/gpu': 'goes' },
    code: 0,
    says: /ResourceClaimTemplate\S+\/gpu\.shop\s+stays\s+and\s+names\s+DeviceClass/,
  },
  {
    dump: 'in-use.yaml',
    words: ['cm/settings', '-n', 'other'],
    fates: { 'ConfigMap/settings.other': 'goes' },
    code: 0,
    says: /^(?![\s\S]*names\s+ConfigMap)/,
  },
  {
    dump: 'in-use.yaml',
    words: ['secret/tls', 'pc/high', 'sa/web', 'role/web', ...SHOP],
    fates: { 'Secret/tls': 'goes', 'Role/web': 'goes' },
    code: 0,
    says: everyOne(
      /Ingress\S+\/web\.shop\s+stays\s+and\s+names\s+Secret\/tls\.shop/,
      /names\s+PriorityClass\S+\/high:\s+its\s+new\s+pods\s+are\s+refused/,
      /names\s+ServiceAccount\/web\.shop:\s+its\s+pods\s+lose/,
      /RoleBinding\S+\/web\.shop\s+stays\s+and\s+names\s+Role/,
    ),
  },
  {
    dump: 'in-use.yaml',
    words: ['rolebinding/web'],
    fates: { RoleBinding: 'goes' },
    code: 0,
    says: /ServiceAccount\/web\.shop\s+loses\s+what\s+RoleBinding\S+\/web\.shop\s+grants/,
  },
  {
    dump: 'in-use.yaml',
    words: ['pod', '-l', 'app=web', ...SHOP],
    fates: { 'Pod/web-1-': 'goes', 'ReplicaSet/web-1': 'stays' },
    code: 0,
    says: everyOne(
      /^Pod\/web-1-a\.shop,\s+Pod\/web-1-b\.shop go and are replaced;/,
      /PodDisruptionBudget\S+\/web\.shop\s+does\s+not\s+hold\s+this\s+up[\s\S]*2\s+pods\s+that\s+it\s+covers/,
    ),
  },
  {
    dump: 'in-use.yaml',
    words: ['pod/alone', 'pod/web-1-a', 'pod/web-1-b', ...SHOP],
    fates: { Pod: 'goes' },
    code: 0,
    says: /go\s+\(2\s+of\s+them\s+replaced\);/,
  },
  {
    // What is left to itself loses no budget.
    dump: 'in-use.yaml',
    words: ['deploy/web', '--cascade', 'orphan', ...SHOP],
    fates: { 'Deployment/web': 'goes', 'Pod/web-1-a': 'stays' },
    code: 0,
    says: /^(?![\s\S]*PodDisruptionBudget)(?=[\s\S]*HorizontalPodAutoscaler\S+\s+stays\s+and\s+names)/,
  },
  {
    dump: 'in-use.yaml',
    words: ['deploy/web', ...SHOP],
    fates: { 'Deployment/web': 'goes', 'Pod/web-1-': 'goes' },
    code: 0,
    says: /HorizontalPodAutoscaler\S+\/web\.shop\s+stays\s+and\s+names[\s\S]*nothing\s+to\s+scale/,
  },
  {
    // Neither that it is replaced nor that the Job fails is sure.
    dump: 'in-use.yaml',
    words: ['pod/load-x', ...SHOP],
    fates: { 'Pod/load-x': 'goes', 'Job/load': 'stays' },
    code: 0,
    says: /^Pod\/load-x\.shop goes;[\s\S]*has\s+a\s+podFailurePolicy/,
  },
  {
    dump: 'in-use.yaml',
    words: ['pvc/data', ...SHOP],
    fates: { 'PersistentVolumeClaim/data': 'goes' },
    code: 0,
    says: /PersistentVolume\/disk\s+and\s+its\s+data\s+stay/,
  },
  {
    dump: 'in-use.yaml',
    words: ['deploy/keda-operator', '-n', 'keda'],
    fates: { 'Deployment/keda-operator': 'goes' },
    code: 0,
    says: /keda-operator\.keda\s+may\s+run\s+the\s+KEDA\s+operator:\s+without\s+it,\s+the\s+deletion\s+of\s+ScaledObject/,
  },
  {
    dump: 'in-use.yaml',
    words: ['secret/main-cluster-ca', 'backup/daily', 'certificate/web'],
    fates: { 'Secret/main-cluster-ca': 'goes', 'Backup/daily': 'goes' },
    code: 0,
    says: everyOne(
      /Kafka\S+\/main\.shop\s+stays,\s+and\s+its\s+controller\s+may\s+make\s+Secret/,
      /Velero\s+makes\s+Backup\S+\s+anew/,
      /Secret\/web-cert\.shop\s+stays:\s+cert-manager\s+leaves/,
    ),
  },
];

describeTruth('answers about what is in use', ROWS);

const range = (name: string, ...cidrs: readonly string[]) =>
  made('networking.k8s.io/v1 ServiceCIDR', name, {
    finalizers: ['networking.k8s.io/service-cidr-finalizer'],
    spec: { cidrs },
  });
const OF_ALLOCATOR = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
const address = (name: string, labels: Readonly<Record<string, string>> = OF_ALLOCATOR) =>
  made('networking.k8s.io/v1 IPAddress', name, {
    labels,
    spec: { parentRef: { resource: 'services', namespace: 'shop', name: 'web' } },
  });
const WEB = made('v1 Service', 'shop/web', { spec: { type: 'ClusterIP' } });
const EXTRA = range('extra', '10.97.0.0/24', 'fd00::/112');
const waits = {
  ask: 'servicecidr/extra',
  answer: 'hangs',
  fates: { ServiceCIDR: 'hangs' },
} as const;
const free = { ask: 'servicecidr/extra', answer: 'goes', fates: { ServiceCIDR: 'goes' } } as const;

const web = (of: readonly object[]) => ({ labels: { app: 'web' }, owners: of });
const SET = made('apps/v1 ReplicaSet', 'shop/web-1', {
  ...web([owner('apps/v1 Deployment', 'shop/web')]),
  spec: { replicas: 1 },
});
const SELECTED = [
  made('v1 Service', 'shop/front', { spec: { selector: { app: 'web' } } }),
  made('v1 Service', 'shop/other', { spec: { selector: { app: 'other' } } }),
  made('apps/v1 Deployment', 'shop/web', { spec: { replicas: 1 } }),
  ...[SET, made('v1 Pod', 'shop/web-1-x', web([owner('apps/v1 ReplicaSet', 'shop/web-1')]))],
];
const volume = (...nodes: readonly string[]) => {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: nodes }];
  const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
  return made('v1 PersistentVolume', 'disk', { spec: { local: { path: '/d' }, nodeAffinity } });
};

/** Services and volumes of which nothing else says that they are in use. */
const LEFT: readonly Question[] = [
  {
    truth: 'its endpoints are those of the pods with its labels (EndpointSlice controller)',
    objects: SELECTED,
    ask: 'deploy/web -n shop',
    answer: 'goes',
    says: /^(?!.*Service\/other).*Service\/front\.shop stays, and all pods that it selects go/,
  },
  {
    truth: 'a pod that is made anew is selected as well',
    objects: SELECTED,
    ask: 'pod/web-1-x -n shop',
    answer: 'goes',
    says: /^(?!.*that it selects go)/,
  },
  {
    truth: 'the API server deletes the addresses of a Service with it (release, 1.33)',
    objects: [WEB, address('10.97.0.9')],
    ask: 'svc/web -n shop',
    answer: 'goes',
    says: /deletes IPAddress\S*\/10\.97\.0\.9 with Service\/web\.shop/,
  },
  ...(
    [
      ['terms', [{ matchExpressions: [on('n')] }, { matchExpressions: [on('n')] }], true],
      ['requirements', [{ matchExpressions: [on('n'), on('zone-a')] }], true],
      ['fields', [{ matchFields: [on('n')] }], true],
      ['another node', [{ matchExpressions: [on('n')] }, { matchExpressions: [on('m')] }], false],
      ['not there', [{ matchExpressions: [{ ...on('n'), operator: 'NotIn' }] }], false],
    ] as const
  ).map(
    ([truth, nodeSelectorTerms, isNamed]): Question => ({
      truth: `the node of a volume by ${truth} (GetAffinityTerms)`,
      objects: [
        made('v1 Node', 'n'),
        made('v1 PersistentVolume', 'disk', {
          spec: { nodeAffinity: { required: { nodeSelectorTerms } } },
        }),
      ],
      ask: 'node/n',
      answer: 'goes',
      says: isNamed ? /PersistentVolume\/disk stays and names Node\/n/ : /^(?!.*stays and names)/,
    }),
  ),
  {
    truth: 'the attach-detach controller detaches what was on a node that is gone (reconcile)',
    objects: [
      made('v1 Node', 'n'),
      made('storage.k8s.io/v1 VolumeAttachment', 'va', { spec: { nodeName: 'n' } }),
    ],
    ask: 'node/n',
    answer: 'goes',
    says: /VolumeAttachment\S+ stays and names Node\/n: it goes once Kubernetes detaches/,
  },
  {
    truth: 'a volume on the disks of a node is nowhere else (VolumeNodeAffinity)',
    objects: [made('v1 Node', 'n'), volume('n')],
    ask: 'node/n',
    answer: 'goes',
    says: /PersistentVolume\/disk stays and names Node\/n: its data are on that node/,
  },
  {
    truth: 'a volume that several nodes reach is on none of them',
    objects: [made('v1 Node', 'n'), volume('n', 'm')],
    ask: 'node/n',
    answer: 'goes',
    says: /^(?!.*names Node)/,
  },
];

/** `canDeleteCIDR` (1.33) */
const RANGES: readonly Question[] = [
  {
    truth: 'an address of a Service that stays is in no other range',
    objects: [EXTRA, range('kubernetes', '10.96.0.0/16'), address('10.97.0.9'), WEB],
    ...waits,
    says: /waits for[\s\S]*IPAddress\S*\/10\.97\.0\.9/,
  },
  {
    truth: 'an address of the second family',
    objects: [EXTRA, address('fd00::7'), WEB],
    ...waits,
  },
  {
    truth: 'the remedy is to delete the Service',
    objects: [
      made('networking.k8s.io/v1 ServiceCIDR', 'extra', {
        ...{ finalizers: ['networking.k8s.io/service-cidr-finalizer'], leaving: true },
        spec: { cidrs: ['10.97.0.0/24'] },
      }),
      ...[address('10.97.0.9'), WEB],
    ],
    ...{ ask: 'explain servicecidr/extra', answer: 'hangs' },
    says: /kubectl delete services? web -n shop/,
  },
  {
    truth: 'all addresses are in another range',
    objects: [EXTRA, range('kubernetes', '10.96.0.0/15'), address('10.97.0.9'), WEB],
    ...free,
  },
  {
    truth: 'the addresses are those of another range',
    objects: [EXTRA, range('kubernetes', '10.96.0.0/16'), address('10.96.0.1'), WEB],
    ...free,
  },
  {
    truth: 'the first address of an IPv4 range is not in it (PrefixContainsIP)',
    objects: [EXTRA, range('other', '10.97.0.8/29'), address('10.97.0.8'), WEB],
    ...waits,
  },
  {
    truth: 'the allocator has not made the address',
    objects: [EXTRA, address('10.97.0.9', { 'ipaddress.kubernetes.io/managed-by': 'me' }), WEB],
    ...free,
  },
  {
    truth: 'the other range goes as well: the last one keeps the address',
    objects: [EXTRA, range('other', '10.97.0.0/16'), address('10.97.0.9'), WEB],
    ...{ ask: 'servicecidr/extra servicecidr/other', answer: 'open' },
  },
  {
    truth: 'the Service goes, and its address with it',
    objects: [EXTRA, address('10.97.0.9'), WEB],
    ...{ ask: 'servicecidr/extra svc/web -n shop', answer: 'goes' },
  },
  {
    truth: 'the Service may stay for a while, and so its address',
    objects: [
      ...[EXTRA, address('10.97.0.9')],
      made('v1 Service', 'shop/web', { finalizers: ['acme.io/hold'] }),
    ],
    ...{ ask: 'servicecidr/extra svc/web -n shop', answer: 'open' },
    fates: { ServiceCIDR: 'depends' },
  },
  {
    truth: 'the range of the API server is made anew (`sync` of defaultservicecidr)',
    objects: [range('kubernetes', '10.96.0.0/16'), range('wide', '10.96.0.0/15')],
    ...{ ask: 'servicecidr/kubernetes', answer: 'goes' },
    says: /the API server makes ServiceCIDR\S* anew/,
  },
  {
    truth: 'any cluster has an IPAddress: a dump without one does not say which are in the range',
    objects: [EXTRA, range('kubernetes', '10.96.0.0/16'), WEB],
    ...{ ask: 'servicecidr/extra', answer: 'open', fates: { ServiceCIDR: 'depends' } },
    says: /the dump has no IPAddress.* whether an address is in ServiceCIDR\S+ alone\. Settle it with: kubectl get ipaddresses,services -A/,
  },
  {
    truth: 'the Service is not there, and the repair loop releases its address',
    objects: [EXTRA, address('10.97.0.9')],
    ...{ ask: 'servicecidr/extra', answer: 'open', fates: { ServiceCIDR: 'depends' } },
  },
];

describeQuestions('answers about ranges of addresses', RANGES);
describeQuestions('answers about Services and volumes that stay', LEFT);

const GOLD = 'storage.k8s.io/v1 VolumeAttributesClass';
const silver = (status: object): object =>
  made('v1 PersistentVolumeClaim', 'shop/data', {
    spec: { volumeName: 'disk', volumeAttributesClassName: 'silver' },
    status: { phase: 'Bound', ...status },
  });

/** `getPVCReferencedVACNames` (1.34) */
const CLASSES: readonly Question[] = [
  {
    truth: 'a change to the class has begun, and the claim names another one since',
    objects: [
      made(GOLD, 'gold', { finalizers: ['kubernetes.io/vac-protection'] }),
      silver({ modifyVolumeStatus: { targetVolumeAttributesClassName: 'gold' } }),
    ],
    ...{ ask: 'vac/gold', answer: 'hangs', fates: { VolumeAttributesClass: 'hangs' } },
  },
  {
    truth: 'without the finalizer the class goes, and the claim still names it',
    objects: [made(GOLD, 'silver'), silver({})],
    ...{ ask: 'vac/silver', answer: 'goes', fates: { VolumeAttributesClass: 'goes' } },
    says: /data\.shop stays and names VolumeAttributesClass/,
  },
];

describeQuestions('answers about classes of volume attributes', CLASSES);

const KEY = 'sealedsecrets.bitnami.com/sealed-secrets-key';

/** What nothing makes anew as it was. */
const KEYS: readonly Question[] = [
  ...['macvlan@eth1,other', '[{"name": "macvlan", "namespace": "shop"}]'].map(
    (networks): Question => ({
      truth: `Multus attaches the pods to ${networks}`,
      objects: [
        made('k8s.cni.cncf.io/v1 NetworkAttachmentDefinition', 'shop/macvlan'),
        made('apps/v1 Deployment', 'shop/vnf', {
          spec: {
            template: { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': networks } } },
          },
        }),
      ],
      ...{ ask: 'networkattachmentdefinition/macvlan -n shop', answer: 'goes' },
      says: /vnf\.shop stays and names NetworkAttachmentDefinition\S+: its new pods do not start/,
    }),
  ),
  {
    truth: 'what is sealed for a key cannot be read without it (Sealed Secrets)',
    objects: [made('v1 Secret', 'kube-system/key', { labels: { [KEY]: 'active' } })],
    ...{ ask: 'secret/key', answer: 'goes', fates: { Secret: 'goes' } },
    says: /no SealedSecret that was sealed for Secret\/key\.kube-system can be read without it/,
  },
  {
    truth: 'the data of file system backups are encrypted with one key (Velero)',
    objects: [made('v1 Secret', 'velero/velero-repo-credentials')],
    ...{ ask: 'secret/velero-repo-credentials', answer: 'goes', fates: { Secret: 'goes' } },
    says: /no backup of a volume that was made with Secret\/velero-repo-credentials\.velero/,
  },
  {
    truth: 'a claim whose volume the dump lacks',
    objects: [
      made('v1 PersistentVolumeClaim', 'shop/a', { spec: { volumeName: 'disk' } }),
      made('v1 PersistentVolumeClaim', 'shop/b', { spec: { volumeName: 'tape' } }),
    ],
    ...{ ask: 'pvc/a pvc/b', answer: 'open', fates: { PersistentVolumeClaim: 'goes' } },
    says: /the dump lacks PersistentVolume\/disk and 1 other volume of claims that go: their data are deleted unless their reclaim policy is Retain \(kubectl get pv disk\)/,
  },
];

describeQuestions('answers about what cannot be made again', KEYS);

const restored = (reclaim: string) => [
  made('v1 PersistentVolumeClaim', 'shop/data', { spec: { volumeName: 'disk' } }),
  made('v1 PersistentVolume', 'disk', {
    spec: {
      claimRef: { namespace: 'shop', name: 'data', uid: 'before' },
      persistentVolumeReclaimPolicy: reclaim,
    },
  }),
];
const token = (uid: string, type?: string) => [
  made('v1 ServiceAccount', 'shop/bot'),
  made('v1 Secret', 'shop/bot-token', {
    type,
    annotations: {
      'kubernetes.io/service-account.name': 'bot',
      'kubernetes.io/service-account.uid': uid,
    },
  }),
];

/** What other controllers do to restored objects, which name others by their old uids. */
const RESTORED: readonly Question[] = [
  {
    truth: 'a volume is released if its claim has another uid (`syncVolume`), and then deleted',
    ...{ objects: restored('Delete'), ask: 'collect', answer: 'hangs' },
    says: /^The collector does nothing to any of 2 objects; another controller acts on 1 object that nobody deletes.*PersistentVolume\/disk and its data are deleted: .* another uid/,
  },
  {
    truth: 'and stays with Retain, without its claim (`syncBoundClaim`: Lost)',
    ...{ objects: restored('Retain'), ask: 'collect', answer: 'hangs' },
    says: /PersistentVolumeClaim\/data\.shop gets no volume, and PersistentVolume\/disk and its data stay: /,
  },
  {
    truth: 'a volume kept from an older claim of the name stays as it is (`syncVolume`: Released)',
    objects: [made('v1 PersistentVolumeClaim', 'shop/data'), ...restored('Retain').slice(1)],
    ...{ ask: 'collect', answer: 'goes', says: /^Nothing happens to any of 2 objects/ },
  },
  {
    truth: 'and is deleted with Delete, of which the claim notices nothing',
    objects: [made('v1 PersistentVolumeClaim', 'shop/data'), ...restored('Delete').slice(1)],
    ...{ ask: 'collect', answer: 'hangs' },
    says: /Not judged PersistentVolume\/disk and its data are deleted: /,
  },
  {
    truth: 'a token for an account with another uid is deleted (`syncSecret` of its controller)',
    ...{ objects: token('before'), ask: 'collect', answer: 'hangs' },
    says: /the token controller deletes Secret\/bot-token\.shop: /,
  },
  {
    truth:
      'the token controller watches Secrets of its type only (`SecretTypeServiceAccountToken`)',
    ...{ objects: token('before', 'kubernetes.io/dockercfg'), ask: 'collect', answer: 'goes' },
  },
  {
    truth: 'a token for this account stays',
    ...{ objects: token('serviceaccount-shop-bot'), ask: 'collect', answer: 'goes' },
    says: /^Nothing happens to any of 2 objects/,
  },
];

describeQuestions('answers about what is restored', RESTORED);

const LEAVING: readonly Question[] = [
  {
    truth: 'a condition tells of a trouble by its status, and not only by its words',
    objects: [
      made('acme.io/v1 Widget', 'shop/w', {
        ...{ leaving: true, finalizers: ['acme.io/x'] },
        status: {
          conditions: [
            { type: 'Ready', status: 'True', message: 'reconciled without errors' },
            { type: 'Failed', status: 'False', message: 'nothing has failed' },
            { type: 'Deleting', status: 'True', message: 'disk is not empty' },
          ],
        },
      }),
    ],
    ...{ ask: 'explain widget/w -n shop', answer: 'open' },
    says: /^(?!.*(without errors|nothing has failed)).*Deleting=True: "disk is not empty"/,
  },
  {
    truth: 'a pod has its grace period, and deletionTimestamp is the end of that (`BeforeDelete`)',
    objects: [
      made('v1 Node', 'n', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
      made('v1 Pod', 'shop/p', {
        metadata: {
          ...{ name: 'p', namespace: 'shop', uid: 'p', deletionGracePeriodSeconds: 3600 },
          deletionTimestamp: '2026-01-02T11:00:00Z',
          creationTimestamp: '2026-01-02T10:59:00Z',
        },
        spec: { nodeName: 'n' },
      }),
    ],
    ...{ ask: 'explain pod/p -n shop', answer: 'goes' },
    says: /has ended, at 2026-01-02T11:00:00Z .*: 2026-01-02T10:00:00Z, 59 minutes before/,
  },
  {
    truth: 'an attachment that cannot be detached keeps its volume (`canDeleteVolume`)',
    objects: [
      runs('kube-system/ebs-csi-controller'),
      made('v1 PersistentVolume', 'v', {
        ...{ leaving: true, finalizers: ['external-provisioner.volume.kubernetes.io/finalizer'] },
        spec: { csi: { driver: 'ebs.csi.aws.com' } },
      }),
      made('storage.k8s.io/v1 VolumeAttachment', 'a', {
        ...{ leaving: true, finalizers: ['external-attacher/ebs-csi-aws-com'] },
        spec: { attacher: 'ebs.csi.aws.com', source: { persistentVolumeName: 'v' } },
        status: { attached: true, detachError: { message: 'instance not found' } },
      }),
    ],
    ...{ ask: 'explain pv/v', answer: 'open', fates: { PersistentVolume: 'depends' } },
    says: /VolumeAttachment\S+\/a status\.detachError\.message: "instance not found"/,
  },
  {
    truth: 'a webhook that the dump lacks keeps contents of a namespace (`deleteAllContent`)',
    objects: [
      made('v1 ConfigMap', 'n/c'),
      made('v1 Namespace', 'n', {
        ...{ leaving: true, spec: { finalizers: ['kubernetes'] } },
        status: {
          conditions: [
            {
              ...{ type: 'NamespaceDeletionContentFailure', status: 'True', reason: 'Failed' },
              message:
                'Internal error occurred: failed calling webhook "v.acme.io": failed to call',
            },
          ],
        },
      }),
    ],
    ...{ ask: 'explain ns/n', answer: 'open', fates: { Namespace: 'unknown' } },
    says: /Look at this finds the configuration of the webhook v\.acme\.io: .* grep v\.acme\.io/,
  },
  {
    truth: 'Cluster API: the remedy for what a Cluster waits for is one for both',
    objects: [
      runs('capi-system/capi-controller-manager'),
      made('cluster.x-k8s.io/v1beta1 Cluster', 'n/c', {
        ...{ leaving: true, finalizers: ['cluster.cluster.x-k8s.io'] },
      }),
      made('infrastructure.cluster.x-k8s.io/v1beta2 AWSCluster', 'n/c', {
        ...{ leaving: true, finalizers: ['awscluster.infrastructure.cluster.x-k8s.io'] },
        owners: [owner('cluster.x-k8s.io/v1beta1 Cluster', 'n/c')],
      }),
    ],
    ...{ ask: 'explain cluster/c -n n', answer: 'open' },
    says: /2 remedies found below/,
  },
];

describeQuestions('answers about what is leaving already', LEAVING);

const ATTACHED = { attacher: 'ebs.csi.aws.com', nodeName: 'n1' };
const attachment = (parts: object = {}) =>
  made('storage.k8s.io/v1 VolumeAttachment', 'a', {
    finalizers: ['external-attacher/ebs-csi-aws-com'],
    spec: { ...ATTACHED, source: { persistentVolumeName: 'v' } },
    ...parts,
  });
const volumeOf = (name: string, csi: object = {}) =>
  made('v1 PersistentVolume', name, {
    spec: { csi: { driver: 'ebs.csi.aws.com', volumeHandle: name, ...csi } },
  });
const SECRET = { controllerPublishSecretRef: { name: 'key', namespace: 'shop' } };
const GROUP = 'groupsnapshot.storage.k8s.io/v1beta1';
const groups = [
  made(`${GROUP} VolumeGroupSnapshotContent`, 'c', {
    finalizers: ['groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection'],
    spec: { driver: 'ebs.csi.aws.com', deletionPolicy: 'Delete' },
  }),
  made(`${GROUP} VolumeGroupSnapshot`, 'shop/g', {
    finalizers: ['groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-bound-protection'],
    status: { boundVolumeGroupSnapshotContentName: 'c' },
  }),
  runs('kube-system/snapshot-controller'),
  runs('kube-system/ebs-csi-controller'),
];

const OF_DRIVERS: readonly Question[] = [
  {
    truth: '`csiDetach` reads the volume (external-attacher 4)',
    objects: [attachment({ leaving: true }), volumeOf('w'), runs('kube-system/ebs-csi-controller')],
    ...{ ask: 'explain volumeattachment/a', answer: 'open' },
    says: /reads PersistentVolume\/v, which the dump lacks/,
  },
  {
    truth: '`getCredentialsFromPV` reads the Secret of the volume (external-attacher 4)',
    objects: [
      ...[attachment(), volumeOf('v', SECRET), runs('kube-system/ebs-csi-controller')],
      made('v1 Secret', 'shop/key'),
    ],
    ...{ ask: 'volumeattachment/a secret/key', answer: 'open' },
    fates: { VolumeAttachment: 'depends', Secret: 'goes' },
  },
  {
    truth: 'no Secret is read for the finalizer of a volume (`SyncNewOrUpdatedPersistentVolume`)',
    objects: [
      made('v1 PersistentVolume', 'v', {
        finalizers: ['external-attacher/ebs-csi-aws-com'],
        spec: { csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'v', ...SECRET } },
      }),
      ...[made('v1 Secret', 'shop/key'), runs('kube-system/ebs-csi-controller')],
    ],
    ...{ ask: 'pv/v secret/key', answer: 'goes', fates: { PersistentVolume: 'goes' } },
  },
  {
    truth: 'the volume is there, and names the Secret',
    objects: [volumeOf('v', SECRET), made('v1 Secret', 'shop/key')],
    ...{ ask: 'secret/key -n shop', answer: 'goes' },
    says: /PersistentVolume\/v stays and names Secret\/key\.shop/,
  },
  {
    truth: 'whenDeleted: Delete, in a dump without claims (`updateClaimOwnerRefForSetAndPod`)',
    objects: [
      made('apps/v1 StatefulSet', 'shop/db', {
        spec: {
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
          volumeClaimTemplates: [{ metadata: { name: 'data' } }],
        },
      }),
      made('v1 Pod', 'shop/db-0', { owners: [owner('apps/v1 StatefulSet', 'shop/db')] }),
    ],
    ...{ ask: 'sts/db -n shop', answer: 'goes' },
    says: /the claims of StatefulSet\S+, which the dump lacks, are deleted with it/,
  },
  {
    truth: 'the kubelet mounts an inline volume with its Secret (`NodePublishVolume`)',
    objects: [
      made('v1 Secret', 'shop/key'),
      made('apps/v1 Deployment', 'shop/web', {
        spec: {
          template: {
            spec: { volumes: [{ csi: { driver: 'a', nodePublishSecretRef: { name: 'key' } } }] },
          },
        },
      }),
    ],
    ...{ ask: 'secret/key -n shop', answer: 'goes' },
    says: /Deployment\.apps\/web\.shop stays and names Secret\/key\.shop/,
  },
  {
    truth: '`shouldDeleteGroupSnapshotContent` waits for the group (external-snapshotter 8)',
    objects: groups,
    ...{ ask: 'vgsc/c', answer: 'hangs', fates: { VolumeGroupSnapshotContent: 'hangs' } },
  },
  {
    truth: '`processGroupSnapshotWithDeletionTimestamp` deletes the content with the group',
    objects: groups,
    ask: 'vgs/g -n shop',
    ...{
      answer: 'goes',
      fates: { VolumeGroupSnapshot: 'goes', VolumeGroupSnapshotContent: 'goes' },
    },
  },
];

describeQuestions('answers about what the sidecars of CSI drivers do', OF_DRIVERS);
