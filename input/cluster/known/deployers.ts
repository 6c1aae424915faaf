import type { KnownFinalizer } from './schema.ts';

/** Each object of Fleet goes after those that were made from it. */
const FLEET: readonly KnownFinalizer[] = [
  ['gitrepo-finalizer', 'gitjob', 'its Bundles to be gone', 'Bundles that nobody updates'],
  ['helmop-finalizer', 'helmops', 'its Bundles to be gone', 'Bundles that nobody updates'],
  ['bundle-finalizer', 'fleet-controller', 'its BundleDeployments to be gone', 'BundleDeployments'],
  [
    'bundle-deployment-finalizer',
    'fleet-controller',
    'its contents to be released; the agent of the cluster uninstalls the release',
    'what it deployed',
  ],
  [
    'cluster-finalizer',
    'fleet-controller',
    'the DELETEs of its namespace and of the Bundle of its agent',
    'a namespace with BundleDeployments',
  ],
  ['schedule-finalizer', 'fleet-controller', 'its clusters to be let go', 'nothing'],
].map(([name, workload = '', waitsFor = '', leaves = '']) => ({
  name: `fleet.cattle.io/${name}`,
  // `deleteByRelease` of the agent
  ...(name === 'bundle-deployment-finalizer' ? { deletes: 'the release' } : {}),
  project: 'Fleet',
  owner: `the ${workload} of Fleet`,
  waitsFor,
  runs: 'workload' as const,
  workloads: [workload],
  leaves,
  documented: 'https://fleet.rancher.io/explanations/resources-during-deployment',
}));

const SVELTOS: readonly KnownFinalizer[] = ['clusterprofile', 'profile', 'clustersummary'].map(
  (kind) => ({
    name: `${kind}finalizer.projectsveltos.io`,
    project: 'Sveltos',
    owner: 'the addon controller of Sveltos',
    runs: 'workload' as const,
    workloads: ['addon-controller'],
    ...(kind === 'clustersummary'
      ? {
          waitsFor: 'what it deployed to be withdrawn, unless stopMatchingBehavior leaves it',
          leaves: 'what it deployed',
        }
      : {
          waitsFor: 'every ClusterSummary that it owns to be gone',
          waitsForDependents: true,
          deletesDependents: true,
          leaves: 'ClusterSummaries that nobody updates',
        }),
    documented: 'https://projectsveltos.github.io/sveltos/',
  }),
);

/** Finalizers of what deploys applications besides Argo CD and Flux. */
export const DEPLOYER_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'fluxcd.controlplane.io/finalizer',
    project: 'Flux Operator',
    owner: 'the Flux operator',
    waitsFor: 'nothing: it sends the DELETEs of what it applied',
    runs: 'workload',
    workloads: ['flux-operator'],
    leaves: 'everything that it applied',
    documented: 'https://fluxcd.control-plane.io/operator/resourceset/',
  },
  ...FLEET,
  ...SVELTOS,
  {
    name: 'finalizers.kapp-ctrl.k14s.io/delete',
    project: 'kapp-controller',
    owner: 'the kapp-controller',
    waitsFor: 'everything that the App deployed to be deleted, unless it says noopDelete',
    runs: 'workload',
    workloads: ['kapp-controller'],
    leaves: 'everything that the App deployed',
    documented: 'https://carvel.dev/kapp-controller/docs/latest/app-spec/',
  },
  {
    name: 'finalizers.packageinstall.packaging.carvel.dev/delete',
    project: 'kapp-controller',
    owner: 'the kapp-controller',
    waitsFor: 'its App to be gone',
    runs: 'workload',
    workloads: ['kapp-controller'],
    waitsForDependents: true,
    deletesDependents: true,
    leaves: 'nothing: Kubernetes collects the App',
    documented: 'https://carvel.dev/kapp-controller/docs/latest/packaging/',
  },
  {
    name: 'app.oam.dev/resource-tracker-finalizer',
    project: 'KubeVela',
    owner: 'the controller of KubeVela',
    waitsFor: 'everything that its ResourceTrackers have to be deleted',
    runs: 'workload',
    workloads: ['vela-core'],
    leaves: 'everything that it deployed, and its ResourceTrackers',
    documented: 'https://kubevela.io/docs/end-user/policies/gc/',
  },
  {
    name: 'app.oam.dev/orphan-resource',
    project: 'KubeVela',
    owner: 'the controller of KubeVela',
    waitsFor: 'its ResourceTrackers to be gone: it leaves what they have',
    runs: 'workload',
    workloads: ['vela-core'],
    leaves: 'its ResourceTrackers',
    documented: 'https://kubevela.io/docs/end-user/policies/gc/',
  },
  {
    name: 'configsync.gke.io/reconciler',
    project: 'Config Sync',
    owner: 'the reconciler of Config Sync',
    waitsFor: 'everything that it manages to be deleted',
    runs: 'workload',
    workloads: ['root-reconciler', 'ns-reconciler'],
    leaves: 'everything that it manages',
    documented:
      'https://cloud.google.com/kubernetes-engine/config-sync/docs/how-to/deletion-propagation',
  },
  {
    name: 'configsync.gke.io/reconciler-manager',
    project: 'Config Sync',
    owner: 'the reconciler manager of Config Sync',
    waitsFor: 'its reconciler to be removed',
    runs: 'workload',
    workloads: ['reconciler-manager'],
    leaves: 'its reconciler',
    documented:
      'https://cloud.google.com/kubernetes-engine/config-sync/docs/how-to/deletion-propagation',
  },
];
