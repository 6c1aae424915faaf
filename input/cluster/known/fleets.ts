import type { KnownFinalizer } from './schema.ts';

/** A finalizer, the workloads that remove it, what that waits for, and what is left without it. */
type Short = readonly [
  name: string,
  workloads: string,
  waitsFor: string,
  leaves: string,
  own?: Partial<KnownFinalizer>,
];

function workloadRows(
  project: string,
  owner: string,
  documented: string,
  rows: readonly Short[],
): readonly KnownFinalizer[] {
  return rows.map(([name, workloads, waitsFor, leaves, own]) => ({
    ...{ name, project, owner, waitsFor, leaves, documented },
    ...{ runs: 'workload', workloads: workloads.split(' '), ...own },
  }));
}

const OCM = 'https://open-cluster-management.io/docs/concepts/';
/** `findDependentResources` of its account controller looks in the namespace of the account. */
const NACK_USERS = ['Stream', 'Consumer', 'KeyValue', 'ObjectStore'].map(
  (kind) => `${kind}.jetstream.nats.io`,
);

const KARMADA = 'karmada-controller-manager';
/** `isTargetClusterRemoved`: those that name the cluster, until the scheduler takes it off. */
const BINDINGS = ['ResourceBinding.work.karmada.io', 'ClusterResourceBinding.work.karmada.io'];
const HUB = 'cluster-manager-registration-controller hub-registration-controller';

const TOPOLVM: readonly KnownFinalizer[] = [
  ...workloadRows('TopoLVM', 'topolvm-node', 'https://github.com/topolvm/topolvm/tree/main/docs', [
    [
      'topolvm.io/logicalvolume',
      'topolvm-node',
      'the logical volume to be removed from LVM on its node',
      'the logical volume, with its data, on the disk of its node',
    ],
  ]).map((row) => ({ ...row, external: true, onNode: true })),
  ...workloadRows(
    'TopoLVM',
    'the controller of TopoLVM',
    'https://github.com/topolvm/topolvm/blob/main/docs/topolvm-controller.md',
    [
      [
        'topolvm.io/node',
        'topolvm-controller',
        'the claims and LogicalVolumes of the node to be deleted, with the data',
        'claims and LogicalVolumes of a node that is gone',
      ],
      [
        'topolvm.io/pvc',
        'topolvm-controller',
        'its controller to delete the pods that use the claim, and the other finalizers of the claim to go',
        'pods that use a claim that is gone',
      ],
    ],
  ),
];

