import { describeTruth, type TruthRow } from './truth-rows.ts';

/** What the controllers of tools do, by the kind or the object, and by what their objects say. */
const ROWS: readonly TruthRow[] = [
  {
    // Only its own provider removes the finalizer of an infrastructure, and the Machine waits for
    // it.
    dump: 'owners-of-finalizers.yaml',
    words: ['machine/md-1', '-n', 'fleet'],
    fates: { 'Machine/md-1': 'depends', 'AWSMachine/md-1': 'depends' },
    code: 3,
    says: /capa-controller-manager\S+,\s+which\s+may\s+run\s+its\s+owner,\s+has\s+no\s+ready\s+pod/,
  },
  {
    // The controller deletes what the Machine owns by itself.
    dump: 'owners-of-finalizers.yaml',
    words: ['machine/md-1', '-n', 'fleet', '--cascade', 'orphan'],
    fates: { 'AWSMachine/md-1': 'depends' },
    code: 3,
    says: /AWSMachine\S+:\s+the\s+Cluster\s+API\s+controller\s+may\s+delete\s+what\s+Machine\S+\/md-1\.fleet\s+owns/,
  },
  {
    dump: 'owners-of-finalizers.yaml',
    words: ['cluster/frozen', '-n', 'fleet'],
    fates: { 'Cluster/frozen': 'depends' },
    code: 3,
    says: /Cluster\S+\/frozen.fleet\s+is\s+paused\s+\(spec.paused\)/,
  },
  {
    dump: 'owners-of-finalizers.yaml',
    words: ['machine/cold', '-n', 'fleet'],
    fates: { 'Machine/cold': 'depends' },
    code: 3,
    says: /Cluster\S+\/frozen.fleet\s+is\s+paused/,
  },
  {
    // The controller of sources runs, and has no part in it.
    dump: 'owners-of-finalizers.yaml',
    words: ['kustomization/apps'],
    fates: { 'Kustomization/apps': 'depends' },
    code: 3,
    says: /no workload in the dump\s+runs\s+the\s+kustomize-controller/,
  },
  {
    dump: 'owners-of-finalizers.yaml',
    words: ['gitrepository/repo'],
    fates: { 'GitRepository/repo': 'goes' },
    code: 0,
  },
  {
    // Its definition says which provider is that of the kind.
    dump: 'owners-of-finalizers.yaml',
    words: ['bucket/data'],
    fates: { 'Bucket/data': 'depends' },
    code: 3,
    says: /provider-aws-1\S+\s+which\s+may\s+run\s+its\s+owner,\s+has\s+0\s+replicas/,
  },
  {
    dump: 'owners-of-finalizers.yaml',
    words: ['release/app'],
    fates: { 'Release/app': 'depends' },
    code: 3,
    says: /several workloads may run the\s+Crossplane\s+provider/,
  },
  {
    dump: 'owners-of-finalizers.yaml',
    words: ['usage/guard'],
    fates: { 'Usage/guard': 'depends' },
    code: 3,
    says: /Release\S+\/app\s+stays,\s+and\s+Crossplane's\s+usage\s+controller\s+waits\s+for\s+it/,
  },
  {
    dump: 'owners-of-finalizers.yaml',
    words: ['kafkatopic/orders'],
    fates: { 'KafkaTopic/orders': 'depends' },
    code: 3,
  },
  {
    dump: 'owners-of-finalizers.yaml',
    words: ['kafkatopic/logs'],
    fates: { 'KafkaTopic/logs': 'goes' },
    code: 0,
  },
  {
    dump: 'cluster-api.yaml',
    words: ['cluster/dev', '-n', 'fleet'],
    fates: { 'Cluster/dev': 'goes', 'AWSCluster/dev': 'goes', 'Machine/worker': 'goes' },
    code: 0,
  },
  {
    // The controller of Cluster API deletes the MachineDeployment in the background anyway, so no
    // wait for its Machine is lost if the collector asks for the foreground at the same time.
    dump: 'cluster-api.yaml',
    words: ['cluster/dev', '-n', 'fleet', '--cascade', 'foreground'],
    fates: { 'Cluster/dev': 'goes', 'Machine/worker': 'goes' },
    code: 0,
    says: /as\s+documented,\s+MachineDeployment\S+\s+is\s+let\s+go/,
  },
  {
    dump: 'flux-policies.yaml',
    words: ['kustomization/orphans'],
    fates: { 'Kustomization/orphans': 'goes' },
    code: 0,
    says: /^Kustomization\S+\/orphans.flux\s+goes\.[\s\S]*Flux\s+leaves\s+everything/,
  },
  {
    // Its deletionPolicy counts, not its prune.
    dump: 'flux-policies.yaml',
    words: ['kustomization/deletes'],
    fates: { 'Kustomization/deletes': 'goes', 'ConfigMap/b': 'goes' },
    code: 0,
  },
  {
    dump: 'flux-policies.yaml',
    words: ['kustomization/waits'],
    // It stops waiting once its timeout is over.
    fates: { 'Kustomization/waits': 'goes', 'ConfigMap/c': 'depends' },
    code: 3,
  },
  {
    dump: 'flux-policies.yaml',
    words: ['kustomization/prunes'],
    fates: { 'Kustomization/prunes': 'goes', 'ConfigMap/d': 'goes' },
    code: 0,
    says: /^(?![\s\S]*ConfigMap\/kept)/,
  },
];

describeTruth('answers about tools', ROWS);
