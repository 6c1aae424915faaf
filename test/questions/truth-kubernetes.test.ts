import {
  type Manifest,
  made,
  NODE,
  ownedBy,
  podNamed,
  wholeNamespace,
} from './kubernetes-objects.ts';
import { describeTruth, type TruthRow } from './truth-rows.ts';

/** Each row is true by the function that its comment names, of the release in brackets. */

const SHOP = wholeNamespace('shop');
const MON = wholeNamespace('mon');
const ADAPTER = made('Service/adapter', { spec: { selector: { app: 'a' } } }, { namespace: 'mon' });
const GADGETS = made('APIService/v1.gadgets.acme.io', {
  spec: { group: 'gadgets.acme.io', version: 'v1', service: { name: 'adapter', namespace: 'mon' } },
  status: { conditions: [{ type: 'Available', status: 'True' }] },
});
const ROOT = made('ConfigMap/root');
const GADGET = made('Gadget/g');
const OWNED = made('Gadget/owned', {}, ownedBy(ROOT));
const API: readonly Manifest[] = [...SHOP, ...MON, ADAPTER, GADGETS, GADGET, ROOT, OWNED];

/** `proxyHandler` and `AvailableConditionController` of the aggregator (1.20). */
const APIS: readonly TruthRow[] = [
  {
    dump: API,
    words: ['apiservice/v1.gadgets.acme.io'],
    fates: { APIService: 'goes' },
    code: 0,
    says: /nobody\s+can\s+list,\s+read\s+or\s+delete\s+an\s+object\s+of\s+gadgets\.acme\.io\/v1[\s\S]*stays\s+behind\s+Service\/adapter\.mon/,
  },
  {
    dump: API,
    words: ['apiservice/v1.gadgets.acme.io', 'gadget/g'],
    fates: { APIService: 'goes', 'Gadget/g': 'unknown' },
    code: 3,
    says: /goes,\s+perhaps\s+first/,
  },
  {
    // Discovery does not list an API without its APIService, so its objects are left.
    dump: API,
    words: ['apiservice/v1.gadgets.acme.io', 'ns/shop'],
    fates: { 'Namespace/shop': 'unknown', 'Gadget/g': 'unknown' },
    code: 3,
  },
  {
    dump: API,
    words: ['gadget/g', 'svc/adapter'],
    fates: { 'Gadget/g': 'unknown', 'Service/adapter': 'goes' },
    code: 3,
    says: /Service\/adapter\.mon\s+goes,\s+perhaps\s+first/,
  },
  {
    // The collector has to reach it as well.
    dump: API,
    words: ['cm/root', 'svc/adapter'],
    fates: { 'ConfigMap/root': 'goes', 'Gadget/owned': 'unknown' },
    code: 3,
  },
  { dump: API, words: ['cm/root'], fates: { ConfigMap: 'goes', 'Gadget/owned': 'goes' }, code: 0 },
  {
    // `deleteAllContent` asks discovery, and perhaps before the Service is gone.
    dump: [...SHOP, ...MON, ADAPTER, GADGETS],
    words: ['ns/shop', 'ns/mon'],
    fates: { Namespace: 'depends', ConfigMap: 'goes', Service: 'goes' },
    code: 3,
    says: /hangs\s+if\s+Service\/adapter\.mon\s+goes\s+before\s+Namespace\/shop\s+is\s+empty/,
  },
];

const DEPLOYMENT = made('Deployment/web', { spec: { replicas: 1 } });
const REPLICAS = made('ReplicaSet/web-1', { spec: { replicas: 1 } }, ownedBy(DEPLOYMENT));
const POD = podNamed('web-1-a', {}, ownedBy(REPLICAS));
const HELD = podNamed('held', {}, { finalizers: ['acme.io/hold'] });

const STUCK = made(
  'ConfigMap/stuck',
  {},
  {
    ...{ namespace: 'mon', finalizers: ['acme.io/hold'] },
    deletionTimestamp: '2026-01-02T03:04:05Z',
  },
);

