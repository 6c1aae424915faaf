import type { KnownFinalizer } from './schema.ts';

type Shared = Pick<KnownFinalizer, 'project' | 'owner' | 'documented'> & {
  readonly workloads: string;
};
type Own = Pick<KnownFinalizer, 'name' | 'waitsFor' | 'leaves'> & Partial<KnownFinalizer>;

function rowsOf(
  { workloads, ...shared }: Shared,
  ...rows: readonly Own[]
): readonly KnownFinalizer[] {
  return rows.map((row) => ({
    ...shared,
    ...{ runs: 'workload', workloads: workloads.split(' '), ...row },
  }));
}

const TRIDENT = 'https://docs.netapp.com/us-en/trident/trident-managing-k8s/uninstall-trident.html';
const EXTENSIONS = {
  project: 'Gardener',
  owner: 'the extension of Gardener for that kind',
  documented: 'https://gardener.cloud/docs/gardener/extensions/',
};

/** Finalizers of what vendors offer: tailnets, meshes, workspaces, storage and fleets of clusters. */
export const VENDOR_FINALIZERS: readonly KnownFinalizer[] = [
  // `maybeCleanup` of each of its reconcilers
  ...rowsOf(
    {
      project: 'Tailscale Operator',
      owner: 'the Tailscale operator',
      workloads: 'tailscale/operator tailscale-operator',
      documented: 'https://tailscale.com/kb/1236/kubernetes-operator',
    },
    {
      name: 'tailscale.com/*',
      waitsFor: 'its proxy, and its device or service in the tailnet, to be deleted',
      external: true,
      leaves: 'a proxy, and a device in the tailnet',
    },
  ),
  // `ReconcileEntry`: it asks Consul first, and leaves what is of another datacenter.
  ...rowsOf(
    {
      project: 'Consul',
      owner: 'the controllers of Consul on Kubernetes',
      workloads: 'connect-injector consul-controller',
      documented: 'https://developer.hashicorp.com/consul/docs/k8s',
    },
    ...['finalizers.consul.hashicorp.com', 'registration.finalizers.consul.hashicorp.com'].map(
      (name): Own => ({
        name,
        waitsFor: 'the entry to be deleted in Consul, which has to answer',
        external: true,
        leaves: 'the entry in Consul',
      }),
    ),
  ),
  // `deletionPolicy` decides; `outsideOf` says what it asks for.
  ...rowsOf(
    {
      project: 'HCP Terraform Operator',
      owner: 'the operator of HCP Terraform',
      workloads: 'hcp-terraform-operator terraform-cloud-operator',
      documented: 'https://developer.hashicorp.com/terraform/cloud-docs/integrations/kubernetes',
    },
    {
      name: '*.app.terraform.io/finalizer',
      waitsFor: 'what its deletionPolicy says to be done in HCP Terraform',
      external: true,
      leaves: 'the workspace in HCP Terraform, with all that it manages',
    },
  ),
  {
    // `removeFinalizers` has nothing to do for a TridentBackend.
    name: 'trident.netapp.io',
    kinds: ['TridentBackend.trident.netapp.io'],
    project: 'Trident',
    owner: 'a person with tridentctl',
    runs: 'nobody',
    waitsFor:
      'the backend to be deleted with tridentctl, or with its TridentBackendConfig: Trident does nothing for a DELETE of it',
    leaves: 'a backend that Trident uses until it starts again',
    documented: TRIDENT,
  },
  ...rowsOf(
    {
      project: 'Trident',
      owner: 'the controller of Trident',
      workloads: 'trident-controller trident-csi',
      documented: TRIDENT,
    },
    {
      name: 'trident.netapp.io',
      kinds: ['TridentBackendConfig.trident.netapp.io'],
      waitsFor: 'the volumes of its backend to be gone, if its deletionPolicy is delete',
      whileThere: ['TridentVolume.trident.netapp.io'],
      leaves: 'a backend of which nothing in the cluster has the configuration',
    },
    {
      name: 'trident.netapp.io',
      waitsFor: 'nothing: Trident takes it off at once',
      leaves: 'what it stands for, on the storage system',
    },
  ),
  // `deleteSatellite`
  ...rowsOf(
    {
      project: 'Piraeus',
      owner: 'the Piraeus operator',
      workloads: 'piraeus-operator-controller-manager piraeus-operator',
      documented: 'https://piraeus.io/docs/stable/how-to/evacuate-satellite/',
    },
    {
      name: 'piraeus.io/satellite-protection',
      waitsFor: 'every resource of LINSTOR to be evacuated from the node',
      whileThere: ['PersistentVolume'],
      leaves: 'a node in LINSTOR, with its resources',
    },
  ),
  // `doCleanup`: DaemonSets and Deployments that uninstall run in its namespace.
  ...rowsOf(
    {
      project: 'Submariner',
      owner: 'the Submariner operator',
      workloads: 'submariner-operator',
      documented: 'https://submariner.io/operations/cleanup/',
    },
    {
      name: 'controllers.submariner.io/cleanup',
      waitsFor: 'the pods to have run that uninstall it on each node',
      makes: 'pods',
      leaves: 'routes, tunnels and DNS entries of Submariner',
    },
  ),
  // A DELETE of a Shoot needs an annotation, and its gardenlet runs in another cluster.
  ...['gardener', 'gardener.cloud/*', 'core.gardener.cloud/*'].map(
    (name): KnownFinalizer => ({
      name,
      ...(name === 'gardener' ? { kinds: ['*.gardener.cloud', 'Secret', 'ConfigMap'] } : {}),
      project: 'Gardener',
      owner: 'the gardenlet of the seed, or a controller of the garden',
      runs: 'cloud',
      waitsFor: 'what it stands for to be torn down, or what refers to it to be gone',
      leaves: 'a control plane in a seed, and machines, disks and networks in a cloud',
      documented: 'https://gardener.cloud/docs/gardener/',
    }),
  ),
  {
    ...EXTENSIONS,
    name: 'extensions.gardener.cloud/*',
    runs: 'cloud',
    waitsFor: 'what it stands for to be torn down in the cloud',
    leaves: 'machines, disks, networks or DNS records in a cloud',
  },
  ...rowsOf(
    { ...EXTENSIONS, owner: "Gardener's resource manager", workloads: 'gardener-resource-manager' },
    {
      name: 'resources.gardener.cloud/*',
      waitsFor: 'all that it has applied to be gone, unless it says keepObjects',
      leaves: 'what it has applied, perhaps in another cluster',
    },
  ),
  // `clusterDeletionTransformer`: with the policy Delete or WipeOut, the claims as well.
  ...rowsOf(
    {
      project: 'KubeBlocks',
      owner: 'the operator of KubeBlocks',
      workloads: 'kubeblocks kubeblocks-dataprotection',
      documented: 'https://kubeblocks.io/docs/',
    },
    {
      name: 'cluster.kubeblocks.io/finalizer',
      waitsFor: 'its components, claims and, with WipeOut, backups to be deleted in order',
      waitsForDependents: true,
      deletesDependents: true,
      deletesClaims: true,
      leaves: 'components that nobody stops in order, and claims with their data',
    },
    {
      name: '*.kubeblocks.io/finalizer',
      waitsFor: 'what it has made of it to be deleted, or what uses it to be gone',
      whileThere: ['*.kubeblocks.io'],
      leaves: 'what it has made of it',
    },
  ),
  ...rowsOf(
    {
      project: 'EKS Anywhere',
      owner: 'the controller of EKS Anywhere',
      workloads: 'eksa-controller-manager',
      documented: 'https://anywhere.eks.amazonaws.com/docs/',
    },
    {
      name: 'clusters.anywhere.eks.amazonaws.com/finalizer',
      waitsFor: 'its Cluster of Cluster API, which it deletes with all machines, to be gone',
      leaves: 'a cluster that nobody manages',
    },
    {
      name: '*.anywhere.eks.amazonaws.com/finalizer',
      waitsFor: 'what it has made for the upgrade to be deleted',
      leaves: 'parts of an upgrade',
    },
  ),
  // `handleDeletion` of the aggregators, and `EnsureInUseFinalizer`
  ...rowsOf(
    {
      project: 'Falco Operator',
      owner: 'the Falco operator',
      workloads: 'falco-operator',
      documented: 'https://github.com/falcosecurity/falco-operator',
    },
    {
      name: 'artifact.falcosecurity.dev/node-objects-in-use',
      waitsFor: 'its ArtifactNodes, which it deletes, to be gone',
      waitsForDependents: true,
      deletesDependents: true,
      leaves: 'files of rules or plugins on the nodes',
    },
    ...['configmap-in-use', 'secret-in-use'].map(
      (name): Own => ({
        name: `artifact.falcosecurity.dev/${name}`,
        waitsFor: 'what names it to be gone',
        whileThere: ['*.artifact.falcosecurity.dev', '!ArtifactNode.artifact.falcosecurity.dev'],
        leaves: 'what names an object that is gone',
      }),
    ),
    {
      name: '*.instance.falcosecurity.dev/finalizer',
      waitsFor: 'its roles and bindings in the cluster to be removed',
      leaves: 'roles and bindings',
    },
  ),
  // `handlePrune`
  ...rowsOf(
    {
      project: 'Node Feature Discovery Operator',
      owner: 'the operator of Node Feature Discovery',
      workloads: 'nfd-controller-manager nfd-operator',
      documented: 'https://github.com/kubernetes-sigs/node-feature-discovery-operator',
    },
    {
      name: 'nfd-finalizer',
      waitsFor:
        'its components to be deleted, and with prunerOnDelete for a Job that takes the labels off the nodes',
      makes: 'jobs',
      leaves: 'its components',
    },
  ),
  // `ResourceExportReconciler`, `MemberClusterAnnounceReconciler`
  ...rowsOf(
    {
      project: 'Antrea',
      owner: 'the multi-cluster controller of Antrea on the leader',
      workloads: 'antrea-mc-controller',
      documented: 'https://antrea.io/docs/main/docs/multicluster/architecture/',
    },
    ...['resourceexport.antrea.io/finalizer', 'resourceexport.finalizers.antrea.io'].map(
      (name): Own => ({
        name,
        waitsFor: 'what it exports to be taken out of its ResourceImport',
        leaves: 'what it exports, in the other clusters of the set',
      }),
    ),
    {
      name: 'memberclusterannounce.finalizer.antrea.io/*',
      waitsFor: 'the member to be taken out of the ClusterSet',
      leaves: 'a member that is gone',
    },
  ),
];