/** Finalizers of what manages fleets of clusters, machines and addresses from one cluster. */
export const FLEET_FINALIZERS: readonly KnownFinalizer[] = [
  ...workloadRows('Open Cluster Management', 'the registration controller of the hub', OCM, [
    [
      'cluster.open-cluster-management.io/api-resource-cleanup',
      HUB,
      'the add-ons and works of the cluster to be gone',
      'roles and bindings of the agents',
    ],
  ]).map((row) => ({
    ...row,
    whileThere: [
      'ManagedClusterAddOn.addon.open-cluster-management.io',
      'ManifestWork.work.open-cluster-management.io',
    ],
  })),
  ...workloadRows('Open Cluster Management', 'the registration controller of the hub', OCM, [
    // `GCController`
    [
      'cluster.open-cluster-management.io/resource-cleanup',
      HUB,
      'the add-ons and works of the cluster, which it deletes, to be gone',
      'add-ons and works of a cluster that is gone',
    ],
  ]),
  ...workloadRows('Open Cluster Management', 'the work controller of the hub', OCM, [
    [
      'work.open-cluster-management.io/manifest-work-cleanup',
      'cluster-manager-work-controller hub-work-controller',
      'its works to be deleted, or with the policy Foreground to be gone',
      'works of a set that is gone',
    ],
  ]),
  {
    ...{ name: 'cluster.open-cluster-management.io/manifest-work-cleanup' },
    kinds: ['Role.rbac.authorization.k8s.io', 'RoleBinding.rbac.authorization.k8s.io'],
    project: 'Open Cluster Management',
    owner: 'the registration controller of the hub',
    waitsFor: 'every ManifestWork of the cluster to be gone',
    runs: 'workload',
    workloads: HUB.split(' '),
    whileThere: ['ManifestWork.work.open-cluster-management.io'],
    leaves: 'a work agent that may do nothing, and works that hang',
    documented: OCM,
  },
  ...workloadRows('Open Cluster Management', 'the import controller of the hub', OCM, [
    [
      'managedcluster-import-controller.open-cluster-management.io/*',
      'managedcluster-import-controller managedcluster-import-controller-v2',
      'the agents to be removed from the managed cluster, if it answers',
      'agents in the managed cluster',
    ],
  ]),
  ...workloadRows('Open Cluster Management', 'the operator of the klusterlet', OCM, [
    [
      'operator.open-cluster-management.io/klusterlet-*',
      'klusterlet',
      'the agents to be removed, with what they applied',
      'agents, and AppliedManifestWorks that hang',
      // `cleanUpAppliedManifestWorks`: they own what was applied.
      { deletes: 'what works have applied in this cluster' },
    ],
  ]),
  ...workloadRows('Open Cluster Management', 'the operator of the hub', OCM, [
    [
      'operator.open-cluster-management.io/cluster-manager-cleanup',
      'cluster-manager',
      'the hub to be removed, its definitions and so all works included',
      'the installed hub',
    ],
  ]),
  ...[
    'addon.open-cluster-management.io/*',
    'cluster.open-cluster-management.io/addon-pre-delete',
    'cluster.open-cluster-management.io/hosting-*',
  ].map(
    (name): KnownFinalizer => ({
      name,
      project: 'Open Cluster Management',
      owner: 'the manager of that add-on',
      waitsFor: 'the add-on to be removed from the managed cluster, and its hooks to succeed',
      runs: 'cloud',
      leaves: 'the add-on in the managed cluster',
      documented: `${OCM}addon/`,
    }),
  ),
  ...workloadRows('Rancher', 'Rancher', 'https://ranchermanager.docs.rancher.com/', [
    [
      'clusterscoped.controller.cattle.io/*',
      'rancher',
      'what it has set up in that cluster to be removed',
      'what it has set up in that cluster',
    ],
  ]),
  ...workloadRows('Metal3', 'the bare metal operator', 'https://book.metal3.io/bmo/introduction', [
    [
      'baremetalhost.metal3.io/*',
      'baremetal-operator-controller-manager baremetal-operator',
      'its BareMetalHost to be gone',
      'a host without its credentials or its hardware details',
    ],
  ]).map((row) => ({ ...row, whileThere: ['BareMetalHost.metal3.io'] })),
  {
    name: 'networking.k8s.aws/resource-cleanup',
    project: 'Amazon EKS',
    owner: 'the VPC resource controller of EKS',
    waitsFor: 'the network interfaces of the node to be deleted',
    runs: 'cloud',
    leaves: 'network interfaces in AWS',
    documented: 'https://github.com/aws/amazon-vpc-resource-controller-k8s',
  },
  {
    // Its claim templates and DaemonSet have it as well, until the domain goes.
    name: 'resource.nvidia.com/computeDomain',
    kinds: ['ComputeDomain.resource.nvidia.com'],
    project: 'NVIDIA DRA driver for GPUs',
    owner: 'the controller of compute domains',
    waitsFor: 'its claim templates, and what makes its daemons, to be removed',
    runs: 'workload',
    workloads: ['nvidia-dra-driver-gpu-controller', 'dra-driver-nvidia-gpu-controller'],
    leaves: 'claim templates and a DaemonSet, which have the finalizer as well',
    documented: 'https://github.com/NVIDIA/k8s-dra-driver-gpu',
  },
  {
    name: 'ipam.cluster.x-k8s.io/ReleaseAddress',
    project: 'Cluster API',
    owner: 'the provider of addresses',
    waitsFor: 'its address to be released',
    runs: 'workload',
    workloads: ['ipam-in-cluster-controller-manager', 'caip-in-cluster-controller-manager'],
    leaves: 'an address that stays in use',
    documented: 'https://github.com/kubernetes-sigs/cluster-api-ipam-provider-in-cluster',
  },
  {
    name: 'ipam.cluster.x-k8s.io/ProtectAddress',
    project: 'Cluster API',
    owner: 'the provider of addresses',
    waitsFor: 'its IPAddressClaim to be gone',
    runs: 'workload',
    workloads: ['ipam-in-cluster-controller-manager', 'caip-in-cluster-controller-manager'],
    whileThere: ['IPAddressClaim.ipam.cluster.x-k8s.io'],
    leaves: 'a machine with an address that may be given away again',
    documented: 'https://github.com/kubernetes-sigs/cluster-api-ipam-provider-in-cluster',
  },
  ...workloadRows('Agones', "Agones' controller", 'https://agones.dev/site/docs/', [
    ...['agones.dev', 'agones.dev/controller'].map(
      (name): Short => [
        name,
        'agones-controller',
        'the pod of the game server to be gone',
        'a pod that the collector deletes',
      ],
    ),
  ]).map((row) => ({ ...row, deletesDependents: true, waitsForDependents: true })),
  ...workloadRows('KubeVirt', 'the operator of HyperConverged', 'https://kubevirt.io/user-guide/', [
    [
      'kubevirt.io/hyperconverged',
      'hco-operator',
      'KubeVirt and the importer to be removed',
      'whatever it has installed',
    ],
  ]).map((row) => ({ ...row, waitsForDependents: true })),
  ...workloadRows('KubeVirt', "KubeVirt's virt-controller", 'https://kubevirt.io/user-guide/', [
    [
      'snapshot.kubevirt.io/*',
      'virt-controller',
      'the snapshot or restore to end, and its content to be let go',
      'stored snapshots',
    ],
  ]),
  ...workloadRows('Harvester', 'Harvester', 'https://docs.harvesterhci.io/', [
    [
      'harvesterhci.io/VM*',
      'harvester-system/harvester',
      'its claims not to be owned by the virtual machine any more',
      'claims that are deleted with the virtual machine',
    ],
  ]),
  ...workloadRows('OpenEBS', 'the operator of disk pools', 'https://openebs.io/docs/', [
    [
      'openebs.io/diskpool-protection',
      'operator-diskpool',
      'every replica to be gone from the pool',
      'a pool on the disks of a node',
    ],
    // What has replicas in the pool only Mayastor knows.
  ]).map((row) => ({ ...row, whileThere: ['PersistentVolume'] })),
  // `handleWorkDelete` of the execution controller.
  ...workloadRows('Karmada', 'the controller manager of Karmada', 'https://karmada.io/docs/', [
    [
      'karmada.io/cluster-controller',
      KARMADA,
      'the execution namespace of the cluster with its works to be gone, and no binding to name the cluster',
      'works, and what they have in the member cluster',
      { whileThere: BINDINGS },
    ],
    [
      'karmada.io/execution-controller',
      `${KARMADA} karmada-agent`,
      'what it has in the member cluster to be deleted, which has to be ready, unless that leaves, too, or the work says preserveResourcesOnDeletion',
      'what it has in the member cluster',
    ],
    ...['binding', 'cluster-resource-binding'].map(
      (name): Short => [
        `karmada.io/${name}-controller`,
        KARMADA,
        'its works to be deleted',
        'works, and what they have in member clusters',
      ],
    ),
    // `handlePolicyDeletion`
    ...['propagation', 'cluster-propagation'].map(
      (name): Short => [
        `karmada.io/${name}-policy-controller`,
        KARMADA,
        'its labels to be taken off what it has propagated, which stays in the member clusters',
        'labels of a policy that is gone',
      ],
    ),
    [
      'karmada.io/binding-dependencies-distributor',
      KARMADA,
      'its name to be taken off the bindings of what it depends on, which go unless others need them',
      'bindings of what nothing needs any more, in the member clusters as well',
    ],
    ...[
      'multiclusterservice',
      'endpointslice',
      'mcs-endpointslice-collect',
      'mcs-endpointslice-dispatch',
    ].map(
      (name): Short => [
        `karmada.io/${name}-controller`,
        KARMADA,
        'what it has made of it for other clusters to be deleted, works and EndpointSlices',
        'Services and EndpointSlices for other clusters',
      ],
    ),
  ]),
  // Its name before. Later versions take that of a claim off at once (`removeDeprecatedFinalizer`).
  ...TOPOLVM.map((row) => ({
    ...row,
    name: row.name.replace('topolvm.io', 'topolvm.cybozu.com'),
    ...(row.name === 'topolvm.io/pvc'
      ? { waitsFor: 'nothing in later versions; earlier ones delete the pods that use the claim' }
      : { versions: 'those from before the name topolvm.io, and later ones with USE_LEGACY' }),
  })),
  ...TOPOLVM,
  ...workloadRows('NACK', 'the JetStream controller', 'https://github.com/nats-io/nack', [
    [
      'account.nats.io/finalizer',
      'nack jetstream-controller',
      'no stream, consumer or bucket to name the account any more',
      'what names an account that is gone',
    ],
  ]).map((row) => ({ ...row, whileThere: NACK_USERS })),
  ...workloadRows('NACK', 'the JetStream controller', 'https://github.com/nats-io/nack', [
    ...[
      ['streamfinalizer.jetstream.nats.io', 'stream, with its messages,'],
      ['stream.nats.io/finalizer', 'stream, with its messages,'],
      ['consumerfinalizer.jetstream.nats.io', 'consumer'],
      ['consumer.nats.io/finalizer', 'consumer'],
      ['kv.nats.io/finalizer', 'bucket of the key-value store'],
      ['objectstore.nats.io/finalizer', 'bucket of the object store'],
    ].map(
      ([name = '', what]): Short => [
        name,
        'nack jetstream-controller',
        `the ${what} to be deleted in NATS, unless it says preventDelete`,
        `the ${what} in NATS`,
      ],
    ),
  ]).map((row) => ({ ...row, external: true })),
  ...workloadRows(
    'Pulumi Kubernetes Operator',
    'the Pulumi operator',
    'https://www.pulumi.com/docs/iac/guides/continuous-delivery/pulumi-kubernetes-operator/',
    [
      [
        'finalizer.stack.pulumi.com',
        'pulumi-kubernetes-operator pulumi-kubernetes-operator-controller-manager',
        'pulumi destroy of all that the stack has made to succeed, if it says destroyOnFinalize',
        'all that the stack has made',
      ],
    ],
  ).map((row) => ({ ...row, external: true, makes: 'the Workspace and Update that destroy' })),
];