/** Nothing deletes them, whatever waits for what. */
const LEFT: readonly TruthRow[] = [
  {
    dump: [...SHOP, NODE, DEPLOYMENT, REPLICAS, POD, HELD],
    command: 'explain',
    words: ['ns/shop'],
    fates: { Namespace: 'stays', Deployment: 'stays', Pod: 'stays', ConfigMap: 'stays' },
    code: 0,
    // No actor has anything to do, and nothing is lost with what stays.
    says: /^Nothing deletes Namespace\/shop\.\n(?![\s\S]*(Around them|Not judged))/,
  },
  {
    // What is stuck elsewhere is another question.
    dump: [...SHOP, NODE, DEPLOYMENT, REPLICAS, POD, ...MON, STUCK],
    command: 'explain',
    words: ['deploy/web', '-n', 'shop'],
    fates: { Deployment: 'stays', Pod: 'stays' },
    code: 0,
    says: /^Nothing deletes Deployment\.apps\/web\.shop\.\n(?![\s\S]*stuck)/,
  },
];

/** `deleteAllContent` deletes pods first, and while one is left nothing else (1.33). */
const HELD_BACK: readonly TruthRow[] = [
  {
    dump: [...SHOP, NODE, HELD, ROOT],
    words: ['ns/shop', '--stuck-finalizer', 'acme.io/hold'],
    fates: { Namespace: 'hangs', 'Pod/held': 'hangs', ConfigMap: 'stays' },
    code: 1,
    says: /^Namespace\/shop\s+hangs:\s+Pod\/held\.shop\s+waits/,
  },
  {
    dump: [...SHOP, NODE, HELD, ROOT],
    words: ['ns/shop'],
    fates: { Namespace: 'depends', 'Pod/held': 'depends', ConfigMap: 'depends' },
    code: 3,
    says: /ConfigMap\/root\S*\s+may\s+stay\s+with\s+Pod\/held/,
  },
];

const CLAIM = made(
  'PersistentVolumeClaim/data',
  { spec: { volumeName: 'pv' }, status: { phase: 'Bound' } },
  { finalizers: ['kubernetes.io/pvc-protection'] },
);
const { name, namespace, uid } = CLAIM.metadata;
const VOLUME = made(
  'PersistentVolume/pv',
  {
    spec: {
      ...{ persistentVolumeReclaimPolicy: 'Retain', csi: { driver: 'csi.acme.io' } },
      claimRef: { kind: 'PersistentVolumeClaim', name, namespace, uid },
    },
    status: { phase: 'Bound' },
  },
  { finalizers: ['kubernetes.io/pv-protection'], deletionTimestamp: '2026-01-02T03:04:05Z' },
);

const USING: readonly Manifest[] = [
  DEPLOYMENT,
  REPLICAS,
  podNamed(
    'user',
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    ownedBy(REPLICAS),
  ),
];

/** `isBeingUsed` of the controller of volumes (1.20): a volume waits for its claim. */
const USED: readonly TruthRow[] = [
  {
    dump: [...SHOP, CLAIM, VOLUME],
    command: 'explain',
    words: ['pv/pv'],
    fates: { 'PersistentVolume/pv': 'hangs' },
    code: 1,
    says: /1 remedy[\s\S]*kubectl delete persistentvolumeclaims data -n shop/,
  },
  {
    // The claim comes first: then no new pod of the Deployment begins to use it.
    dump: [...SHOP, NODE, ...USING, CLAIM, VOLUME],
    command: 'explain',
    words: ['pv/pv'],
    fates: { 'PersistentVolume/pv': 'hangs' },
    code: 1,
    says: /1\. delete PersistentVolumeClaim\/data[\s\S]*2\. delete Pod\/user/,
  },
];

const PROTECTED = { finalizers: ['kubernetes.io/pvc-protection'] };
const UNBOUND = made('PersistentVolumeClaim/data', {}, PROTECTED);
const VOLUMES = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
const LONE = made('ReplicaSet/lone', { spec: { replicas: 1 } });
const LOOP = made('ReplicaSet/loop', { spec: { replicas: 1 } }, ownedBy(LONE));
const CYCLE: readonly Manifest[] = [
  ...[{ ...LONE, metadata: { ...LONE.metadata, ...ownedBy(LOOP) } }, LOOP],
  podNamed('user', VOLUMES, ownedBy(LOOP)),
  UNBOUND,
];

