import type { KnownFinalizer } from './schema.ts';

/** The manager of each provider of Cluster API, by what the kinds of the provider begin with. */
const PROVIDERS: Readonly<Record<string, string>> = {
  AWS: 'capa-controller-manager',
  Azure: 'capz-controller-manager',
  Docker: 'capd-controller-manager',
  GCP: 'capg-controller-manager',
  HCloud: 'caph-controller-manager',
  Hetzner: 'caph-controller-manager',
  Kubevirt: 'capk-controller-manager',
  Linode: 'capl-controller-manager',
  Metal3: 'capm3-controller-manager',
  Nutanix: 'capx-controller-manager',
  OpenStack: 'capo-controller-manager',
  Proxmox: 'capmox-controller-manager',
  Tinkerbell: 'capt-controller-manager',
  VSphere: 'capv-controller-manager',
};

function ofClusterApi(
  row: Pick<KnownFinalizer, 'name' | 'workloads' | 'waitsForDependents'>,
  owner: string,
): KnownFinalizer {
  return {
    project: 'Cluster API',
    owner,
    waitsFor: 'what it created, machines included, to be deleted',
    runs: 'workload',
    leaves: 'machines and networks in the cloud',
    documented: 'https://cluster-api.sigs.k8s.io/',
    ...row,
  };
}

/** Those whose controllers return where no Machine or Cluster owns the object (2026). */
const OWNED: readonly string[] = ['AWS', 'Azure', 'GCP', 'Metal3', 'OpenStack'];

/** What is of a machine or of a cluster, by what the kind ends with. */
function ofOwner(provider: string, of: 'Machine' | 'Cluster'): Partial<KnownFinalizer> {
  return {
    ...(of === 'Machine' ? { deletes: 'the machine' } : {}),
    ...(OWNED.includes(provider) ? { onlyOwnedBy: `${of}.cluster.x-k8s.io` } : {}),
  };
}

/** The managers of control planes and bootstraps, by what the kinds begin with. */
const PLANES: readonly (readonly [kind: string, plane: string, bootstrap: string])[] = [
  ['Kubeadm', 'kubeadm-control-plane-controller-manager', 'kubeadm-bootstrap-controller-manager'],
  ['RKE2', 'rke2-control-plane-controller-manager', 'rke2-bootstrap-controller-manager'],
  ['KThrees', 'k3s-control-plane-controller-manager', 'k3s-bootstrap-controller-manager'],
  ['Talos', 'cacppt-controller-manager', 'cabpt-controller-manager'],
];

/** What the core of Cluster API removes waits for what its providers remove. */
const CORE = { workloads: ['capi-controller-manager'], waitsForDependents: true } as const;
const CORE_OWNER = 'the Cluster API controller';

