import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

const row = (
  words: string,
  code: number,
  fates: TruthRow['fates'],
  says?: RegExp,
  command?: TruthRow['command'],
): TruthRow => ({
  ...{ dump: 'controllers.yaml', words: words.split(' '), code, fates },
  ...(says === undefined ? {} : { says }),
  ...(command === undefined ? {} : { command }),
});

/** What controllers wait for, delete and make anew, by the sources of their projects. */
const ROWS: readonly TruthRow[] = [
  row(
    // The hook of one machine does not hold the other.
    'machine/m1 machine/m2 -n fleet',
    3,
    { 'Machine/m1': 'goes', 'Machine/m2': 'depends' },
    /Machine\S+\/m2\.fleet\s+has\s+the\s+hook\s+pre-drain\S+\/backup,\s+and/,
  ),
  row('acmemachine/a -n fleet', 3, { AcmeMachine: 'depends' }),
  row(
    'topology/rack topology/free',
    3,
    { 'Topology/rack': 'depends', 'Topology/free': 'goes' },
    /ResourceFlavor\S+\/gpu\s+stays\s+and\s+uses\s+Topology\S+\/rack/,
  ),
  row('admissioncheck/prov', 3, { AdmissionCheck: 'depends' }),
  row('admissioncheck/prov clusterqueue/main', 0, { AdmissionCheck: 'goes' }),
  row('cephobjectstore/s3 cephfilesystem/fs -n rook', 3, {
    CephObjectStore: 'depends',
    CephFilesystem: 'depends',
  }),
  row(
    'domainmapping/x.example.com -n web',
    3,
    { DomainMapping: 'depends' },
    /Deployment\.apps\/controller\.knative-serving/,
  ),
  row('rediscluster/rc -n db', 3, { RedisCluster: 'goes', PersistentVolumeClaim: 'depends' }),
  row('kafkatopic/legacy -n mq', 0, {}, /legacy\.mq\s+stays,\s+as\s+strimzi\.io\/managed:\s+false/),
  row('clusterpolicy.kyverno.io/keep', 0, {}, /^(?![\s\S]*NetworkPolicy)/),
  row('clusterpolicies.nvidia.com/gpu', 0, { ClusterPolicy: 'goes' }),
  row(
    'csv/etcd.v1 -n shop',
    0,
    {},
    /^(?![\s\S]*its\s+definitions)[\s\S]*OLM\s+makes\s+ClusterServiceVersion\S+\.shop\s+anew/,
  ),
  row('csv/etcd.v1 -n ops', 3, { 'ClusterServiceVersion/etcd.v1.shop': 'depends' }),
  row('machineset/w -n mapi', 0, { 'Machine/w-1': 'goes', Node: 'goes' }),
  row('secret/web-tls -n shop', 0, {}, /Service\/web\.shop\s+stays,\s+and\s+OpenShift\s+or/),
  row('ing/alb -n shop', 0, { Ingress: 'goes', TargetGroupBinding: 'goes' }),
  row('subns/child -n parent', 0, { SubnamespaceAnchor: 'goes', 'Namespace/child': 'goes' }),
  row(
    'kafkatopic/a kafkatopic/b -n two',
    3,
    { 'KafkaTopic/a': 'goes', 'KafkaTopic/b': 'depends' },
    everyOne(
      /scale\s+deployments\.apps\s+b-entity-operator/,
      /^(?![\s\S]*(scale|restart)\s+deployments\.apps\s+a-entity)/,
    ),
    'explain',
  ),
  // The two topics are alike but for what their labels say of their operators.
  {
    ...{ dump: 'controllers.yaml', command: 'collect', words: [], code: 3 },
    fates: { 'KafkaTopic/a': 'goes', 'KafkaTopic/b': 'depends' },
  },
];

describeTruth('answers about what controllers wait for', ROWS);