/** What no controller makes, and the API server takes all the same. */
const ODD: readonly TruthRow[] = [
  {
    // `processNextWorkItem` of claim protection (1.20) has keys of claims only.
    dump: [...SHOP, made('ConfigMap/odd', {}, PROTECTED)],
    words: ['cm/odd'],
    fates: { 'ConfigMap/odd': 'depends' },
    code: 3,
  },
  {
    // As no piece has both, each has to know that the controller is there.
    dump: [...SHOP, NODE, UNBOUND, podNamed('user', VOLUMES, PROTECTED)],
    words: ['pod/user', 'pvc/data'],
    fates: { Pod: 'hangs', PersistentVolumeClaim: 'hangs' },
    code: 1,
  },
  {
    // Each is the controller of the other one.
    dump: [...SHOP, NODE, ...CYCLE],
    words: ['rs/lone', 'rs/loop', 'pod/user', 'pvc/data'],
    fates: { ReplicaSet: 'goes', Pod: 'goes', PersistentVolumeClaim: 'goes' },
    code: 0,
  },
  {
    dump: [...SHOP, NODE, ...CYCLE],
    words: ['pod/user', 'pvc/data'],
    fates: { ReplicaSet: 'stays', Pod: 'goes', PersistentVolumeClaim: 'depends' },
    code: 1,
  },
];

const POLICY = 'admissionregistration.k8s.io/v1';

/** What is said of a request, or of what the dump has. */
const SAID: readonly TruthRow[] = [
  {
    // `BeforeDelete` (1.20): no grace skips the kubelet, and no finalizer.
    dump: [...SHOP, NODE, HELD],
    words: ['pod/held', '--force', '--grace-period=0'],
    fates: { Pod: 'depends' },
    code: 3,
    says: /goes\s+once\s+nothing\s+holds\s+it\s+any\s+more\s+\(acme\.io\/hold\)/,
  },
  {
    dump: [
      ...[...SHOP, ROOT],
      { ...made('ValidatingAdmissionPolicy/p', { spec: {} }), apiVersion: POLICY },
    ],
    words: ['cm/root', '--protocol', 'v1.25', '--admitted', 'p'],
    fates: { 'ConfigMap/root': 'goes' },
    code: 0,
    says: /ValidatingAdmissionPolicy\s+is\s+read\s+as\s+\S+\s+which\s+Kubernetes\s+serves\s+from\s+v1\.30/,
  },
  {
    // `CompareKubeAwareVersionStrings`: discovery prefers v1.
    dump: [...SHOP, GADGET, { ...made('Gadget/old'), apiVersion: 'gadgets.acme.io/v1beta1' }],
    words: ['gadget/g'],
    fates: { Gadget: 'goes' },
    code: 0,
    says: /^(?![\s\S]*preferred)/,
  },
];

