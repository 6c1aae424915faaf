import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

/** Nodes that are drained before they go, and what does without what goes. */
const ROWS: readonly TruthRow[] = [
  {
    // Karpenter evicts the pods, and waits as long as a budget allows none.
    dump: 'drained.yaml',
    words: ['node/worker-1'],
    fates: { 'Node/worker-1': 'depends', 'NodeClaim/': 'depends' },
    code: 3,
    says: everyOne(
      /Karpenter\s+drains\s+Node\/worker-1\s+first,\s+and\s+PodDisruptionBudget\S+\/db\.shop\s+allows\s+no\s+eviction/,
      /^(?![\s\S]*does\s+not\s+hold\s+this\s+up)/,
    ),
  },
  {
    dump: 'drained.yaml',
    words: ['nodepool/default'],
    fates: { 'NodePool/': 'goes', 'NodeClaim/': 'depends', 'Node/worker-1': 'depends' },
    code: 3,
  },
  {
    dump: 'drained.yaml',
    words: ['node/worker-1', 'pdb/db', '-n', 'shop'],
    // The NodeClaim goes as well, which the model leaves out.
    fates: { 'Node/worker-1': 'goes', PodDisruptionBudget: 'goes', 'NodeClaim/': 'depends' },
    code: 3,
    says: /Karpenter\s+deletes\s+NodeClaim/,
  },
  {
    dump: 'drained.yaml',
    words: ['node/worker-2'],
    fates: { 'Node/worker-2': 'depends' },
    code: 3,
    says: /does\s+not\s+evict\s+Pod\/batch\.shop/,
  },
  { dump: 'drained.yaml', words: ['node/worker-3'], fates: { 'Node/worker-3': 'goes' }, code: 0 },
  {
    dump: 'drained.yaml',
    words: ['gateway/edge', 'svc/web', '-n', 'shop'],
    fates: { 'Gateway/edge': 'goes', 'Service/web': 'goes' },
    code: 0,
    says: everyOne(
      /HTTPRoute\S+\/web\.shop\s+stays\s+and\s+names\s+Gateway\S+:\s+it\s+has\s+no\s+listener/,
      /names\s+Service\/web\.shop:\s+it\s+leads\s+to\s+nothing/,
    ),
  },
  {
    dump: 'drained.yaml',
    words: ['ns/old'],
    fates: { 'Namespace/old': 'hangs' },
    code: 1,
    says: /waits for discovery/,
  },
  {
    // Discovery does not miss an API whose APIService is gone.
    dump: 'drained.yaml',
    words: ['ns/old', 'apiservice/v1beta1.metrics.k8s.io'],
    fates: { 'Namespace/old': 'goes', APIService: 'goes' },
    code: 0,
  },
];

describeTruth('answers about nodes', ROWS);
