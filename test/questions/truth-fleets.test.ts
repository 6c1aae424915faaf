import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';
const MACHINE = 'cluster.x-k8s.io/v1beta1 Machine';
const CAPA = runs('capa-system/capa-controller-manager');
const instance = (parts: object): object =>
  made(`${INFRASTRUCTURE} AWSMachine`, 'fleet/m', {
    finalizers: ['awsmachine.infrastructure.cluster.x-k8s.io'],
    ...parts,
    spec: {},
  });
const awsCluster = (annotations: Readonly<Record<string, string>>): object =>
  made(`${INFRASTRUCTURE} AWSCluster`, 'fleet/c', {
    finalizers: ['awscluster.infrastructure.cluster.x-k8s.io'],
    ...{ annotations, owners: [owner('cluster.x-k8s.io/v1beta1 Cluster', 'fleet/c')], spec: {} },
  });
const anywhere = (name: string, annotations = {}): readonly object[] => [
  runs('eksa-system/eksa-controller-manager'),
  made('anywhere.eks.amazonaws.com/v1alpha1 Cluster', `default/${name}`, {
    finalizers: ['clusters.anywhere.eks.amazonaws.com/finalizer'],
    ...{ annotations, spec: { managementCluster: { name: 'm' } } },
  }),
  made('cluster.x-k8s.io/v1beta1 Cluster', `eksa-system/${name}`, { spec: {} }),
];
const WORK = 'cluster.open-cluster-management.io/manifest-work-cleanup';
const work = (parts: object): object =>
  made('work.open-cluster-management.io/v1 ManifestWork', 'c1/w', { finalizers: [WORK], ...parts });