const PLAIN = { 'storageclass.kubernetes.io/is-default-class': 'true' };
const FAST = made('StorageClass/fast', { provisioner: 'p' }, { annotations: PLAIN });
const SLOW = made('StorageClass/slow', { provisioner: 'p' }, { annotations: PLAIN });
const OTHER = made('StorageClass/other', { provisioner: 'p' });
const BATCH = made('PriorityLevelConfiguration/batch', { spec: { type: 'Limited' } });
const BOT = made('ServiceAccount/bot');
const BOUND = {
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
  subjects: [
    { kind: 'Group', name: 'bot' },
    { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' },
  ],
};

function noted(dump: readonly Manifest[], word: string, says: RegExp): TruthRow {
  const [asked] = dump;
  const name = asked === undefined ? '' : `${asked.kind}/${asked.metadata.name}`;
  return { dump, words: [word], fates: { [name]: 'goes' }, code: 0, says };
}

const NOTES: readonly TruthRow[] = [
  // `assignDefaultStorageClass` of the volume binder (1.28).
  noted([FAST, OTHER], 'sc/fast', /fast\s+is\s+the\s+default:\s+new\s+claims[\s\S]*stay\s+pending/),
  noted([FAST, SLOW], 'sc/fast', /names\s+no\s+class\s+then\s+gets\s+StorageClass\S+\/slow/),
  noted([OTHER, FAST], 'sc/other', /^(?![\s\S]*default)/),
  // `getDefaultPriority` of the plug-in Priority (1.20).
  noted(
    [made('PriorityClass/usual', { value: 10, globalDefault: true })],
    'pc/usual',
    /usual\s+is\s+the\s+default:\s+new\s+pods\s+that\s+name\s+no\s+class\s+get\s+priority\s+0/,
  ),
  noted(
    [made('PriorityClass/rare', { value: 10, globalDefault: false })],
    'pc/rare',
    /^(?![\s\S]*default)/,
  ),
  // `getDefaultClass` of the plug-in DefaultIngressClass (1.20).
  noted(
    [
      made(
        'IngressClass/nginx',
        { spec: { controller: 'c' } },
        { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      ),
    ],
    'ingressclass/nginx',
    /new\s+Ingresses\s+that\s+name\s+no\s+class\s+get\s+none/,
  ),
  noted(
    [
      made('VolumeSnapshotClass/csi', { driver: 'd', deletionPolicy: 'Delete' }),
      made('VolumeSnapshot/daily', { spec: { volumeSnapshotClassName: 'csi' } }),
    ],
    'volumesnapshotclass/csi',
    /VolumeSnapshot\S+\s+stays\s+and\s+names\s+VolumeSnapshotClass/,
  ),
  // `digestFlowSchemasLocked` (1.20): a FlowSchema without its level is dangling.
  noted(
    [
      BATCH,
      made('FlowSchema/jobs', { spec: { priorityLevelConfiguration: { name: 'batch' } } }),
      made('FlowSchema/else', { spec: { priorityLevelConfiguration: { name: 'exempt' } } }),
    ],
    'prioritylevelconfiguration/batch',
    /^(?=[\s\S]*FlowSchema\S+\/jobs\s+stays\s+and\s+names)(?![\s\S]*else)/,
  ),
  // `subjectsOf` compares names, not uids (`appliesToUser`, 1.20).
  noted(
    [BOT, ...SHOP, made('ClusterRoleBinding/bot', BOUND)],
    'sa/bot',
    /ClusterRoleBinding\S+\s+stays\s+and\s+names\s+ServiceAccount\/bot\.shop/,
  ),
  noted(
    [
      made('ServiceAccount/bot', {}, { namespace: 'mon' }),
      ...MON,
      made('ClusterRoleBinding/bot', BOUND),
    ],
    'sa/bot',
    /^(?![\s\S]*stays and names)/,
  ),
];

describeTruth('answers about APIs whose server goes', APIS);
describeTruth('answers about what nothing deletes', LEFT);
describeTruth('answers about what a pod holds back', HELD_BACK);
describeTruth('answers about what uses a volume', USED);
/** Until 1.15, the collector misses a finalizer that a second DELETE adds (#81081). */
const AGAIN: readonly TruthRow[] = (['v1.15', 'v1.16'] as const).map((protocol) => ({
  dump: [
    made(
      'Namespace/shop',
      { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } },
      { deletionTimestamp: '2026-03-02T10:00:00Z', finalizers: ['example.com/hold'] },
    ),
    made('ConfigMap/a'),
  ],
  words: [
    ...['ns/shop', '--cascade', 'foreground', '--protocol', protocol],
    ...['--cooperative-finalizer', 'example.com/hold'],
  ],
  fates: { 'Namespace/shop': protocol === 'v1.15' ? 'depends' : 'goes', 'ConfigMap/a': 'goes' },
  code: protocol === 'v1.15' ? 1 : 3,
}));

describeTruth('answers about what no controller makes', ODD);
describeTruth('answers about a request and its cluster', SAID);
describeTruth('notes about what is left without something', NOTES);
describeTruth('answers about a namespace that is deleted once more', AGAIN);
