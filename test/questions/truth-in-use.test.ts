import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

const SHOP = ['-n', 'shop'];

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
