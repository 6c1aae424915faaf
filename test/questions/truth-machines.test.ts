import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const CAPI = [runs('capi/capi-controller-manager'), runs('capa/capa-controller-manager')];
const machine = (spec: object): readonly object[] => [
  ...CAPI,
  made('cluster.x-k8s.io/v1beta1 Cluster', 'fleet/c', {
    finalizers: ['cluster.cluster.x-k8s.io'],
    spec: {},
  }),
  made('cluster.x-k8s.io/v1beta1 Machine', 'fleet/m', {
    finalizers: ['machine.cluster.x-k8s.io'],
    labels: { 'cluster.x-k8s.io/cluster-name': 'c' },
    owners: [owner('cluster.x-k8s.io/v1beta1 Cluster', 'fleet/c')],
    ...{ spec, status: { nodeRef: { name: 'n' } } },
  }),
];
const OWN_NODE = made('v1 Node', 'n', {
  annotations: {
    'cluster.x-k8s.io/machine': 'm',
    'cluster.x-k8s.io/cluster-namespace': 'fleet',
  },
});
const PLANE = made('cluster.x-k8s.io/v1beta1 Machine', 'fleet/plane', {
  labels: { 'cluster.x-k8s.io/cluster-name': 'c', 'cluster.x-k8s.io/control-plane': '' },
  ...{ spec: {}, status: { nodeRef: { name: 'p' } } },
});

const ROWS: readonly Question[] = [
  {
    truth: 'Cluster API drains the node of a Machine, in its own cluster (`isNodeDrainAllowed`)',
    objects: machine({}),
    ask: 'machine/m -n fleet',
    answer: 'open',
    says: /drains Node\/n first; that\s+node may be in another cluster/,
  },
  {
    truth: 'Cluster API: of a Machine without its status, no node is known (`isDeleteNodeAllowed`)',
    objects: [...machine({}).slice(0, -1), { ...machine({}).at(-1), status: undefined }],
    ask: 'machine/m -n fleet',
    answer: 'open',
    says: /drains its node first; the dump does not say which that is/,
  },
  {
    truth: 'Cluster API: a node of that name is that of another cluster (`MachineAnnotation`)',
    objects: [...machine({}), made('v1 Node', 'n')],
    ask: 'machine/m -n fleet',
    answer: 'open',
    says: /that node may be in another cluster/,
  },
  {
    truth: 'Cluster API deletes the node of a Machine (`deleteNode`)',
    objects: [...machine({}), OWN_NODE, PLANE],
    ask: 'machine/m -n fleet',
    answer: 'goes',
    fates: { Node: 'goes' },
  },
  {
    truth: 'Cluster API leaves the node of the last Machine (`errNoControlPlaneNodes`)',
    objects: [...machine({}), OWN_NODE],
    ask: 'machine/m -n fleet',
    answer: 'open',
    says: /Node\/n[\s\S]*no other machine of the\s+control plane is left/,
  },
  {
    truth: 'Cluster API leaves it once the Cluster is being deleted (`errClusterIsBeingDeleted`)',
    objects: [...machine({}), OWN_NODE, PLANE],
    ask: 'machine/m cluster/c -n fleet',
    answer: 'open',
    says: /Node\/n[\s\S]*unless the Cluster or its\s+control\s+plane is being deleted before/,
  },
  {
    truth:
      'Cluster API: what a drain with a timeout leaves keeps volumes (`shouldWaitForNodeVolumes`)',
    objects: machine({ nodeDrainTimeout: '10m0s' }),
    ask: 'machine/m -n fleet',
    answer: 'open',
    says: /waits until no volume is attached to Node\/n/,
  },
  {
    truth: 'Cluster API: both waits end (`isNodeDrainAllowed`, `isNodeVolumeDetachingAllowed`)',
    objects: machine({ nodeDrainTimeout: '10m0s', nodeVolumeDetachTimeout: '10m0s' }),
    ask: 'machine/m -n fleet',
    answer: 'goes',
  },
  {
    truth: 'Cluster API: no drain with the Cluster (`errClusterIsBeingDeleted`)',
    objects: machine({}),
    ask: 'cluster.cluster.x-k8s.io/c -n fleet',
    answer: 'goes',
  },
];

describeQuestions('answers about Machines of Cluster API and their nodes', ROWS);
