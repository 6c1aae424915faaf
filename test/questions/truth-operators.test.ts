import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

/** What operators do without owner references, and outside of the cluster. */
const ROWS: readonly TruthRow[] = [
  {
    // Without a finalizer, the operator acts on the event; its claims and secrets go by default.
    dump: 'torn-down.yaml',
    words: ['postgresql/main', '-n', 'shop'],
    fates: {
      ...{ postgresql: 'goes', 'StatefulSet/main': 'depends', 'Pod/main-0': 'depends' },
      'PersistentVolumeClaim/pgdata-main-0': 'depends',
    },
    code: 3,
    says: everyOne(
      /the\s+Postgres\s+Operator,\s+unless\s+its\s+configuration\s+says\s+otherwise,\s+deletes/,
      /data\s+on\s+PersistentVolume\/nfs\s+is\s+deleted[^:]*and\s+the\s+volume\s+stays/,
    ),
  },
  {
    dump: 'torn-down.yaml',
    words: ['sts/main', '-n', 'shop'],
    fates: { StatefulSet: 'goes', Pod: 'goes' },
    code: 0,
    says: /the\s+Postgres\s+Operator\s+makes\s+StatefulSet\.apps\/main\.shop\s+anew/,
  },
  {
    dump: 'torn-down.yaml',
    words: ['clusterpolicy/isolate'],
    fates: { ClusterPolicy: 'goes', 'NetworkPolicy/deny': 'depends' },
    code: 3,
  },
  {
    dump: 'torn-down.yaml',
    words: ['netpol/deny', 'secret/loose', '-n', 'shop'],
    fates: { NetworkPolicy: 'goes', Secret: 'goes' },
    code: 0,
    says: everyOne(
      /Kyverno,\s+if\s+the\s+rule\s+synchronizes\s+it,\s+generates/,
      /External\s+Secrets\s+makes\s+Secret\/loose\.shop\s+anew/,
    ),
  },
  {
    dump: 'torn-down.yaml',
    words: ['externalsecret/owning', '-n', 'shop'],
    fates: { ExternalSecret: 'goes', 'Secret/owned': 'goes' },
    code: 0,
  },
  {
    // The operator deletes the Secret that it owns; the collector takes the reference off.
    dump: 'torn-down.yaml',
    words: ['externalsecret/owning', '-n', 'shop', '--cascade', 'orphan'],
    fates: { ExternalSecret: 'goes', 'Secret/owned': 'depends' },
    code: 3,
  },
  {
    dump: 'torn-down.yaml',
    words: ['bucket/gone', 'bucket/kept', '-n', 'shop'],
    // S3 deletes a bucket only while it is empty.
    fates: { 'Bucket/gone': 'depends', 'Bucket/kept': 'goes' },
    code: 3,
    says: everyOne(
      /AWS\s+behind\s+\S+\/gone\.shop\s+is\s+deleted/,
      /AWS\s+behind\s+\S+\/kept\.shop\s+stays,\s+as\s+services\.k8s\.aws\/deletion-policy:\s+retain/,
    ),
  },
  {
    // To run the controller deletes the database, which a person may not want.
    dump: 'torn-down.yaml',
    command: 'explain',
    words: ['dbinstance/orders', '-n', 'shop'],
    fates: { DBInstance: 'depends' },
    code: 3,
    says: /Remedy 1 +deletes\s+or\s+detaches[\s\S]*run\s+the\s+ACK\s+controller\s+of\s+rds\s+again[^:]*:?[\s\S]*nothing\s+of\s+the\s+resource\s+in\s+AWS/,
  },
  {
    // The application controller does not look after sets. As long as the set is there, the
    // collector leaves its Applications.
    dump: 'torn-down.yaml',
    words: ['applicationset/ordered', '-n', 'argocd'],
    fates: { ApplicationSet: 'depends', Application: 'depends' },
    code: 3,
    says: /no\s+workload\s+in\s+the\s+dump\s+runs\s+the\s+Argo\s+CD\s+ApplicationSet\s+controller/,
  },
  {
    dump: 'torn-down.yaml',
    command: 'explain',
    words: ['secret/restored', '-n', 'shop'],
    fates: { 'Secret/restored': 'goes' },
    code: 0,
    says: /^Secret\/restored\.shop goes although nobody asks for that/,
  },
  {
    dump: 'operator-claims.yaml',
    words: ['perconaxtradbcluster/c1', 'perconaxtradbcluster/c2'],
    fates: {
      'PersistentVolumeClaim/datadir-c1': 'depends',
      'PersistentVolumeClaim/datadir-c2': 'stays',
    },
    code: 3,
    says: /datadir-c1-pxc-0\.db:\s+the\s+percona-xtradb-cluster-operator\s+deletes\s+the\s+claims/,
  },
  {
    // The instances of its own cluster drop the database.
    dump: 'operator-claims.yaml',
    words: ['cluster.postgresql.cnpg.io/pg', 'database/orders', 'database/kept'],
    fates: { 'Database/orders': 'depends', 'Pod/pg-1': 'goes' },
    code: 3,
    says: everyOne(
      /Pod\/pg-1\.db,\s+which\s+may\s+run\s+its\s+owner,\s+may\s+be\s+deleted\s+first/,
      /behind\s+Database\S+\/orders\.db\s+is\s+deleted\s+as\s+well/,
      /behind\s+Database\S+\/kept\.db\s+stays,\s+as\s+databaseReclaimPolicy/,
    ),
  },
  {
    dump: 'operator-claims.yaml',
    words: ['cluster.postgresql.cnpg.io/pg'],
    fates: { 'Cluster/pg': 'goes' },
    code: 0,
    says: /without\s+it,\s+the\s+deletion\s+of\s+Database\S+\/orders\.db\s+hangs,\s+which\s+stays/,
  },
  {
    dump: 'operator-claims.yaml',
    words: ['cephblockpool/replicapool'],
    fates: { CephBlockPool: 'depends' },
    code: 3,
    says: /PersistentVolume\/rbd\s+stays\s+and\s+uses/,
  },
  {
    dump: 'operator-claims.yaml',
    // Of a pool, no dump shows the images.
    words: ['cephblockpool/free', 'volume.longhorn.io/lh', 'resourceclaim/gpu'],
    fates: { CephBlockPool: 'depends', 'Volume/lh': 'goes', 'ResourceClaim/gpu': 'goes' },
    code: 3,
    says: /Longhorn\s+deletes\s+PersistentVolume\/lh\s+and\s+PersistentVolumeClaim\/data\.db\s+with\s+Volume/,
  },
  {
    // A word without a group is that of Kubernetes. A revision comes back only if it is the newest.
    dump: 'operator-claims.yaml',
    words: ['node/n', 'controllerrevision/agent-old'],
    fates: { 'Node/n': 'goes', ControllerRevision: 'goes' },
    code: 0,
    says: /^(?![\s\S]*goes, replaced\s+\S*\s*ControllerRevision)[\s\S]*Longhorn\s+deletes\s+Node\.longhorn\S+\s+with\s+Node\/n/,
  },
  {
    dump: 'operator-claims.yaml',
    words: ['clusterserviceversion/etcd.v1'],
    fates: { ClusterServiceVersion: 'goes', 'ClusterRole/etcd.v1-abc': 'goes' },
    code: 0,
    says: everyOne(
      /^(?![\s\S]*etcd\.v1-other)/,
      /leaves\s+its\s+definitions\s+and\s+their\s+instances/,
    ),
  },
  {
    dump: 'operator-claims.yaml',
    words: ['kubevirt/kubevirt'],
    fates: { KubeVirt: 'depends' },
    code: 3,
    says: /no\s+workload\s+in\s+the\s+dump\s+runs\s+KubeVirt's\s+operator/,
  },
];

describeTruth('answers about what operators tear down', ROWS);