/** Finalizers of Cluster API and its providers. */
export const CLUSTER_API_FINALIZERS: readonly KnownFinalizer[] = [
  {
    ...ofClusterApi({ name: 'cluster.cluster.x-k8s.io', ...CORE }, CORE_OWNER),
    waitsFor: 'the machines, the control plane and the infrastructure of the cluster to be gone',
  },
  {
    // `isNodeDrainAllowed`: not if the Cluster goes.
    ...ofClusterApi({ name: 'machine.cluster.x-k8s.io', ...CORE }, CORE_OWNER),
    waitsFor: 'its node to be drained, and then for what it created to be deleted',
    drains: true,
  },
  ...PLANES.flatMap(([kind, plane, bootstrap]) =>
    // Talos has the longer one now.
    ['*.cluster.x-k8s.io', '*.cluster.x-k8s.io/finalizer'].flatMap((name) => [
      {
        // `reconcileDelete` of the others deletes no machine of its own before that.
        ...ofClusterApi(
          { name, workloads: [plane], waitsForDependents: true },
          `the Cluster API provider of control planes of ${kind}`,
        ),
        kinds: [`${kind}ControlPlane.controlplane.cluster.x-k8s.io`],
        ...(kind === 'Talos'
          ? { waitsFor: 'its machines to be deleted' }
          : {
              waitsFor:
                'all other machines of the cluster to be gone, and then for its own to be deleted',
              whileThere: ['Machine.cluster.x-k8s.io', 'MachinePool.cluster.x-k8s.io'],
            }),
      },
      {
        ...ofClusterApi(
          { name, workloads: [bootstrap] },
          `the Cluster API provider of bootstraps of ${kind}`,
        ),
        kinds: [`${kind}Config.bootstrap.cluster.x-k8s.io`],
      },
    ]),
  ),
  // VSphere waits itself; the others cannot delete a network that machines are in.
  ...['AWS', 'GCP', 'OpenStack', 'VSphere'].map((provider) => ({
    ...ofClusterApi(
      {
        name: `${provider.toLowerCase()}cluster.infrastructure.cluster.x-k8s.io`,
        workloads: [PROVIDERS[provider] ?? ''],
      },
      `the Cluster API provider of ${provider}`,
    ),
    ...ofOwner(provider, 'Cluster'),
    waitsFor: 'the machines of the cluster to be gone, and then for its network to be deleted',
    whileThere: [`${provider}Machine.infrastructure.cluster.x-k8s.io`],
  })),
  // `reconcileDelete` of a VSphereCluster or VSphereClusterIdentity, and of a VSphereVM
  ...[
    {
      name: 'vspherecluster/infrastructure.cluster.x-k8s.io',
      users: ['Cluster', 'ClusterIdentity'],
    },
    { name: 'vspherevm.infrastructure.cluster.x-k8s.io/ip-claim-protection', users: ['VM'] },
  ].map(({ name, users }) => ({
    ...ofClusterApi(
      { name, workloads: [PROVIDERS.VSphere ?? ''] },
      'the Cluster API provider of VSphere',
    ),
    waitsFor: 'what uses it to be gone',
    whileThere: users.map((kind) => `VSphere${kind}.infrastructure.cluster.x-k8s.io`),
    leaves: 'a cluster without its credentials, or an address that is still in use',
  })),
  ...[...OWNED, 'VSphere'].flatMap((provider) =>
    (['Machine', 'Cluster'] as const).map((of) => ({
      ...ofClusterApi(
        { name: '*.infrastructure.cluster.x-k8s.io', workloads: [PROVIDERS[provider] ?? ''] },
        `the Cluster API provider of ${provider}`,
      ),
      ...ofOwner(provider, of),
      kinds: [`${provider}${of}.infrastructure.cluster.x-k8s.io`],
    })),
  ),
  ...['*.infrastructure.cluster.x-k8s.io', '*.cluster.x-k8s.io/finalizer'].flatMap((name) => [
    ...Object.entries(PROVIDERS).map(([provider, workload]) => ({
      ...ofClusterApi({ name, workloads: [workload] }, `the Cluster API provider of ${provider}`),
      kinds: [`${provider}*`],
    })),
    // The manager of another provider does nothing for the kind.
    { ...ofClusterApi({ name }, 'the Cluster API provider of that kind'), runs: 'cloud' as const },
  ]),
  {
    // `ManagedControlPlaneReconciler.dependencyCount`
    ...ofClusterApi(
      {
        name: 'awsmanagedcontrolplane.controlplane.cluster.x-k8s.io',
        workloads: [PROVIDERS.AWS ?? ''],
      },
      'the Cluster API provider of AWS',
    ),
    waitsFor: 'the machines and pools of the cluster to be gone, and then for EKS to delete it',
    whileThere: ['AWSMachine.*', 'AWSMachinePool.*', 'AWSManagedMachinePool.*'],
  },
  ...['controlplane', 'bootstrap'].map((of) => ({
    ...ofClusterApi({ name: '*.cluster.x-k8s.io' }, 'the Cluster API provider of that kind'),
    kinds: [`*.${of}.cluster.x-k8s.io`],
    runs: 'cloud' as const,
  })),
  ofClusterApi({ name: '*.cluster.x-k8s.io', ...CORE }, CORE_OWNER),
  ofClusterApi({ name: 'cluster.x-k8s.io/*', ...CORE }, CORE_OWNER),
];
