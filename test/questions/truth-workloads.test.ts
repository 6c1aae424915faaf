import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

const SHOP = ['-n', 'shop'];

/** Which pods are made anew, which are adopted first, and what a dump does not show. */
const ROWS: readonly TruthRow[] = [
  {
    // The new pod is on that node already (`podsShouldBeOnNode`).
    dump: 'between-states.yaml',
    words: ['pod/surge-old', 'pod/ssd-n1', 'pod/ssd-n2', 'pod/db-0', 'pod/db-1', ...SHOP],
    fates: { Pod: 'goes', DaemonSet: 'stays' },
    code: 0,
    says: everyOne(
      /^Pod[^;]*go\s+\(2\s+of\s+them\s+replaced\)/,
      /goes, replaced\s+\S+ Pod\/ssd-n2/,
      /goes, replaced\s+\S+ Pod\/db-1/,
      /no\s+other\s+Pod\/surge-old\.shop:\s+Pod\/surge-new\.shop\s+is\s+on\s+n1\s+as\s+well/,
      /no\s+other\s+Pod\/ssd-n1\.shop:\s+its\s+nodeSelector/,
      /wants\s+the\s+ordinals\s+1\s+to\s+2,\s+and\s+makes\s+no\s+other\s+Pod\/db-0/,
    ),
  },
  {
    // `sync` of a paused Deployment makes no ReplicaSet.
    dump: 'between-states.yaml',
    words: ['rs/paused-1', ...SHOP],
    fates: { 'ReplicaSet/paused-1': 'goes', 'Deployment/paused': 'stays' },
    code: 0,
    says: everyOne(/^ReplicaSet\.apps\/paused-1\.shop\s+goes;/, /is\s+paused,\s+and\s+makes\s+no/),
  },
  {
    // `isIndexFailed`, `manageJob`, `activePodsToBeDeleted`.
    dump: 'between-states.yaml',
    words: ['pod/index-0-b', 'pod/index-1-a', 'pod/met-1-x', 'pod/queue-x', ...SHOP],
    fates: { Pod: 'goes', Job: 'stays' },
    code: 0,
    says: everyOne(
      /^(?![\s\S]*replaced)/,
      /no\s+other\s+pod\s+for\s+the\s+index\s+of\s+Pod\/index-0-b\.shop/,
      /none\s+if\s+its\s+containers\s+end\s+with\s+exit\s+code\s+0/,
      /Job\.batch\/met\.shop\s+makes\s+no\s+other\s+pod/,
      /Job\.batch\/queue\.shop\s+makes\s+no\s+other\s+pod/,
    ),
  },
  {
    // The controllers adopt them before the DELETE, or not (`ClaimPods`, `isMemberOf`).
    dump: 'between-states.yaml',
    words: ['sts/q', 'rc/rc', ...SHOP],
    fates: {
      ...{ 'StatefulSet/q': 'goes', 'ReplicationController/rc': 'goes' },
      ...{ 'Pod/q-0': 'depends', 'Pod/rc-bare': 'depends' },
    },
    code: 3,
    says: /^(?=[\s\S]*selects\s+Pod\/q-0)(?![\s\S]*Pod\/q-debug)(?![\s\S]*Pod\/rc-done)/,
  },
  {
    dump: 'between-states.yaml',
    words: ['sts/q', ...SHOP, '--cascade', 'orphan'],
    fates: { 'StatefulSet/q': 'goes', 'Pod/q-0': 'stays' },
    code: 0,
  },
  {
    dump: 'between-states.yaml',
    words: ['pod/rc-bare', ...SHOP],
    fates: { 'Pod/rc-bare': 'goes' },
    code: 0,
    says: /ReplicationController\/rc\.shop\s+stays\s+and\s+selects\s+Pod\/rc-bare/,
  },
  {
    dump: 'reported.yaml',
    command: 'explain',
    words: [],
    fates: { 'Namespace/blind': 'unknown', 'Namespace/refused': 'unknown' },
    code: 3,
    says: everyOne(
      /reports\s+an\s+API\s+that\s+does\s+not\s+answer:[\s\S]*kubectl get apiservices/,
      /webhook\s+"guard\.acme\.io"[\s\S]*kubectl describe namespace refused/,
    ),
  },
  {
    // A pod that has ended uses neither (`isPodDone`, `isPodTerminated`).
    dump: 'reported.yaml',
    words: ['resourceclaim/shared', 'podgroup/gang', 'pod/member', '-n', 'ops'],
    fates: { ResourceClaim: 'goes', PodGroup: 'goes', Pod: 'goes' },
    code: 0,
  },
  {
    // Its pod runs on and on.
    dump: 'reported.yaml',
    words: ['resourceclaim/train-gpu', '-n', 'ops'],
    fates: { ResourceClaim: 'hangs' },
    code: 1,
    says: /Pod\/train\.ops\s+stays\s+and\s+uses/,
  },
  {
    // One pod ends by itself, one has no node yet, and one has a deadline.
    dump: 'reported.yaml',
    words: ['resourceclaim/batch', '-n', 'ops'],
    fates: { ResourceClaim: 'depends' },
    code: 3,
  },
  {
    dump: 'reported.yaml',
    words: ['podgroup/gang', '-n', 'ops'],
    fates: { PodGroup: 'depends' },
    code: 3,
    says: /Pod\/member\.ops\s+stays\s+and\s+uses/,
  },
  {
    dump: 'reported.yaml',
    words: ['ipaddress/10.96.1.1', 'cm/extension-apiserver-authentication'],
    fates: { IPAddress: 'goes', 'ConfigMap/extension': 'goes' },
    code: 0,
    says: everyOne(/makes\s+IPAddress\S+\s+anew/, /makes\s+ConfigMap\S+\s+anew/),
  },
];

describeTruth('answers about workloads between two states', ROWS);