const CLUSTERS: readonly Question[] = [
  {
    truth: 'CAPA does nothing for an AWSMachine without a Machine (`Reconcile`)',
    objects: [CAPA, instance({})],
    ask: 'awsmachine/m -n fleet',
    answer: 'open',
    says: /no Machine owns AWSMachine.*, and the Cluster\s+API provider of AWS does\s+nothing/,
  },
  {
    truth: 'CAPA fails where the Machine of an AWSMachine is gone (`GetOwnerMachine`)',
    objects: [
      ...[CAPA, made(MACHINE, 'fleet/other', { spec: {} })],
      instance({ leaving: true, owners: [owner(MACHINE, 'fleet/m')] }),
    ],
    ask: 'explain awsmachine/m -n fleet',
    answer: 'open',
    says: /the dump lacks Machine\/m, which owns AWSMachine/,
  },
  {
    truth: 'CAPA terminates the instance of an AWSMachine (`reconcileDelete`)',
    objects: [
      ...[CAPA, made(MACHINE, 'fleet/m', { spec: {} })],
      instance({ owners: [owner(MACHINE, 'fleet/m')] }),
    ],
    ask: 'awsmachine/m -n fleet',
    answer: 'goes',
    says: /the machine behind AWSMachine\S+ is deleted as well/,
  },
  {
    truth: 'the providers skip what others manage (`ResourceIsNotExternallyManaged`)',
    objects: [
      ...[CAPA, made('cluster.x-k8s.io/v1beta1 Cluster', 'fleet/c', { spec: {} })],
      awsCluster({ 'cluster.x-k8s.io/managed-by': 'terraform' }),
    ],
    ask: 'awscluster/c -n fleet',
    answer: 'open',
    says: /another tool manages it, as its\s+annotation\s+cluster\.x-k8s\.io\/managed-by\s+says/,
  },
  {
    truth: 'CAPV holds a Secret until its VSphereCluster goes (`reconcileDelete`)',
    objects: [
      ...[runs('capv-system/capv-controller-manager'), runs('capi-system/capi-controller-manager')],
      made('v1 Secret', 'fleet/creds', {
        finalizers: ['vspherecluster/infrastructure.cluster.x-k8s.io'],
      }),
      made(`${INFRASTRUCTURE} VSphereCluster`, 'fleet/c', {
        spec: { identityRef: { kind: 'Secret', name: 'creds' } },
      }),
    ],
    ask: 'secret/creds -n fleet',
    answer: 'open',
    says: /VSphereCluster\S+ stays/,
  },
  {
    truth: 'EKS Anywhere deletes the Cluster of Cluster API, and waits (`reconcileDelete`)',
    objects: anywhere('w'),
    ask: 'cluster.anywhere.eks.amazonaws.com/w -n default',
    answer: 'goes',
    fates: { 'Cluster/w.eksa-system': 'goes' },
  },
  {
    truth: 'EKS Anywhere does nothing for a paused cluster (`IsReconcilePaused`)',
    objects: anywhere('w', { 'anywhere.eks.amazonaws.com/paused': 'true' }),
    ask: 'cluster.anywhere.eks.amazonaws.com/w -n default',
    answer: 'open',
    says: /is paused \(anywhere\.eks\.amazonaws\.com\/paused\)/,
  },
  {
    truth: 'EKS Anywhere deletes no cluster that manages itself (`IsSelfManaged`)',
    objects: anywhere('m'),
    ask: 'cluster.anywhere.eks.amazonaws.com/m -n default',
    answer: 'open',
    says: /its controller deletes no cluster that manages itself/,
  },
  {
    truth: 'Open Cluster Management deletes the works of a cluster (`gcResourcesController`)',
    objects: [
      runs('open-cluster-management-hub/cluster-manager-registration-controller'),
      made('cluster.open-cluster-management.io/v1 ManagedCluster', 'c1', {
        finalizers: ['cluster.open-cluster-management.io/resource-cleanup'],
      }),
      ...[made('v1 Namespace', 'c1'), work({})],
    ],
    ask: 'managedcluster/c1',
    answer: 'open',
    fates: { ManagedCluster: 'depends', ManifestWork: 'depends' },
    says: /the registration\s+controller\s+of\s+the\s+hub/,
  },
  {
    truth: 'Open Cluster Management deletes the works of a set (`finalizeManifestWorkReplicaSet`)',
    objects: [
      runs('open-cluster-management-hub/cluster-manager-work-controller'),
      made('work.open-cluster-management.io/v1alpha1 ManifestWorkReplicaSet', 'default/r', {
        finalizers: ['work.open-cluster-management.io/manifest-work-cleanup'],
        spec: {},
      }),
      work({ labels: { 'work.open-cluster-management.io/manifestworkreplicaset': 'default.r' } }),
    ],
    ask: 'manifestworkreplicaset/r -n default',
    answer: 'open',
    fates: { 'ManifestWork/w': 'depends' },
  },
  {
    truth: 'the work agent leaves what an orphaning work has applied (`DeleteOption`)',
    objects: [work({ spec: { deleteOption: { propagationPolicy: 'Orphan' } } })],
    ask: 'manifestwork/w -n c1',
    answer: 'open',
    says: /what the work has applied behind ManifestWork\S+\s+stays, as propagationPolicy: Orphan/,
  },
  {
    truth: 'the klusterlet takes the finalizers off works, which own objects (`managedReconcile`)',
    objects: [
      runs('open-cluster-management/klusterlet'),
      made('operator.open-cluster-management.io/v1 Klusterlet', 'klusterlet', {
        finalizers: ['operator.open-cluster-management.io/klusterlet-cleanup'],
      }),
    ],
    ask: 'klusterlet/klusterlet',
    answer: 'goes',
    says: /what works have applied in this cluster behind Klusterlet\S+ is deleted/,
  },
  {
    truth: 'Fleet deletes the namespace of a cluster (`handleDelete` of its ClusterReconciler)',
    objects: [
      runs('cattle-fleet-system/fleet-controller'),
      made('fleet.cattle.io/v1alpha1 Cluster', 'fleet-default/c', {
        finalizers: ['fleet.cattle.io/cluster-finalizer'],
        ...{ spec: {}, status: { namespace: 'cluster-fleet-default-c' } },
      }),
      made('v1 Namespace', 'cluster-fleet-default-c'),
      made('v1 ConfigMap', 'cluster-fleet-default-c/kube-root-ca.crt'),
      made('fleet.cattle.io/v1alpha1 Bundle', 'fleet-default/fleet-agent-c', { spec: {} }),
    ],
    ask: 'cluster.fleet.cattle.io/c -n fleet-default',
    answer: 'goes',
    fates: { Namespace: 'goes', Bundle: 'goes' },
  },
  {
    truth: 'the agent of Fleet uninstalls what a BundleDeployment has deployed (`deleteByRelease`)',
    objects: [
      runs('cattle-fleet-system/fleet-controller'),
      ...[false, true].map((keepResources) =>
        made('fleet.cattle.io/v1alpha1 BundleDeployment', `c/${keepResources ? 'kept' : 'gone'}`, {
          finalizers: ['fleet.cattle.io/bundle-deployment-finalizer'],
          spec: { options: { keepResources } },
        }),
      ),
    ],
    ask: 'bundledeployment gone kept -n c',
    answer: 'goes',
    says: /the release behind BundleDeployment\S+gone.c is deleted as well[\s\S]*kept.c\s+stays, as keepResources: true/,
  },
];

describeQuestions('what is true of fleets of clusters', CLUSTERS);
